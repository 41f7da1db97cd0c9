//! All operations of one plugin as tools of a gateway: the plugin is started when somebody first asks for them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use awf_core::{ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource};
use tokio::sync::Mutex;

use crate::wiring::operations::Operations;

/// A plugin that may not be started yet.
pub(super) struct PluginSource {
    plugin: String,
    operations: Arc<Operations>,
    tools: Mutex<Option<Arc<dyn ToolProvider>>>,
    revision: AtomicU64,
}

impl PluginSource {
    pub(super) fn new(plugin: &str, operations: Arc<Operations>) -> Self {
        let (tools, revision) = (Mutex::default(), AtomicU64::new(0));
        Self { plugin: plugin.to_owned(), operations, tools, revision }
    }

    async fn opened(&self) -> Result<Arc<dyn ToolProvider>, ToolFailure> {
        // Held while it starts: all who ask at once share one start.
        let mut tools = self.tools.lock().await;
        if let Some(tools) = &*tools {
            return Ok(tools.clone());
        }
        let opened = self.operations.all_tools(&self.plugin).await;
        let opened = opened.map_err(|why| ToolFailure::Unavailable(why.reason))?;
        *tools = Some(opened.clone());
        self.revision.store(1, Ordering::Release);
        Ok(opened)
    }
}

#[async_trait]
impl ToolProvider for PluginSource {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        match self.tools.lock().await.clone() {
            Some(tools) => tools.tools().await,
            None => Ok(Vec::new()),
        }
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.opened().await?.call(call).await
    }

    /// Ends nothing: whoever opened the plugins ends them.
    async fn close(&self) {}

    fn source(&self) -> Option<ToolSource> {
        Some(ToolSource::Plugin(self.plugin.clone()))
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    async fn refresh(&self) -> Result<(), ToolFailure> {
        self.opened().await.map(drop)
    }
}
