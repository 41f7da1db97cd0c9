//! The plugins of a project, started to be asked outside of a run.

use std::sync::Arc;

use awf_core::PluginCatalog;
use awf_process::{Grace, Guard};

use crate::{
    environment::Environment,
    report::CommandError,
    wiring::{
        last_will::LastWill,
        operations::{Operations, PluginGround},
    },
    workflows::Project,
};

/// Asks plugins what they are.
pub(crate) struct Probe {
    pub(crate) operations: Arc<Operations>,
    guard: Guard,
}

impl Probe {
    /// Starts nothing.
    pub(crate) fn open(
        project: &Project,
        catalog: &PluginCatalog,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let home = environment.awf_home()?;
        let will = LastWill { home, runtime_dirs: environment.socket_dirs() };
        let guard = will.guard(&environment.executable);
        let ground = PluginGround {
            dir: &project.path(environment),
            runtime_dirs: &will.runtime_dirs,
            guard: guard.clone(),
            environment,
        };
        let operations = Arc::new(Operations::new(catalog, ground)?);
        Ok(Self { operations, guard })
    }

    /// Ends what was started.
    pub(crate) async fn close(&self) {
        self.operations.close().await;
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "not all plugins could be ended");
        }
    }
}
