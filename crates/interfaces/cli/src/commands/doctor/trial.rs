//! One trial: an agent is asked as any step asks it, by a run of its own, and its model tells what it was offered.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use awf_agents::{ModelRequest, ModelServer};
use awf_core::{AgentKind, Code, RunId, RunStatus, Status, WorkflowSource};
use awf_workflow::{Notice, OutputStream};
use tokio_util::sync::CancellationToken;

use crate::{
    commands::doctor::{
        hostile, script,
        ward::{MARKER, MENTION, MENTIONED, Ward},
    },
    environment::Environment,
    report::CommandError,
    telemetry::Telemetry,
    wiring::{Company, Workshop},
    workflows::Bundle,
};

/// How long an agent may take for one trial.
const LIMIT: Duration = Duration::from_mins(2);
/// How much of its complaints is told.
const COMPLAINTS: usize = 600;

/// The project an agent is tried in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// With nothing in it but a file to read.
    Plain,
    /// With configuration of every agent that wants to be let in.
    Hostile,
}

/// What was seen of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sighting {
    /// The tools its model was offered.
    pub(super) offered: Vec<String>,
    /// Whether the model saw what Read and Bash gave back.
    pub(super) answered: bool,
    /// What left a trace that should not be there: files, servers that were started, tools that the agent says it used.
    pub(super) traces: Vec<String>,
    /// Why it did not come to its end.
    pub(super) failure: Option<String>,
}

/// What a trial stands on.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) environment: &'a Environment,
    pub(super) telemetry: &'a Telemetry,
    pub(super) stop: &'a CancellationToken,
}

/// Tries an agent on a ground.
pub(super) async fn trial(
    kind: AgentKind,
    ground: Ground,
    bench: Bench<'_>,
) -> Result<Sighting, CommandError> {
    let failed = |error: io::Error| {
        CommandError::of(Code::IoWriteFailed, format!("cannot set up a trial: {error}"))
    };
    let ward = Ward::open(bench.environment).map_err(failed)?;
    let scenario = script::scenario(kind, &ward.project());
    let model = ModelServer::start(scenario).await.map_err(failed)?;
    ward.log_in(&model.url()).map_err(failed)?;
    if ground == Ground::Hostile {
        hostile::plant(&ward.project()).map_err(failed)?;
        hostile::trust(&ward.home(), &ward.project()).map_err(failed)?;
    }
    let environment = ward.environment(bench.environment, &model.url());
    let heard = Arc::new(Mutex::new(Heard::default()));
    let failure = run(kind.as_str(), &environment, heard.clone(), bench).await?;
    let requests = model.requests();
    model.stop().await;
    let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    let left = [script::LEAKED, hostile::STARTED].into_iter().flat_map(|prefix| ward.files(prefix));
    Ok(Sighting {
        offered: offered(&requests),
        answered: answered(&requests),
        traces: left.chain(read_alone(&requests)).chain(heard.bypassed.iter().cloned()).collect(),
        failure: failure.map(|failure| format!("{failure}{}", heard.complaints())),
    })
}

/// The agent that plays `turns.yaml`, in a project of its own. Gives why it failed.
pub(super) async fn scripted(
    environment: &Environment,
    bench: Bench<'_>,
) -> Result<Option<String>, CommandError> {
    run("scripted:turns.yaml", environment, Arc::default(), bench).await
}

/// One step, taken by a run of its own. Gives why it failed.
async fn run(
    provider: &str,
    environment: &Environment,
    heard: Arc<Mutex<Heard>>,
    bench: Bench<'_>,
) -> Result<Option<String>, CommandError> {
    let text = format!(
        "name: doctor\nstates:\n  try:\n    type: agent\n    provider: {provider}\n    prompt: Read marker.txt, then run a command. Do not mind @{MENTIONED} here.\n    \
         timeout: {}\n    mcp_proxy: {{enable: true}}\n",
        LIMIT.as_secs()
    );
    let file = environment.current_dir.join(".awf/doctor.yaml").display().to_string();
    let source = WorkflowSource { name: String::new(), file, text };
    let bundle = Bundle::remembered(vec![source], environment.current_dir.clone(), environment)?;
    let watcher = Arc::new(move |notice: Notice| {
        heard.lock().unwrap_or_else(PoisonError::into_inner).note(&notice);
    });
    let company = Company { watcher, person: None };
    let workshop = Workshop::open(&bundle, &[], company, environment, bench.telemetry)?;
    let request = bundle.request(RunId::generate());
    let ended = workshop.engine.run(request, bench.stop.clone()).await;
    workshop.close().await;
    Ok(match ended {
        Ok(finished) if finished.status == RunStatus::Success => None,
        Ok(finished) => Some(match finished.error {
            Some(error) => format!("{}: {}", error.code, error.message),
            None => finished.status.as_str().to_owned(),
        }),
        Err(error) => Some(error.to_string()),
    })
}

/// What is heard of the run.
#[derive(Default)]
struct Heard {
    bypassed: Vec<String>,
    stderr: String,
}

impl Heard {
    fn note(&mut self, notice: &Notice) {
        match notice {
            Notice::ToolCall { call, .. } if call.status == Status::Bypassed => {
                self.bypassed.push(format!("used {}", call.tool));
            }
            Notice::Output { stream: OutputStream::Stderr, text, .. }
                if self.stderr.len() < COMPLAINTS =>
            {
                self.stderr.push_str(text);
            }
            _ => {}
        }
    }

    fn complaints(&self) -> String {
        match self.stderr.trim() {
            "" => String::new(),
            said => format!(": {}", said.chars().take(COMPLAINTS).collect::<String>()),
        }
    }
}

/// Every tool once, in the order it was first offered.
fn offered(requests: &[ModelRequest]) -> Vec<String> {
    let mut offered: Vec<String> = Vec::new();
    for tool in requests.iter().flat_map(|request| &request.tools) {
        if !offered.contains(tool) {
            offered.push(tool.clone());
        }
    }
    offered
}

/// The file that the prompt names, where the agent put it before its model without a tool.
fn read_alone(requests: &[ModelRequest]) -> Option<String> {
    let mut told =
        requests.iter().flat_map(|request| request.prompts.iter().chain([&request.system]));
    told.any(|text| text.contains(MENTION)).then(|| format!("read {MENTIONED} by itself"))
}

fn answered(requests: &[ModelRequest]) -> bool {
    let saw = |text: &str| {
        let mut results = requests.iter().flat_map(|request| &request.results);
        results.any(|result| result.text.contains(text))
    };
    saw(MARKER) && saw(script::ECHO)
}
