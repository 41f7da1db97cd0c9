//! Providers and a log that do what a test tells them.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use awf_core::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityLog, ActivityNews, ActivityPage,
    ActivitySummary, CallContext, CallIntent, CallSurface, Operation, Place, RawJson, Statement,
    ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource, Variant,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A source with four tools: `look` (read-only), `wipe` (destructive), `panic` and `stuck`.
pub(crate) struct FakeProvider {
    source: ToolSource,
    pub(crate) calls: AtomicUsize,
    pub(crate) closed: AtomicUsize,
}

impl FakeProvider {
    pub(crate) fn new(source: ToolSource) -> Arc<Self> {
        Arc::new(Self { source, calls: AtomicUsize::new(0), closed: AtomicUsize::new(0) })
    }
}

pub(crate) fn definition(
    source: &ToolSource,
    name: &str,
    annotations: &Value,
) -> Arc<ToolDefinition> {
    let raw = json!({"name": name, "inputSchema": {"type": "object"}, "annotations": annotations, "x-vendor": 1});
    Arc::new(ToolDefinition::from_raw(source.clone(), raw.into()).unwrap())
}

#[async_trait]
impl ToolProvider for FakeProvider {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(vec![
            definition(&self.source, "look", &json!({"readOnlyHint": true})),
            definition(&self.source, "wipe", &json!({"destructiveHint": true})),
            definition(&self.source, "panic", &json!({"readOnlyHint": true})),
            definition(&self.source, "stuck", &json!({"readOnlyHint": true})),
        ])
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        match call.name.as_str() {
            "stuck" => {
                call.cancel.cancelled().await;
                Err(ToolFailure::Cancelled)
            }
            "panic" => panic!("the tool fell over"),
            "look" if call.cancel.is_cancelled() => Err(ToolFailure::Cancelled),
            name => Ok(ToolResult::text(&format!("{name} got {}", call.arguments.get()))),
        }
    }

    async fn close(&self) {
        self.closed.fetch_add(1, Ordering::SeqCst);
    }
}

/// Keeps events in memory; refuses them while told to.
#[derive(Default)]
pub(crate) struct FakeLog {
    pub(crate) events: Mutex<Vec<ActivityEvent>>,
    pub(crate) broken: AtomicBool,
}

#[async_trait]
impl ActivityLog for FakeLog {
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(ActivityError::Write { place: "memory".into(), reason: "told to".into() });
        }
        self.events.lock().unwrap().push(event.clone());
        Ok(())
    }

    async fn query(&self, _: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        Err(unasked())
    }

    async fn summary(&self, _: &ActivityFilter) -> Result<ActivitySummary, ActivityError> {
        Err(unasked())
    }

    async fn news(
        &self,
        _: &ActivityFilter,
        _: Option<Place>,
    ) -> Result<ActivityNews, ActivityError> {
        Err(unasked())
    }
}

pub(crate) fn unasked() -> ActivityError {
    ActivityError::Read { place: "memory".into(), reason: "nobody asks in these tests".into() }
}

/// A call by name, as an agent makes it.
pub(crate) fn direct(name: &str) -> ToolCall {
    ToolCall {
        name: name.to_owned(),
        arguments: RawJson::parse(r#"{"n":12345678901234567890123}"#).unwrap(),
        intent: CallIntent::Direct,
        context: CallContext::new(CallSurface::Mcp),
        cancel: CancellationToken::new(),
    }
}

/// A call through a variant, with `nested` as its intent.
pub(crate) fn stated(operation: Operation, name: &str, nested: &Value) -> ToolCall {
    let statement = Statement { nested: Some(nested.clone().into()), ..Statement::default() };
    let intent = CallIntent::Stated { variant: Variant(operation), statement: Box::new(statement) };
    ToolCall { intent, ..direct(name) }
}
