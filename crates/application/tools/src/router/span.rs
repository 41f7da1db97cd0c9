//! The span of a call: its name, its attributes, and the trace it belongs to.

use awf_core::{CallIntent, CallSurface, Declaration, ToolCall, ToolDefinition, TraceContext};
use tracing::{Span, field::Empty, info_span};

/// How spans are tied to a trace. The binary fills it in; by default there is no trace beyond this process.
#[derive(Clone, Copy)]
pub struct TraceLink {
    /// Makes a span a child of the given context.
    pub adopt: fn(&Span, &TraceContext),
    /// The context of a span, for what is called from within it.
    pub current: fn(&Span) -> Option<TraceContext>,
}

impl Default for TraceLink {
    fn default() -> Self {
        Self { adopt: |_, _| {}, current: |_| None }
    }
}

impl TraceLink {
    /// What to hand on: the current span's context, else the caller's own.
    pub(super) fn current_or(self, callers: Option<TraceContext>) -> Option<TraceContext> {
        (self.current)(&Span::current()).or(callers)
    }
}

/// Opens the span of a call; costs nothing while no one listens.
pub(super) fn open(
    call: &ToolCall,
    tool: Option<&ToolDefinition>,
    declaration: Option<&Declaration>,
    link: TraceLink,
) -> Span {
    let span = info_span!(
        target: "awf::tool",
        "tool.call",
        otel.name = Empty,
        otel.kind = "internal",
        otel.status_code = Empty,
        tool.name = Empty,
        tool.source = Empty,
        tool.duration_ms = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = Empty,
        mcp.method.name = Empty,
        awf.run.id = call.context.run.as_deref(),
        awf.step.name = call.context.step.as_deref(),
        awf.intent.operation_type = declaration.map(|declaration| declaration.operation.as_str()),
        awf.tool.variant = Empty,
        error.type = Empty,
    );
    if span.is_disabled() {
        return span;
    }
    let name = tool.map_or_else(|| awf_core::shown(&call.name), |tool| tool.name().to_string());
    span.record("otel.name", format!("tool.call.{name}"));
    span.record("tool.name", &name);
    span.record("gen_ai.tool.name", &name);
    span.record("tool.source", source(tool));
    if call.context.surface == CallSurface::Mcp {
        span.record("mcp.method.name", "tools/call");
    }
    if let CallIntent::Stated { variant, .. } = &call.intent {
        span.record("awf.tool.variant", variant.as_str());
    }
    if let Some(trace) = &call.context.trace {
        (link.adopt)(&span, trace);
    }
    span
}

/// `builtin`, `plugin:<name>`, `mcp:<server>`, or `unknown` when the name leads nowhere.
pub(super) fn source(tool: Option<&ToolDefinition>) -> String {
    tool.map_or_else(|| "unknown".to_owned(), |tool| tool.source().to_string())
}
