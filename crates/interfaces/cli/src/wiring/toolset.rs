//! Tools ready to be called: what a configuration file names, or all that this place has.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_config::{ServeConfig, Served};
use awf_core::{
    Code, IntentPolicy, Naming, Surface, ToolDefinition, ToolProvider as _, ToolSource, Variant,
    call_with,
};
use awf_tools::{IntentSurface, McpFront, ToolRouter};
use awf_web::View;

use crate::{
    cli::ToolsetArgs,
    environment::Environment,
    report::CommandError,
    telemetry::Telemetry,
    workflows::{self, Project},
};

mod shelf;

pub(crate) use shelf::Shelf;

/// Tools ready to be called, and what they stand on.
pub(crate) struct Toolset {
    /// Every call goes through it.
    pub(crate) router: Arc<ToolRouter>,
    /// How they are offered to an MCP client.
    pub(crate) surface: Surface,
    /// How declared intent is judged.
    pub(crate) policy: IntentPolicy,
    pub(crate) shelf: Arc<Shelf>,
}

/// What is wanted of the plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plugins {
    /// What the configuration names.
    Named,
    /// All that the project has, each when it is first needed.
    All,
}

/// What is put on a shelf.
struct Plan {
    config: ServeConfig,
    /// Where the configuration came from.
    file: Option<PathBuf>,
    plugins: Plugins,
    /// Where servers run that say nothing else.
    dir: PathBuf,
}

impl Toolset {
    /// What `--config` names, or all that this place has.
    pub(crate) async fn from_args(
        args: &ToolsetArgs,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        match &args.config {
            Some(file) => Self::from_file(file, environment, telemetry).await,
            None => Self::of_this_place(environment, telemetry).await,
        }
    }

    /// What a configuration file says.
    pub(crate) async fn from_file(
        file: &Path,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let (config, file) = Self::config(file, environment)?;
        Self::new(config, Some(file), environment, telemetry).await
    }

    /// Reads a configuration file; gives its whole path, too.
    pub(crate) fn config(
        file: &Path,
        environment: &Environment,
    ) -> Result<(ServeConfig, PathBuf), CommandError> {
        let file = environment.current_dir.join(file);
        match awf_config::load_served(&file)? {
            Served::Tools(config) => Ok((config, file)),
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
        let dir = shelf::root(&config, environment);
        let plan = Plan { config, file, plugins: Plugins::Named, dir };
        Self::of(plan, environment, telemetry).await
    }

    /// The built-ins beneath the working directory, and what the user and the project configured: all their plugins, all
    /// their servers.
    pub(crate) async fn of_this_place(
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let config = Self::config_of_this_place(environment)?;
        let dir = environment.current_dir.join(project_here(environment));
        let plan = Plan { config, file: None, plugins: Plugins::All, dir };
        Self::of(plan, environment, telemetry).await
    }

    /// What the user and the project configured.
    pub(crate) fn config_of_this_place(
        environment: &Environment,
    ) -> Result<ServeConfig, CommandError> {
        let settings = workflows::settings(&project_here(environment), environment)?;
        Ok(ServeConfig {
            surface: Surface::Intent,
            servers: settings.servers,
            roots: settings.roots,
            ceiling: settings.ceiling,
            intent: settings.intent,
            annotations_max_age: settings.annotations_max_age,
            activity: settings.activity,
            retention: settings.retention,
            ..ServeConfig::default()
        })
    }

    async fn of(
        plan: Plan,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let (surface, policy) = (plan.config.surface, plan.config.intent);
        let shelf = Shelf::fill(plan, environment, telemetry).await?;
        let router = Arc::new(shelf.router(&View::default(), surface.naming()).await?);
        Ok(Self { router, surface, policy, shelf: Arc::new(shelf) })
    }

    /// The tools as an MCP client sees them.
    pub(crate) async fn front(&self, environment: &Environment) -> Result<McpFront, CommandError> {
        let trace = environment.trace_context();
        match self.surface {
            Surface::Intent => Ok(McpFront::new(self.intent_surface().await?, trace).await?),
            Surface::Direct => {
                for (source, reason) in self.router.gather().await {
                    tracing::warn!(%source, reason, "a server has no tools for now");
                }
                Ok(McpFront::new(self.router.clone(), trace).await?)
            }
        }
    }

    /// The four tools that lead to all others. Those are called by address there, so that no two of them can be mistaken
    /// for each other by a name.
    pub(crate) async fn intent_surface(&self) -> Result<Arc<IntentSurface>, CommandError> {
        let router = self.shelf.router(&View::default(), Naming::ByAddress).await?;
        Ok(Arc::new(IntentSurface::new(Arc::new(router), self.policy)))
    }

    /// The variant a tool should be called with, under this configuration.
    pub(crate) fn call_with(&self, tool: &ToolDefinition) -> Variant {
        call_with(tool.class(), self.policy.unannotated)
    }

    /// Asks all sources for their tools; says of which there are none.
    pub(crate) async fn gather(&self) -> Vec<(ToolSource, String)> {
        self.router.gather().await
    }

    /// Ends what the tools started and seals the journal.
    pub(crate) async fn close(&self) {
        self.router.close().await;
        self.shelf.close().await;
    }
}

/// The directory of the project that is worked in.
pub(crate) fn project_here(environment: &Environment) -> PathBuf {
    Project::dir_of(&environment.current_dir.join("any"), environment)
}
