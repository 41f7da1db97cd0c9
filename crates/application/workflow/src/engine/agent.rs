//! Steps that an agent takes: what it is asked and given is prepared here; [`errand`] does the rest.

use std::sync::Arc;

use awf_core::{
    AgentKind, AgentMode, AgentNews, AgentProvider, AgentRequest, AgentState, AgentWatcher, Code,
    McpProxy, OwnToolUse, StepError, shown,
};
use awf_tools::{CallNews, SessionRequest, ToolProxyService};
use futures_util::FutureExt as _;
use tokio::sync::mpsc;

use crate::engine::{
    Notice, OutputStream, Person,
    agent::{
        errand::{Errand, run},
        turns::Turns,
    },
    bench::{Bench, Exported, Job},
    render::{render, values},
};

mod answer;
mod errand;
mod prompt;
mod turn;
mod turns;

pub(super) use answer::fault;

pub(super) fn step(bench: &Bench<'_>, state: &AgentState) -> Result<Job, StepError> {
    let provider = match bench.provider {
        Some(provider) => provider.to_owned(),
        None => render(&state.provider, &bench.view)?,
    };
    let agent = (bench.ports.agents)(&provider).map_err(|failure| fault(&failure))?;
    keep_reserved(bench, agent.as_ref())?;
    let dir = bench.dir()?;
    let request = AgentRequest {
        run: bench.run.to_string(),
        step: bench.task.step.clone(),
        prompt: prompt::prompt(bench, state)?,
        system_prompt: prompt::system_prompt(bench, state)?,
        mode: state.mode,
        output_format: state.output_format,
        session: session(bench, state)?,
        options: values(&state.options, &bench.view)?,
        dir: dir.clone(),
        env: bench.env(Exported::Nothing)?.into_vec(),
        trace: bench.trace.clone(),
    };
    let tools = match &state.proxy {
        Some(proxy) if proxy.enable => Some(tools(bench, state, proxy, dir)?),
        Some(_) | None => None,
    };
    let (watcher, own_tools) = watcher(bench);
    let errand = Errand {
        person: person(bench, agent.kind(), state.mode)?,
        agent,
        request,
        tools,
        watcher,
        own_tools,
        on_bypass: bench.ports.on_bypass,
        link: bench.ports.trace,
        timeout: bench.timeout(),
        cancel: bench.cancel.child_token(),
    };
    Ok(Job { work: run(errand).boxed(), provider: Some(provider) })
}

/// Refuses variables of the state that are not a workflow's to set.
fn keep_reserved(bench: &Bench<'_>, agent: &dyn AgentProvider) -> Result<(), StepError> {
    let own = bench.own_env()?;
    match own.iter().find(|(name, _)| agent.reserves(name)) {
        None => Ok(()),
        Some((name, _)) => Err(StepError {
            code: Code::AgentUnusable,
            message: format!(
                "`env` sets `{}`, which says where provider `{}` is found, what it loads or whom it tells its key; whoever \
                 wants that sets it where awf is started",
                shown(&name.to_string_lossy()),
                agent.kind().as_str()
            ),
        }),
    }
}

/// The session of the state that is gone on with.
fn session(bench: &Bench<'_>, state: &AgentState) -> Result<Option<String>, StepError> {
    let Some(earlier) = &state.continue_from else { return Ok(None) };
    match bench.view.session(&earlier.value) {
        Some(session) => Ok(Some(session.to_owned())),
        None => Err(StepError {
            code: Code::AgentFailed,
            message: format!("state `{}` has no session to go on with", earlier.value),
        }),
    }
}

fn tools(
    bench: &Bench<'_>,
    state: &AgentState,
    proxy: &McpProxy,
    dir: std::path::PathBuf,
) -> Result<(Arc<ToolProxyService>, SessionRequest), StepError> {
    let service = bench.ports.proxy.clone().ok_or_else(|| StepError {
        code: Code::ProxyUnavailable,
        message: "there is no proxy to give the step its tools".to_owned(),
    })?;
    let (notices, step) = (bench.ports.notices.clone(), bench.task.step.clone());
    let roots = state.tools.roots.iter();
    let roots = roots.map(|root| Ok(bench.ports.dir.join(render(root, &bench.view)?)));
    let request = SessionRequest {
        run: bench.run.to_string(),
        step: bench.task.step.clone(),
        dir,
        proxy: proxy.clone(),
        allow: state.tools.allow,
        surface: state.tools.surface,
        servers: state.tools.servers.iter().map(|server| server.value.clone()).collect(),
        roots: roots.collect::<Result<_, StepError>>()?,
        env: bench.own_env()?,
        redactor: bench.redactor.as_ref().clone(),
        trace: bench.trace.clone(),
        watcher: Arc::new(move |call: CallNews| {
            notices(Notice::ToolCall { step: step.clone(), call });
        }),
    };
    Ok((service, request))
}

/// Tells what the agent says; what it does past the proxy comes out at the other end.
fn watcher(bench: &Bench<'_>) -> (AgentWatcher, mpsc::UnboundedReceiver<OwnToolUse>) {
    let (notices, redactor) = (bench.ports.notices.clone(), bench.redactor.clone());
    let step = bench.task.step.clone();
    let (own, own_tools) = mpsc::unbounded_channel();
    let turns = Turns::of(bench);
    let watcher = Arc::new(move |news| {
        let (stream, said) = match news {
            AgentNews::Text(said) => (OutputStream::Stdout, said),
            // Each stands alone: what follows must not run into it.
            AgentNews::Complaint(said) => (OutputStream::Stderr, format!("{}\n", said.trim_end())),
            AgentNews::Asked => return turns.asked(),
            AgentNews::Answered(answer) => return turns.answered(&answer),
            AgentNews::OwnTool(seen) => {
                // Nobody listens any more once the step is over.
                own.send(seen).ok();
                return;
            }
        };
        let text = redactor.text(&said).into_owned();
        notices(Notice::Output { step: step.clone(), stream, text });
    });
    (watcher, own_tools)
}

/// Whom the agent talks with, where the step is a conversation. A script knows its lines.
fn person(
    bench: &Bench<'_>,
    kind: AgentKind,
    mode: AgentMode,
) -> Result<Option<Person>, StepError> {
    match (mode, kind, &bench.ports.person) {
        (AgentMode::Single, _, _) | (AgentMode::Conversation, AgentKind::Scripted, _) => Ok(None),
        (AgentMode::Conversation, _, Some(person)) => Ok(Some(person.clone())),
        (AgentMode::Conversation, _, None) => Err(StepError {
            code: Code::AgentUnusable,
            message: "`mode: conversation` needs somebody at a terminal, and `--format text`"
                .to_owned(),
        }),
    }
}
