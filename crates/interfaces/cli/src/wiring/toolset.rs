//! The tools of a configuration: the six built-ins, and the operations of plugins it names.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_config::{ServeConfig, Served};
use awf_core::{
    ActivityLog, Code, Exposure, Redactor, ToolDefinition, ToolProvider, TwoKeyValidator, Variant,
    call_with,
};
use awf_store::ActivityStore;
use awf_tools::{NoSource, Ports, ToolRouter};
use futures_util::future::try_join_all;

use crate::{
    cli::ToolsetArgs,
    environment::Environment,
    report::CommandError,
    telemetry::Telemetry,
    wiring::{BuiltinGround, activity, operations, probe::Probe, seal},
    workflows::Project,
};

/// Tools ready to be called, and what they stand on.
pub(crate) struct Toolset {
    /// Every call goes through it.
    pub(crate) router: Arc<ToolRouter>,
    config: ServeConfig,
    store: Option<Arc<ActivityStore>>,
    plugins: Option<Probe>,
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
        let mut redactor = Redactor::new(environment.secrets());
        let mut plugins = None;
        if !config.plugin_tools.is_empty() {
            let project = project(&config, environment)?;
            redactor = redactor.knowing(operations::secrets(&project.plugins));
            plugins = Some(Probe::open(&project, &project.plugins, environment)?);
        }
        let ports = Ports {
            validator: Arc::new(TwoKeyValidator::new(config.intent)),
            log: store.clone().map(|store| store as Arc<dyn ActivityLog>),
            redactor,
            trace: telemetry.trace_link(),
        };
        let exposure = Exposure {
            ceiling: config.ceiling,
            unannotated: config.intent.unannotated,
            ..Exposure::default()
        };
        let sources = sources(&config, file, plugins.as_ref(), environment).await?;
        let router = ToolRouter::new(sources, exposure, ports).await?;
        Ok(Self { router: Arc::new(router), config, store, plugins })
    }

    /// The variant a tool should be called with, under this configuration.
    pub(crate) fn call_with(&self, tool: &ToolDefinition) -> Variant {
        call_with(tool.class(), self.config.intent.unannotated)
    }

    /// Ends what the tools started and seals the journal.
    pub(crate) async fn close(&self) {
        self.router.close().await;
        if let Some(plugins) = &self.plugins {
            plugins.close().await;
        }
        seal(self.store.as_deref());
    }
}

/// Where the tools work.
fn root(config: &ServeConfig, environment: &Environment) -> PathBuf {
    environment.current_dir.join(config.root.as_deref().unwrap_or(Path::new("")))
}

/// The project whose plugins are meant: that of the root.
fn project(config: &ServeConfig, environment: &Environment) -> Result<Project, CommandError> {
    let file = root(config, environment).join("any");
    Project::open(Project::dir_of(&file, environment), environment).sound()
}

/// What the router leads to. Names are judged before a plugin is started.
async fn sources(
    config: &ServeConfig,
    file: Option<PathBuf>,
    plugins: Option<&Probe>,
    environment: &Environment,
) -> Result<Vec<Arc<dyn ToolProvider>>, CommandError> {
    let mut sources: Vec<Arc<dyn ToolProvider>> = Vec::new();
    if config.builtins {
        sources.push(builtins(config, file, environment)?);
    }
    let Some(plugins) = plugins else { return Ok(sources) };
    let operations = &plugins.operations;
    let refused = |why: NoSource| CommandError::of(why.code, why.reason);
    operations.check(&config.plugin_tools, &[], config.ceiling).map_err(refused)?;
    // All at once: whoever waits for the server has little patience.
    let asked = config.plugin_tools.iter().map(|asked| operations.tools(asked));
    sources.extend(try_join_all(asked).await.map_err(refused)?);
    Ok(sources)
}

fn builtins(
    config: &ServeConfig,
    file: Option<PathBuf>,
    environment: &Environment,
) -> Result<Arc<dyn ToolProvider>, CommandError> {
    let home = environment.awf_home()?;
    let roots = config.roots.iter().map(|root| environment.current_dir.join(root)).collect();
    // An agent that could write its own configuration would judge itself at the next start.
    let own = file.into_iter().collect();
    let ground = BuiltinGround::new(environment, &home);
    let builtins = ground.open(root(config, environment), roots, own).map_err(|error| {
        CommandError::of(Code::ConfigInvalid, error.to_string())
            .hinting("check `root` and `tools.roots`")
    })?;
    Ok(builtins)
}
