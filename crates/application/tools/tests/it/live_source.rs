//! A source whose tools come and go as a test tells it.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use awf_core::{ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource};
use serde_json::{Value, json};

use crate::fakes::definition;

/// What becomes of the next refresh.
#[derive(Clone)]
pub(crate) enum Next {
    /// The list stays, or becomes this one.
    List(Option<Vec<Arc<ToolDefinition>>>),
    Fail(ToolFailure),
    Hang,
}

/// Counts everything that reaches it.
pub(crate) struct LiveSource {
    source: ToolSource,
    tools: Mutex<Vec<Arc<ToolDefinition>>>,
    revision: AtomicU64,
    next: Mutex<Next>,
    pub(crate) refreshed: AtomicUsize,
    pub(crate) listed: AtomicUsize,
    pub(crate) calls: AtomicUsize,
}

impl LiveSource {
    /// A server that, once asked, has these tools.
    pub(crate) fn new(name: &str, tools: &[(&str, Value)]) -> Arc<Self> {
        let source = ToolSource::Mcp(name.into());
        let live = Self {
            source,
            tools: Mutex::default(),
            revision: AtomicU64::new(0),
            next: Mutex::new(Next::List(None)),
            refreshed: AtomicUsize::new(0),
            listed: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
        };
        live.will(Next::List(Some(live.defined(tools))));
        Arc::new(live)
    }

    pub(crate) fn reading(name: &str, tools: &[&str]) -> Arc<Self> {
        let tools: Vec<_> =
            tools.iter().map(|name| (*name, json!({"readOnlyHint": true}))).collect();
        Self::new(name, &tools)
    }

    pub(crate) fn defined(&self, tools: &[(&str, Value)]) -> Vec<Arc<ToolDefinition>> {
        tools.iter().map(|(name, hints)| definition(&self.source, name, hints)).collect()
    }

    pub(crate) fn will(&self, next: Next) {
        *self.next.lock().unwrap() = next;
    }

    /// As when the server says of itself that its list has changed.
    pub(crate) fn lists(&self, tools: Vec<Arc<ToolDefinition>>) {
        *self.tools.lock().unwrap() = tools;
        self.revision.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn count(counter: &AtomicUsize) -> usize {
        counter.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl ToolProvider for LiveSource {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        self.listed.fetch_add(1, Ordering::SeqCst);
        Ok(self.tools.lock().unwrap().clone())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Ok(ToolResult::text(&format!("{} got {}", call.name, call.arguments.get())))
    }

    async fn call_judged(
        &self,
        call: ToolCall,
        tool: &ToolDefinition,
    ) -> Result<ToolResult, ToolFailure> {
        let now = self.tools.lock().unwrap().iter().find(|now| now.name() == tool.name()).cloned();
        if now.is_none_or(|now| now.class() != tool.class()) {
            return Err(ToolFailure::Unavailable("it changed meanwhile".into()));
        }
        self.call(call).await
    }

    async fn close(&self) {}

    fn source(&self) -> Option<ToolSource> {
        Some(self.source.clone())
    }

    fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    async fn refresh(&self) -> Result<(), ToolFailure> {
        self.refreshed.fetch_add(1, Ordering::SeqCst);
        let next = std::mem::replace(&mut *self.next.lock().unwrap(), Next::List(None));
        match next {
            Next::List(None) => Ok(()),
            Next::List(Some(tools)) => {
                self.lists(tools);
                Ok(())
            }
            Next::Fail(failure) => {
                self.will(Next::Fail(failure.clone()));
                Err(failure)
            }
            Next::Hang => {
                self.will(Next::Hang);
                std::future::pending().await
            }
        }
    }
}
