//! The tools of a step: those of the servers and plugins it names, and the six built-ins, beneath the step's own directory
//! and with a guard of its own, so that what its Bash left running ends with the step.
//!
//! A workflow comes with a project, and who clones one does not take its word for what its agents may reach: the
//! directory and the roots of a step lie in the project or in what the user opened, links followed.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use awf_builtins::Builtins;
use awf_config::Settings;
use awf_core::{Ceiling, Exposure, ToolProvider, shown};
use awf_tools::{NoSource, SessionRequest, ToolSources};
use futures_util::future::try_join_all;

use crate::{
    environment::Environment,
    wiring::{BuiltinGround, operations::Operations, upstreams::Upstreams},
};

/// What all steps of a run share; it ends with the run.
#[derive(Clone)]
pub(super) struct Lenders {
    pub(super) upstreams: Arc<Upstreams>,
    pub(super) operations: Arc<Operations>,
}

impl Lenders {
    pub(super) async fn close(&self) {
        self.upstreams.close().await;
        self.operations.close().await;
    }
}

/// Gives steps their tools.
pub(super) struct StepTools {
    builtins: BuiltinGround,
    lenders: Lenders,
    /// What every step may reach.
    roots: Vec<PathBuf>,
    /// Within these lies all that a step may reach: the project, and what the user opened.
    open: Vec<PathBuf>,
}

impl StepTools {
    pub(super) fn new(
        settings: &Settings,
        project: &Path,
        environment: &Environment,
        home: &Path,
        lenders: Lenders,
    ) -> Self {
        Self {
            builtins: BuiltinGround::new(environment, home),
            lenders,
            roots: settings.roots.clone(),
            open: [project.to_owned()].into_iter().chain(settings.user_roots.clone()).collect(),
        }
    }

    /// Refuses a directory that leads out of what is open.
    fn confine(&self, key: &str, dir: &Path) -> Result<(), String> {
        let name = shown(&dir.display().to_string());
        let real = fs::canonicalize(dir)
            .map_err(|error| format!("cannot open `{name}`, which `{key}` names: {error}"))?;
        let open = self.open.iter().filter_map(|open| fs::canonicalize(open).ok());
        if open.into_iter().any(|open| real.starts_with(open)) {
            return Ok(());
        }
        Err(format!(
            "`{key}` leads to `{}`, outside the project; whoever wants that puts the directory into `tools.roots` of \
             the user's `config.yaml`",
            shown(&real.display().to_string())
        ))
    }

    /// The six tools, beneath the directory of the step.
    fn builtins(&self, request: &SessionRequest) -> Result<Arc<Builtins>, String> {
        self.confine("dir", &request.dir)?;
        let roots = self.roots.iter().chain(&request.roots).cloned().collect();
        let ground = self.builtins.with_env(&request.env);
        let builtins = ground.open(request.dir.clone(), roots, Vec::new());
        let builtins: Arc<Builtins> = builtins.map_err(|error| error.to_string())?;
        Ok(builtins)
    }
}

#[async_trait]
impl ToolSources for StepTools {
    async fn open(&self, request: &SessionRequest) -> Result<Vec<Arc<dyn ToolProvider>>, NoSource> {
        // Names are judged before anything is started.
        let ceiling = request.allow.map_or_else(Ceiling::default, Ceiling);
        let naming = request.surface.naming();
        let exposure = Exposure { ceiling, naming, ..Exposure::default() };
        self.lenders.operations.check(&request.proxy.plugin_tools, &request.servers, exposure)?;
        for root in self.roots.iter().chain(&request.roots) {
            self.confine("tools.roots", root)?;
        }
        // All at once: the slowest of them is waited for, not their sum.
        let servers = request.servers.iter().map(|server| self.lenders.upstreams.lend(server));
        let mut sources = try_join_all(servers).await?;
        let asked = request.proxy.plugin_tools.iter();
        let asked = asked.map(|asked| self.lenders.operations.tools(asked));
        sources.extend(try_join_all(asked).await?);
        if request.proxy.intercept_builtins {
            sources.push(self.builtins(request)?);
        }
        Ok(sources)
    }
}
