//! Who calls over the REST API: the program by its `User-Agent`, the trace by its headers.

use awf_core::{ClientIdentity, TraceContext, shown};
use axum::http::{HeaderMap, header};

/// The first product of `User-Agent`: `curl/8.5.0` is curl, 8.5.0.
pub(super) fn client(headers: &HeaderMap) -> Option<ClientIdentity> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let product = text.split_whitespace().next()?;
    let (name, version) = product.split_once('/').unwrap_or((product, ""));
    Some(ClientIdentity { name: shown(name), version: shown(version) })
}

/// The trace the call belongs to, if it says so in good form.
pub(super) fn trace(headers: &HeaderMap) -> Option<TraceContext> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::to_owned);
    let trace = TraceContext { traceparent: text("traceparent")?, tracestate: text("tracestate") };
    trace.trace_id().is_some().then_some(trace)
}
