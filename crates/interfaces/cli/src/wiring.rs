//! The only place that names every adapter: from a configuration to a router that works.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_builtins::{BuiltinError, BuiltinSettings, Builtins, ShellSettings};
use awf_config::{ActivitySetting, ServeConfig, Served};
use awf_core::{
    ActivityLog, Code, Exposure, Redactor, ToolDefinition, ToolProvider as _, TwoKeyValidator,
    Variant, call_with,
};
use awf_process::{Guard, GuardCommand};
use awf_store::{ActivityStore, Durability};
use awf_tools::{Ports, ToolRouter};

use crate::{
    cli::ToolsetArgs,
    environment::{Environment, is_withheld},
    report::CommandError,
    telemetry::Telemetry,
};

mod agents;
mod last_will;
mod openai;
mod scratch;
mod step_tools;
mod upstreams;
mod workshop;

pub(crate) use agents::installed;
pub(crate) use last_will::guard_main;
pub(crate) use workshop::{Company, Workshop};

/// The first argument that makes this executable the guard of another one's children.
pub(crate) const GUARD_WORD: &str = "__guard";

/// Tools ready to be called, and what they stand on.
pub(crate) struct Toolset {
    /// Every call goes through it.
    pub(crate) router: Arc<ToolRouter>,
    config: ServeConfig,
    store: Option<Arc<ActivityStore>>,
}

impl Toolset {
    /// What `--config` names, or the six built-ins beneath the working directory.
    pub(crate) async fn from_args(
        args: &ToolsetArgs,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        match &args.config {
            Some(file) => Self::from_file(file, environment, telemetry).await,
            None => Self::new(ServeConfig::default(), None, environment, telemetry).await,
        }
    }

    /// What a configuration file says.
    pub(crate) async fn from_file(
        file: &Path,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let file = environment.current_dir.join(file);
        match awf_config::load_served(&file)? {
            Served::Tools(config) => Self::new(config, Some(file), environment, telemetry).await,
            Served::Relay(_) => Err(CommandError::of(
                Code::ConfigUnsupported,
                "`socket` stands for the tools of a run under way, which only its agent may call",
            )
            .hinting("name a configuration without `socket`")),
        }
    }

    /// What a configuration means; `file` is where it came from.
    pub(crate) async fn new(
        config: ServeConfig,
        file: Option<PathBuf>,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let home = environment.awf_home()?;
        let store = activity(config.activity, &home);
        let at = |path: &Path| environment.current_dir.join(path);
        let root = at(config.root.as_deref().unwrap_or(Path::new("")));
        let roots = config.roots.iter().map(|root| at(root)).collect();
        // An agent that could write its own configuration would judge itself at the next start.
        let own = file.into_iter().collect();
        let builtins = BuiltinGround::new(environment, &home).open(root, roots, own);
        let builtins = builtins.map_err(|error| {
            CommandError::of(Code::ConfigInvalid, error.to_string())
                .hinting("check `root` and `tools.roots`")
        })?;
        let ports = Ports {
            validator: Arc::new(TwoKeyValidator::new(config.intent)),
            log: store.clone().map(|store| store as Arc<dyn ActivityLog>),
            redactor: Redactor::new(environment.secrets()),
            trace: telemetry.trace_link(),
        };
        let exposure = Exposure {
            ceiling: config.ceiling,
            unannotated: config.intent.unannotated,
            ..Exposure::default()
        };
        let router = ToolRouter::new(vec![builtins], exposure, ports).await?;
        Ok(Self { router: Arc::new(router), config, store })
    }

    /// The variant a tool should be called with, under this configuration.
    pub(crate) fn call_with(&self, tool: &ToolDefinition) -> Variant {
        call_with(tool.annotations().class(), self.config.intent.unannotated)
    }

    /// Ends what the tools started and seals the journal.
    pub(crate) async fn close(&self) {
        self.router.close().await;
        seal(self.store.as_deref());
    }
}

/// The activity log, unless it is switched off.
fn activity(setting: ActivitySetting, home: &Path) -> Option<Arc<ActivityStore>> {
    let durability = match setting {
        ActivitySetting::Off => return None,
        ActivitySetting::Process => Durability::Process,
        ActivitySetting::Power => Durability::Power,
    };
    Some(Arc::new(ActivityStore::open(home, durability)))
}

fn seal(store: Option<&ActivityStore>) {
    if let Some(Err(error)) = store.map(ActivityStore::close) {
        tracing::warn!(%error, "the activity journal could not be sealed");
    }
}

/// A guard for children: this same executable.
fn guard(executable: &Path) -> Guard {
    Guard::new(GuardCommand { program: executable.to_owned(), args: vec![GUARD_WORD.into()] })
}

/// What the built-in tools of all routers of this process have in common.
#[derive(Clone)]
struct BuiltinGround {
    executable: PathBuf,
    shell: OsString,
    env: Vec<(OsString, OsString)>,
    home: PathBuf,
}

impl BuiltinGround {
    fn new(environment: &Environment, home: &Path) -> Self {
        Self {
            executable: environment.executable.clone(),
            shell: environment.shell(),
            env: environment.for_shell(),
            home: home.to_owned(),
        }
    }

    /// The same with further variables for the shell; what is withheld stays so.
    fn with_env(&self, added: &[(OsString, OsString)]) -> Self {
        let mut env: BTreeMap<OsString, OsString> = self.env.iter().cloned().collect();
        env.extend(added.iter().filter(|(name, _)| !is_withheld(name)).cloned());
        Self { env: env.into_iter().collect(), ..self.clone() }
    }

    /// The six tools beneath `root`; their shell runs under a guard of its own. What is protected they do not write.
    fn open(
        &self,
        root: PathBuf,
        extra_roots: Vec<PathBuf>,
        protected: Vec<PathBuf>,
    ) -> Result<Arc<Builtins>, BuiltinError> {
        let settings = BuiltinSettings {
            root,
            extra_roots,
            shell: ShellSettings {
                program: self.shell.clone(),
                env: self.env.clone(),
                log_dir: self.home.join("background"),
            },
            protected: protected.into_iter().chain([self.home.clone()]).collect(),
            guard: guard(&self.executable),
        };
        Builtins::new(settings).map(Arc::new)
    }
}

/// The activity log, to be read.
pub(crate) fn activity_store(environment: &Environment) -> Result<ActivityStore, CommandError> {
    Ok(ActivityStore::open(&environment.awf_home()?, Durability::Process))
}
