//! The filters: a form that is sent as a query, so that what is looked at has an address.

use awf_core::{ActivityId, CallSurface, Operation, Status};
use maud::{Markup, html};

use crate::{
    api::activity::FILTERS,
    query::{Parameters, percent_encoded},
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
                @if is_any(given) { a href="/activity" { "Clear" } }
            }
        }
    }
}

/// Whether anything is left out by what is asked for.
pub(super) fn is_any(given: &Parameters) -> bool {
    FILTERS.iter().any(|name| given.text(name).is_some())
}

/// The same filters, from another place on.
pub(super) fn link(given: &Parameters, cursor: Option<ActivityId>) -> String {
    let kept = given.pairs().filter(|(name, _)| *name != "cursor");
    let cursor = cursor.map(|id| ("cursor", id.to_string()));
    let pairs: Vec<String> = kept
        .map(|(name, value)| (name, value.to_owned()))
        .chain(cursor)
        .map(|(name, value)| format!("{name}={}", percent_encoded(value.as_bytes())))
        .collect();
    match pairs.as_slice() {
        [] => "/activity".to_owned(),
        pairs => format!("/activity?{}", pairs.join("&")),
    }
}

fn text(given: &Parameters, name: &str, label: &str, example: &str) -> Markup {
    html! {
        label { span { (label) }
            input type="text" name=(name) value=(given.text(name).unwrap_or_default()) placeholder=(example)
                autocomplete="off" spellcheck="false"; }
    }
}

fn choice(given: &Parameters, name: &str, label: &str, words: &[&str]) -> Markup {
    let chosen = given.text(name).unwrap_or_default();
    html! {
        label { span { (label) }
            select name=(name) {
                option value="" { "any" }
                // What was asked for and is none of these is shown as well, or it could not be seen to be wrong.
                @if !chosen.is_empty() && !words.contains(&chosen) {
                    option value=(chosen) selected { (chosen) }
                }
                @for word in words { option value=(word) selected[chosen == *word] { (word) } }
            }
        }
    }
}
