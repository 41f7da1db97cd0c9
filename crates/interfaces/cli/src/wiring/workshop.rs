//! What a run stands on: the engine, the agents it may ask, the tools they are offered, the journals it writes.

use std::{path::Path, sync::Arc};

use awf_agents::ScriptedAgent;
use awf_core::{
    ActivityLog, AgentFailure, AgentKind, AgentProvider, Diagnostic, Exposure, NoOperations,
    Redactor, TwoKeyValidator,
};
use awf_process::{Grace, Guard};
use awf_store::{ActivityStore, RunStore};
use awf_tools::{ProxySettings, ToolProxyService};
use awf_workflow::{AgentSource, Engine, EnginePorts, Person, Watcher};

use crate::{
    environment::Environment,
    report::CommandError,
    snippet::unmarked,
    telemetry::Telemetry,
    wiring::{
        self, last_will::LastWill, scratch::Scratch, step_tools::StepTools, upstreams::Upstreams,
    },
    workflows::Bundle,
};

/// Who is there while a run goes on.
pub(crate) struct Company {
    /// Looks on.
    pub(crate) watcher: Watcher,
    /// Talks with agents, where a step is a conversation.
    pub(crate) person: Option<Person>,
}

/// Everything a run needs, built once.
pub(crate) struct Workshop {
    pub(crate) engine: Engine,
    guard: Guard,
    upstreams: Arc<Upstreams>,
    activity: Option<Arc<ActivityStore>>,
    /// Goes with the run.
    _scratch: Scratch,
}

impl Workshop {
    /// What is in `secrets` is struck out of everything that is kept or shown.
    pub(crate) fn open(
        bundle: &Bundle,
        secrets: &[String],
        company: Company,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let Bundle { project, settings, .. } = bundle;
        let home = environment.awf_home()?;
        let activity = wiring::activity(settings.activity, &home);
        let redactor = Redactor::new(environment.secrets()).knowing(secrets);
        // A long path cannot name a socket, so the shortest comes last.
        let runtime_dirs = vec![environment.runtime_dir(), environment.temp_dir(), "/tmp".into()];
        let will = LastWill { home: home.clone(), runtime_dirs };
        let guard = will.guard(&environment.executable);
        let dir = project.path(environment);
        let scratch = Scratch::make(&home)?;
        let upstreams =
            Arc::new(Upstreams::new(&settings.servers, environment, &dir, guard.clone()));
        let proxy = ProxySettings {
            program: environment.program_for_others(),
            runtime_dirs: will.runtime_dirs,
            validator: Arc::new(TwoKeyValidator::new(settings.intent)),
            log: activity.clone().map(|store| store as Arc<dyn ActivityLog>),
            trace: telemetry.trace_link(),
            exposure: Exposure {
                ceiling: settings.ceiling,
                unannotated: settings.intent.unannotated,
                ..Exposure::default()
            },
            sources: Arc::new(StepTools::new(
                settings,
                &dir,
                environment,
                &home,
                upstreams.clone(),
            )),
        };
        let ports = EnginePorts {
            guard: guard.clone(),
            shell: environment.step_shell(),
            env: environment.for_shell(),
            places: project.places.clone(),
            user: environment.user(),
            hostname: Environment::hostname(),
            agents: agents(&dir, &guard),
            dir,
            scratch: scratch.path().to_owned(),
            on_bypass: settings.on_bypass,
            person: company.person,
            operations: Arc::new(NoOperations),
            proxy: Some(Arc::new(ToolProxyService::new(proxy))),
            journal: Arc::new(RunStore::open(&home)),
            redactor,
            trace: telemetry.trace_link(),
            notices: company.watcher,
        };
        Ok(Self { engine: Engine::new(ports), guard, upstreams, activity, _scratch: scratch })
    }

    /// Ends what is left of the run and seals the journal.
    pub(crate) async fn close(&self) {
        self.upstreams.close().await;
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "not all that the run started could be ended");
        }
        wiring::seal(self.activity.as_deref());
    }
}

/// The agents there are. The others come with their adapters; until then a step that names one says so.
fn agents(dir: &Path, guard: &Guard) -> AgentSource {
    let (dir, guard) = (dir.to_owned(), guard.clone());
    Arc::new(move |name| match (AgentKind::parse(name), name.strip_prefix("scripted:")) {
        (Some(AgentKind::Scripted), Some(file)) => scripted(&dir.join(file), &guard),
        (Some(AgentKind::Scripted), None) => Err(AgentFailure::Unusable(
            "the scripted agent needs its file: `scripted:turns.yaml`".to_owned(),
        )),
        (Some(_) | None, _) => Err(AgentFailure::Unsupported(name.to_owned())),
    })
}

fn scripted(file: &Path, guard: &Guard) -> Result<Arc<dyn AgentProvider>, AgentFailure> {
    let unusable = |finding: &Diagnostic| AgentFailure::Unusable(unmarked(finding));
    let text = awf_config::read_text(file).map_err(|finding| unusable(&finding))?;
    let script = awf_config::parse_script(&file.display().to_string(), &text);
    let script = script.map_err(|findings| {
        findings
            .first()
            .map_or_else(|| AgentFailure::Unusable("the script has no turns".to_owned()), unusable)
    })?;
    Ok(Arc::new(ScriptedAgent::new(script, guard.clone())))
}
