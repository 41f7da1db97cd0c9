//! One call in full: what was asked, for what, what was decided, what came back.

use awf_core::{ActivityRecord, Captured, Sensitivity, Variant};
use maud::{Markup, html};

use crate::page::{
    activity::{duration, intent, status},
    json::{pretty, texts},
    moment::time,
};

pub(super) fn sheet(record: &ActivityRecord) -> Markup {
    let (started, ended) = (&record.started, record.ended.as_ref());
    let response = ended.and_then(|ended| ended.response.as_ref());
    html! {
        p .lead { code { (started.server) ":" (started.tool) } " " (status(record)) " " (intent(started.intent.as_ref().map(|intent| intent.operation))) }
        @if let Some(error) = ended.and_then(|ended| ended.error.as_ref()) { p .notice { (error) } }
        div .columns {
            section aria-labelledby="about" { h2 #about { "Call" } (about(record)) }
            section aria-labelledby="judged" { h2 #judged { "Intent and decision" } (judged(record)) }
        }
        section aria-labelledby="asked" { h2 #asked { "Arguments" } (captured(&started.arguments)) }
        section aria-labelledby="came" {
            h2 #came { "Result" }
            @match response {
                Some(response) => (result(response)),
                None => p .quiet { "There is none." },
            }
        }
        p { a href="/activity" { "All calls" } }
    }
}

fn about(record: &ActivityRecord) -> Markup {
    let started = &record.started;
    let client = started.client.as_ref();
    html! {
        dl {
            dt { "ID" } dd { code { (started.id) } }
            dt { "Time" } dd { (time(started.at)) " UTC" }
            dt { "Duration" } dd { (duration(record)) }
            dt { "Source" } dd { (started.surface.as_str()) }
            @if let Some(client) = client { dt { "Client" } dd { (client.name) " " (client.version) } }
            @if let Some(run) = &started.run { dt { "Run" } dd { (run_link(run)) } }
            @if let Some(step) = &started.step { dt { "Step" } dd { (step) } }
            dt { "Request" } dd { code { (started.request_id) } }
            @if let Some(session) = &started.session { dt { "Session" } dd { code { (session) } } }
            @if let Some(trace) = &started.trace_id { dt { "Trace" } dd { code { (trace) } } }
        }
    }
}

/// The name of a run is ours, but it is read from a file.
fn run_link(run: &str) -> Markup {
    html! {
        @if run.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            a href={ "/runs/" (run) } { code { (run) } }
        } @else {
            code { (run) }
        }
    }
}

pub(crate) fn judged(record: &ActivityRecord) -> Markup {
    let started = &record.started;
    html! {
        dl {
            @match &started.intent {
                Some(declared) => {
                    dt { "Intent" } dd { (intent(Some(declared.operation))) " (" (declared.origin.as_str()) ")" }
                    dt { "Sensitivity" } dd { (declared.sensitivity.map_or("unknown", Sensitivity::as_str)) }
                    @if let Some(reason) = &declared.reason { dt { "Reason" } dd { (reason) } }
                }
                None => { dt { "Intent" } dd { "the declaration itself was refused" } }
            }
            @if let Some(variant) = started.variant { dt { "Variant" } dd { code { (Variant::as_str(variant)) } } }
            dt { "Decision" } dd {
                (started.outcome.as_str())
                @if let Some(code) = started.outcome.refusal() { " " code { (code.as_str()) } }
            }
            @for warning in &started.warnings {
                dt { "Warning" } dd { code { (warning.code) } " " (warning.message) }
            }
        }
    }
}

/// The texts of a result as they were meant to be read, and all of it.
pub(crate) fn result(response: &Captured) -> Markup {
    let texts = match response {
        Captured::Whole(raw) => texts(raw.get()),
        Captured::Cut { .. } => Vec::new(),
    };
    html! {
        @if texts.is_empty() {
            (captured(response))
        } @else {
            @for text in &texts { pre tabindex="0" { (text) } }
            details { summary { "As JSON" } (captured(response)) }
        }
    }
}

pub(crate) fn captured(captured: &Captured) -> Markup {
    html! {
        @match captured {
            Captured::Whole(raw) => pre tabindex="0" { (pretty(raw.get())) },
            Captured::Cut { head, full_bytes } => {
                pre tabindex="0" { (head) }
                p .quiet { "Cut: it had " (full_bytes) " bytes in all." }
            }
        }
    }
}
