//! The only place that names every adapter: from a configuration to a router that works.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_builtins::{BuiltinError, BuiltinSettings, Builtins, ShellSettings};
use awf_config::{ActivitySetting, ServeConfig};
use awf_core::{
    ActivityLog, Code, Exposure, Redactor, ToolDefinition, ToolProvider as _, TwoKeyValidator,
    Variant, call_with,
};
use awf_process::{Guard, GuardCommand};
use awf_store::{ActivityStore, Durability};
use awf_tools::{Ports, ToolRouter};

use crate::{
    cli::ToolsetArgs, environment::Environment, report::CommandError, telemetry::Telemetry,
};

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
        let config = awf_config::load_serve_config(&file)?;
        Self::new(config, Some(file), environment, telemetry).await
    }

    async fn new(
        config: ServeConfig,
        file: Option<PathBuf>,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let home = environment.awf_home()?;
        let store = match config.activity {
            ActivitySetting::Off => None,
            ActivitySetting::Process => {
                Some(Arc::new(ActivityStore::open(&home, Durability::Process)))
            }
            ActivitySetting::Power => Some(Arc::new(ActivityStore::open(&home, Durability::Power))),
        };
        // An agent that could write these would judge itself at the next start.
        let own = file.into_iter().chain([home.clone()]).collect();
        let builtins = builtins(&config, environment, home.join("background"), own)?;
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
        if let Some(Err(error)) = self.store.as_ref().map(|store| store.close()) {
            tracing::warn!(%error, "the activity journal could not be sealed");
        }
    }
}

/// The six built-in tools; their shell runs under a guard of its own.
fn builtins(
    config: &ServeConfig,
    environment: &Environment,
    log_dir: PathBuf,
    protected: Vec<PathBuf>,
) -> Result<Arc<Builtins>, CommandError> {
    let at = |path: &Path| environment.current_dir.join(path);
    let guard =
        GuardCommand { program: environment.executable.clone(), args: vec![GUARD_WORD.into()] };
    let settings = BuiltinSettings {
        root: at(config.root.as_deref().unwrap_or(Path::new(""))),
        extra_roots: config.roots.iter().map(|root| at(root)).collect(),
        shell: ShellSettings {
            program: environment.shell(),
            env: environment.for_shell(),
            log_dir,
        },
        protected,
        guard: Guard::new(guard),
    };
    let builtins = Builtins::new(settings);
    let unusable = |error: BuiltinError| {
        CommandError::of(Code::ConfigInvalid, error.to_string())
            .hinting("check `root` and `tools.roots`")
    };
    Ok(Arc::new(builtins.map_err(unusable)?))
}

/// The activity log, to be read.
pub(crate) fn activity_store(environment: &Environment) -> Result<ActivityStore, CommandError> {
    Ok(ActivityStore::open(&environment.awf_home()?, Durability::Process))
}
