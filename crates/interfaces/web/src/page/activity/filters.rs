//! The filters: a form that is sent as a query, so that what is looked at has an address.

use awf_core::{CallSurface, Operation, Status};
use maud::{Markup, html};

use crate::{
    api::activity::FILTERS,
    page::fields::{address, choice, is_any, text},
    query::Parameters,
};

/// The form, with what is asked for filled in.
pub(super) fn form(given: &Parameters) -> Markup {
    let more = ["server", "run", "step", "source", "since", "until", "request_id"];
    let opened = more.iter().any(|name| given.text(name).is_some());
    html! {
        form .filters method="get" action="/activity" role="search" aria-label="Filter calls" {
            (text(given, "tool", "Tool", ""))
            (choice(given, "intent_type", "Intent", &Operation::ALL.map(Operation::as_str)))
            (choice(given, "status", "Status", &Status::ALL.map(Status::as_str)))
            details open[opened] {
                summary { "More filters" }
                div .fields {
                    (text(given, "server", "Server", ""))
                    (choice(given, "source", "Source", &CallSurface::ALL.map(CallSurface::as_str)))
                    (text(given, "run", "Run", ""))
                    (text(given, "step", "Step", ""))
                    (text(given, "since", "Since", "2h, or 2026-11-16T09:30:00Z"))
                    (text(given, "until", "Until", "15m, or 2026-11-16T09:30:00Z"))
                    (text(given, "request_id", "Request id", ""))
                }
            }
            div .actions {
                button .primary type="submit" { "Filter" }
                @if is_any(given, &FILTERS) { a href="/activity" { "Clear" } }
            }
        }
    }
}

/// Where calls are told that would be on this page when they are over. A page of older ones stays as it is, and so does
/// one of calls that are not over.
pub(super) fn events(given: &Parameters) -> Option<String> {
    let still = given.text("cursor").is_some() || given.text("status") == Some("started");
    let kept = given.pairs().filter(|(name, _)| FILTERS.contains(name));
    (!still).then(|| address("/api/v1/events", kept))
}
