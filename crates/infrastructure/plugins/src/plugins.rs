//! The plugins of one run, behind the port.

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use awf_core::{
    OperationCall, OperationFailure, OperationProvider, OperationResult, OperationSchema, RawJson,
    StepTypeCall, StepTypeResult,
};
use awf_process::Guard;
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::{
    Inventory, Issue, PluginError, PluginSpec, call::Limit, greeting::Ground, running::Running,
    slot::Slot, validation,
};

/// How long a plugin may take until its handshake. One that looks for its host's services first takes 5 s for that.
const START: Duration = Duration::from_secs(15);

/// The plugins of one run. Each is started when it is first used, and once for all who use it.
pub struct Plugins {
    slots: Vec<Arc<Slot>>,
    ground: Arc<Ground>,
    closing: CancellationToken,
}

impl Plugins {
    /// Starts nothing. The directory is there, private, and its path is short.
    pub fn new(specs: Vec<PluginSpec>, guard: Guard, sockets: PathBuf) -> Self {
        let ground = Ground { guard, sockets, start_limit: START };
        Self {
            slots: specs.into_iter().map(Slot::new).collect(),
            ground: Arc::new(ground),
            closing: CancellationToken::new(),
        }
    }

    /// The same plugins, with another limit for each to give its handshake, and then to be ready.
    #[must_use]
    pub fn with_start_limit(mut self, start_limit: Duration) -> Self {
        let Ground { guard, sockets, .. } = self.ground.as_ref();
        let (guard, sockets) = (guard.clone(), sockets.clone());
        self.ground = Arc::new(Ground { guard, sockets, start_limit });
        self
    }

    /// What a plugin says it is and has.
    pub async fn inventory(&self, plugin: &str) -> Result<Inventory, PluginError> {
        self.running(plugin).await?.inventory().await
    }

    /// What a plugin finds wrong with a workflow and with these of its steps.
    pub async fn validate(
        &self,
        plugin: &str,
        workflow: &RawJson,
        steps: &[String],
    ) -> Result<Vec<Issue>, PluginError> {
        let running = self.running(plugin).await?;
        validation::validate(&running, workflow, steps).await
    }

    /// Ends all of them, at once, for good.
    pub async fn close(&self) {
        self.closing.cancel();
        join_all(self.slots.iter().map(|slot| slot.close())).await;
    }

    async fn running(&self, plugin: &str) -> Result<Arc<Running>, PluginError> {
        let slot = self.slots.iter().find(|slot| slot.spec.name == plugin);
        let unknown = || PluginError::UnknownPlugin { plugin: plugin.to_owned() };
        slot.ok_or_else(unknown)?.running(&self.ground, &self.closing).await
    }
}

impl Drop for Plugins {
    fn drop(&mut self) {
        // Whatever is starting holds its place; it lets go when it hears this.
        self.closing.cancel();
    }
}

#[async_trait]
impl OperationProvider for Plugins {
    async fn operations(&self, plugin: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        let running = self.running(plugin).await?;
        let limit = Limit::new(running.spec().timeout);
        Ok(running.operations(limit).await?.to_vec())
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        let executed = async { self.running(&call.plugin).await?.execute(&call).await };
        wanted(&call.cancel, executed).await
    }

    async fn execute_step(&self, call: StepTypeCall) -> Result<StepTypeResult, OperationFailure> {
        let executed = async { self.running(&call.plugin).await?.execute_step(&call).await };
        wanted(&call.cancel, executed).await
    }
}

/// The answer, as long as somebody wants it.
async fn wanted<T>(
    cancel: &CancellationToken,
    answer: impl Future<Output = Result<T, PluginError>>,
) -> Result<T, OperationFailure> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(OperationFailure::Cancelled),
        answer = answer => answer.map_err(OperationFailure::from),
    }
}
