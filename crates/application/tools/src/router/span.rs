//! The span of a call: its name, its attributes, and the trace it belongs to.

use awf_core::{CallIntent, CallSurface, ToolCall, TraceContext};
use tracing::{Span, field::Empty, info_span};

use crate::router::{Ports, judge::Judged};

/// How spans are tied to a trace. The binary fills it in; by default there is no trace beyond this process.
#[derive(Clone, Copy)]
pub struct TraceLink {
    /// Makes a span a child of the given context.
    pub adopt: fn(&Span, &TraceContext),
    /// Points from a span to another one that brought it about.
    pub point: fn(&Span, &TraceContext),
    /// The context of a span, for what is called from within it.
    pub current: fn(&Span) -> Option<TraceContext>,
}

impl Default for TraceLink {
    fn default() -> Self {
        Self { adopt: |_, _| {}, point: |_, _| {}, current: |_| None }
    }
}

impl TraceLink {
    /// What to hand on: the current span's context, else the caller's own.
    pub(super) fn current_or(self, callers: Option<TraceContext>) -> Option<TraceContext> {
        (self.current)(&Span::current()).or(callers)
    }
}

/// Opens the span of a call; costs nothing while no one listens.
pub(super) fn open(call: &ToolCall, judged: &Judged, ports: &Ports) -> Span {
    let span = info_span!(
        target: "awf::tool",
        "tool.call",
        otel.name = Empty,
        otel.kind = "internal",
        otel.status_code = Empty,
        tool.name = judged.label.tool,
        tool.source = judged.label.source,
        tool.duration_ms = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = judged.label.tool,
        mcp.method.name = Empty,
        awf.request.id = Empty,
        awf.run.id = call.context.run.as_deref(),
        awf.step.name = call.context.step.as_deref(),
        awf.intent.operation_type = judged.declaration.as_ref().map(|declaration| declaration.operation.as_str()),
        awf.tool.variant = Empty,
        error.type = Empty,
    );
    if span.is_disabled() {
        return span;
    }
    span.record("otel.name", format!("tool.call.{}", judged.label.tool));
    if call.context.surface == CallSurface::Mcp {
        span.record("mcp.method.name", "tools/call");
    }
    let id = ports.redactor.text(call.context.request_id.as_str());
    span.record("awf.request.id", &*id);
    if let CallIntent::Stated { variant, .. } = &call.intent {
        span.record("awf.tool.variant", variant.as_str());
    }
    if let Some(trace) = &call.context.trace {
        (ports.trace.adopt)(&span, trace);
    }
    if let Some(cause) = &call.context.cause {
        (ports.trace.point)(&span, cause);
    }
    span
}
