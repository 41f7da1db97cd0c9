//! What a run stands on: the engine, the agents it may ask, the tools they are offered, the journals it writes.

use std::sync::Arc;

use awf_config::Settings;
use awf_core::{ActivityLog, Exposure, TwoKeyValidator};
use awf_process::{Grace, Guard};
use awf_store::{ActivityStore, RunStore};
use awf_tools::{ProxySettings, ToolProxyService};
use awf_workflow::{Engine, EnginePorts, Person, Watcher};

use crate::{
    environment::Environment,
    report::CommandError,
    secrets,
    telemetry::Telemetry,
    wiring::{
        self,
        agents::{AgentParts, agents},
        last_will::LastWill,
        openai,
        operations::{self, Operations, PluginGround},
        scratch::Scratch,
        step_tools::{Lenders, StepTools},
        upstreams::{self, UpstreamGround, Upstreams},
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
    lenders: Lenders,
    activity: Option<Arc<ActivityStore>>,
    /// Goes with the run.
    _scratch: Scratch,
}

impl Workshop {
    /// What is in `inputs` is secret, and struck out of everything that is kept or shown.
    pub(crate) fn open(
        bundle: &Bundle,
        inputs: &[String],
        company: Company,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let Bundle { project, settings, .. } = bundle;
        let home = environment.awf_home()?;
        let activity = wiring::activity(settings.activity, settings.retention, &home);
        let granted: Vec<&str> = settings.keys.iter().map(|grant| grant.env.as_str()).collect();
        learn(bundle, inputs, environment);
        let openai = openai::settings(environment, &settings.keys, &home);
        // A key that was granted to an endpoint is for that, and for nothing a run starts.
        let (whole, environment) = (environment, &environment.without(&granted));
        let runtime_dirs = environment.socket_dirs();
        let will = LastWill { home: home.clone(), runtime_dirs };
        let guard = will.guard(&environment.executable);
        let dir = project.path(environment);
        let scratch = Scratch::make(&home)?;
        let ground = PluginGround {
            dir: &dir,
            runtime_dirs: &will.runtime_dirs,
            guard: guard.clone(),
            environment,
        };
        let around = UpstreamGround {
            dir: &dir,
            home: &home,
            guard: guard.clone(),
            max_age: settings.annotations_max_age,
            unannotated: settings.intent.unannotated,
            environment,
        };
        let lenders = Lenders {
            upstreams: Arc::new(Upstreams::new(&settings.servers, around)),
            operations: Arc::new(Operations::new(&project.plugins, ground)?),
        };
        let proxy = ProxySettings {
            program: environment.program_for_others(),
            runtime_dirs: will.runtime_dirs,
            validator: Arc::new(TwoKeyValidator::new(settings.intent)),
            policy: settings.intent,
            log: activity.clone().map(|store| store as Arc<dyn ActivityLog>),
            trace: telemetry.trace_link(),
            exposure: exposure(settings),
            sources: Arc::new(StepTools::new(settings, &dir, environment, &home, lenders.clone())),
        };
        let ports = EnginePorts {
            guard: guard.clone(),
            shell: environment.step_shell(),
            env: environment.for_shell(),
            places: project.places.clone(),
            user: environment.user(),
            hostname: Environment::hostname(),
            agents: agents(AgentParts {
                dir: &dir,
                guard: &guard,
                scratch: scratch.path(),
                environment: whole,
                data: &home,
                openai,
            }),
            dir,
            scratch: scratch.path().to_owned(),
            on_bypass: settings.on_bypass,
            person: company.person,
            operations: lenders.operations.clone(),
            proxy: Some(Arc::new(ToolProxyService::new(proxy))),
            journal: Arc::new(RunStore::open(&home)),
            redactor: secrets::redactor(),
            learn: |found| secrets::learn(found),
            trace: telemetry.trace_link(),
            notices: company.watcher,
        };
        let engine = Engine::new(ports);
        Ok(Self { engine, guard, lenders, activity, _scratch: scratch })
    }

    /// Where its calls are kept, unless they are not.
    pub(crate) fn log(&self) -> Option<Arc<dyn ActivityLog>> {
        self.activity.clone().map(|store| store as Arc<dyn ActivityLog>)
    }

    /// The servers that steps may name.
    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.lenders.upstreams
    }

    /// Ends what is left of the run and seals the journal.
    pub(crate) async fn close(&self) {
        self.lenders.close().await;
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "not all that the run started could be ended");
        }
        wiring::seal(self.activity.as_deref());
    }
}

/// Enters what a run is given and nobody else may see.
fn learn(bundle: &Bundle, inputs: &[String], environment: &Environment) {
    let Bundle { project, settings, .. } = bundle;
    secrets::learn(settings.keys.iter().filter_map(|grant| environment.var(&grant.env)));
    secrets::learn(inputs);
    upstreams::learn(&settings.servers, environment);
    operations::learn(&project.plugins);
}

/// What binds all steps.
fn exposure(settings: &Settings) -> Exposure {
    Exposure {
        ceiling: settings.ceiling,
        unannotated: settings.intent.unannotated,
        ..Exposure::default()
    }
}
