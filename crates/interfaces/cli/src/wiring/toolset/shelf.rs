//! Where tools come from, and what every router over them stands on. One shelf serves many routers: each client may be
//! shown less of it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_config::ServeConfig;
use awf_core::{
    ActivityLog, Ceiling, Code, Exposure, IntentPolicy, Naming, Redactor, ToolFailure,
    ToolProvider, TwoKeyValidator,
};
use awf_process::{Grace, Guard};
use awf_store::ActivityStore;
use awf_tools::{NoSource, Ports, ToolRouter, TraceLink};
use awf_web::View;
use futures_util::future::try_join_all;

use super::{Plan, Plugins};
use crate::{
    environment::Environment,
    report::CommandError,
    secrets,
    telemetry::Telemetry,
    wiring::{
        BuiltinGround, activity, guard,
        plugin_source::PluginSource,
        probe::Probe,
        seal,
        upstreams::{self, UpstreamGround, Upstreams},
    },
    workflows::Project,
};

/// The sources of tools of one process.
pub(crate) struct Shelf {
    /// By what stands before the colon.
    sources: Vec<(String, Arc<dyn ToolProvider>)>,
    intent: IntentPolicy,
    ceiling: Ceiling,
    redactor: Redactor,
    trace: TraceLink,
    store: Option<Arc<ActivityStore>>,
    plugins: Option<Probe>,
    upstreams: Upstreams,
    guard: Guard,
}

impl Shelf {
    /// Starts only the plugins that a configuration names; their names are judged first.
    pub(super) async fn fill(
        plan: Plan,
        environment: &Environment,
        telemetry: &Telemetry,
    ) -> Result<Self, CommandError> {
        let config = &plan.config;
        let home = environment.awf_home()?;
        // Before anything is started that is told what all of them may not repeat.
        upstreams::learn(&config.servers, environment);
        let mut plugins = None;
        if plan.plugins == Plugins::All || !config.plugin_tools.is_empty() {
            let project = project(config, environment)?;
            plugins = Some(Probe::open(&project, &project.plugins, environment)?);
        }
        let guard = guard(&environment.executable);
        let ground = UpstreamGround {
            dir: &plan.dir,
            home: &home,
            guard: guard.clone(),
            max_age: config.annotations_max_age,
            unannotated: config.intent.unannotated,
            environment,
        };
        let mut shelf = Self {
            sources: Vec::new(),
            intent: config.intent,
            ceiling: config.ceiling,
            redactor: secrets::redactor(),
            trace: telemetry.trace_link(),
            store: activity(config.activity, config.retention, &home),
            plugins,
            upstreams: Upstreams::new(&config.servers, ground),
            guard,
        };
        shelf.stock(plan, environment).await?;
        Ok(shelf)
    }

    /// A router over what is left when a client is shown less.
    pub(crate) async fn router(
        &self,
        view: &View,
        naming: Naming,
    ) -> Result<ToolRouter, CommandError> {
        let wanted = |name: &String| match &view.servers {
            Some(servers) => servers.contains(name),
            None => true,
        };
        let sources = self.sources.iter().filter(|(name, _)| wanted(name));
        let sources = sources.map(|(_, source)| source.clone()).collect();
        let ceiling = view.allow.map_or(self.ceiling, |allow| Ceiling(allow.min(self.ceiling.0)));
        let unannotated = self.intent.unannotated;
        let exposure = Exposure { ceiling, unannotated, naming, ..Exposure::default() };
        let ports = Ports {
            validator: Arc::new(TwoKeyValidator::new(self.intent)),
            log: self.log(),
            redactor: self.redactor.clone(),
            trace: self.trace,
        };
        Ok(ToolRouter::new(sources, exposure, ports).await?)
    }

    /// What stands before the colon of the names of its tools.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|(name, _)| name.as_str())
    }

    /// Why a call of `server:tool` failed, with what to look at where a server is to blame.
    pub(crate) fn blamed(&self, tool: &str, failure: ToolFailure) -> CommandError {
        let server = tool.split_once(':').map_or("", |(server, _)| server);
        self.upstreams.blamed_call(server, failure)
    }

    /// Its MCP servers.
    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.upstreams
    }

    /// The activity log, unless it is switched off.
    pub(crate) fn log(&self) -> Option<Arc<dyn ActivityLog>> {
        self.store.clone().map(|store| store as Arc<dyn ActivityLog>)
    }

    /// Starts what servers are started by, if there are any, while the client is still about to ask.
    pub(crate) fn prepare(&self) {
        if self.upstreams.have_programs()
            && let Err(error) = self.guard.prepare()
        {
            tracing::debug!(%error, "the first server will try again");
        }
    }

    /// Ends what was started and seals the journal.
    pub(crate) async fn close(&self) {
        self.upstreams.close().await;
        if let Some(plugins) = &self.plugins {
            plugins.close().await;
        }
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "not all servers could be ended");
        }
        seal(self.store.as_deref());
    }

    async fn stock(&mut self, plan: Plan, environment: &Environment) -> Result<(), CommandError> {
        let Plan { config, file, plugins, dir: _ } = plan;
        if config.builtins {
            let builtins = builtins(&config, file, environment)?;
            self.sources.push(("builtin".to_owned(), builtins));
        }
        match plugins {
            Plugins::Named => self.name_plugins(&config).await?,
            Plugins::All => self.all_plugins(),
        }
        self.sources.extend(self.upstreams.all());
        Ok(())
    }

    /// Names are judged before a plugin is started.
    async fn name_plugins(&mut self, config: &ServeConfig) -> Result<(), CommandError> {
        let Some(plugins) = &self.plugins else { return Ok(()) };
        let operations = &plugins.operations;
        let refused = |why: NoSource| CommandError::of(why.code, why.reason);
        let servers: Vec<String> =
            config.servers.iter().map(|server| server.name.clone()).collect();
        let (ceiling, naming) = (config.ceiling, config.surface.naming());
        let exposure = Exposure { ceiling, naming, ..Exposure::default() };
        operations.check(&config.plugin_tools, &servers, exposure).map_err(refused)?;
        // All at once: whoever waits for the server has little patience.
        let asked = config.plugin_tools.iter().map(|asked| operations.tools(asked));
        let tools = try_join_all(asked).await.map_err(refused)?;
        let names = config.plugin_tools.iter().map(|asked| asked.plugin.value.clone());
        self.sources.extend(names.zip(tools));
        Ok(())
    }

    fn all_plugins(&mut self) {
        let Some(plugins) = &self.plugins else { return };
        let operations = &plugins.operations;
        let lazy = operations.names().map(|name| {
            let source = PluginSource::new(name, operations.clone());
            (name.to_owned(), Arc::new(source) as Arc<dyn ToolProvider>)
        });
        self.sources.extend(lazy);
    }
}

/// Where the tools work.
pub(super) fn root(config: &ServeConfig, environment: &Environment) -> PathBuf {
    environment.current_dir.join(config.root.as_deref().unwrap_or(Path::new("")))
}

/// The project whose plugins are meant: that of the root.
fn project(config: &ServeConfig, environment: &Environment) -> Result<Project, CommandError> {
    let file = root(config, environment).join("any");
    Project::open(Project::dir_of(&file, environment), environment).sound()
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
