//! A router whose calls all belong to one step, whoever makes them and by whatever way.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use awf_core::{
    CallContext, CallSurface, ClientIdentity, OwnToolUse, ToolCall, ToolDefinition, ToolFailure,
    ToolProvider, ToolResult, TraceContext,
};

use crate::{router::ToolRouter, session::SessionRequest};

/// The router of one step.
pub(super) struct Stamped {
    router: Arc<ToolRouter>,
    /// The way the step sees it.
    surface: Arc<dyn ToolProvider>,
    run: String,
    step: String,
    trace: Option<TraceContext>,
    /// The turn of the agent that is under way.
    cause: Mutex<Option<TraceContext>>,
}

impl Stamped {
    pub(super) fn new(
        router: Arc<ToolRouter>,
        surface: Arc<dyn ToolProvider>,
        request: &SessionRequest,
    ) -> Self {
        let SessionRequest { run, step, trace, .. } = request.clone();
        Self { router, surface, run, step, trace, cause: Mutex::default() }
    }

    /// From now on calls are brought about by `cause`.
    pub(super) fn caused_by(&self, cause: Option<TraceContext>) {
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner) = cause;
    }

    /// Puts on record that `agent` used a tool of its own.
    pub(super) async fn bypassed(&self, agent: &str, seen: OwnToolUse) {
        let mut context = CallContext::new(CallSurface::Workflow);
        self.stamp(&mut context);
        self.router.bypassed(agent, seen, context).await;
    }

    fn stamp(&self, context: &mut CallContext) {
        context.run = Some(self.run.clone());
        context.step = Some(self.step.clone());
        let cause = self.cause.lock().unwrap_or_else(PoisonError::into_inner);
        context.cause.clone_from(&cause);
        if context.trace.is_none() {
            context.trace.clone_from(&self.trace);
        }
    }
}

#[async_trait]
impl ToolProvider for Stamped {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        self.surface.tools().await
    }

    async fn call(&self, mut call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.stamp(&mut call.context);
        self.surface.call(call).await
    }

    async fn close(&self) {
        self.surface.close().await;
    }

    fn revision(&self) -> u64 {
        self.surface.revision()
    }

    async fn tools_for(
        &self,
        client: Option<&ClientIdentity>,
    ) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        self.surface.tools_for(client).await
    }

    fn unknown(&self, name: &str) -> String {
        self.surface.unknown(name)
    }
}
