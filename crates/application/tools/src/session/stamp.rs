//! A router whose calls all belong to one step, whoever makes them and by whatever way.

use std::sync::Arc;

use async_trait::async_trait;
use awf_core::{ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, TraceContext};

use crate::{router::ToolRouter, session::SessionRequest};

/// The router of one step.
pub(super) struct Stamped {
    router: ToolRouter,
    run: String,
    step: String,
    trace: Option<TraceContext>,
}

impl Stamped {
    pub(super) fn new(router: ToolRouter, request: &SessionRequest) -> Self {
        let SessionRequest { run, step, trace, .. } = request.clone();
        Self { router, run, step, trace }
    }
}

#[async_trait]
impl ToolProvider for Stamped {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        self.router.tools().await
    }

    async fn call(&self, mut call: ToolCall) -> Result<ToolResult, ToolFailure> {
        call.context.run = Some(self.run.clone());
        call.context.step = Some(self.step.clone());
        if call.context.trace.is_none() {
            call.context.trace.clone_from(&self.trace);
        }
        self.router.call(call).await
    }

    async fn close(&self) {
        self.router.close().await;
    }
}
