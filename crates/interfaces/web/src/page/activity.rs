//! Activity: calls as a table with a filter for each column, and one call in full.

use std::sync::Arc;

use awf_core::{ActivityId, ActivityPage, ActivityRecord, Operation};
use axum::{
    extract::{Path, State},
    http::Uri,
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};

use crate::{
    api::activity::{self as api, Listed},
    house::House,
    page::{
        fields::is_any,
        layout::{Section, notice, page, problem},
        moment::time,
    },
    problem::Problem,
    query::Parameters,
};

mod filters;
mod pages;
pub(crate) mod record;

const PATH: &str = "/activity";

/// What a page shows: what was asked for, or why there is none of it.
pub(crate) async fn list(State(house): State<Arc<House>>, uri: Uri) -> Response {
    match listed(&house, &uri).await {
        Ok((given, found)) => {
            page(Section::Activity, "Activity", &table_page(&given, &found)).into_response()
        }
        Err(refused) if refused.status().as_u16() == 400 => {
            // What was typed stays, to be mended.
            let given = Parameters::any(&uri);
            let body = html! { (notice(refused.code(), refused.detail())) (filters::form(&given)) };
            (refused.status(), page(Section::Activity, "Activity", &body)).into_response()
        }
        Err(failed) => problem(Section::Activity, &failed),
    }
}

pub(crate) async fn show(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response {
    let found = async {
        Parameters::none(&uri)?;
        api::record(&house, &id).await
    };
    match found.await {
        Ok(found) => page(Section::Activity, "Call", &record::sheet(&found)).into_response(),
        Err(failed) => problem(Section::Activity, &failed),
    }
}

async fn listed(house: &House, uri: &Uri) -> Result<(Parameters, ActivityPage), Problem> {
    // A form sends every field, also those nobody filled in.
    let given = Parameters::read(uri, &[api::listing(), vec![pages::TRAIL]].concat())?.filled();
    pages::check(&given)?;
    let Listed { filter, log } = api::wanted(house, &given)?;
    let found = log.query(&filter).await.map_err(api::unreadable)?;
    Ok((given, found))
}

fn table_page(given: &Parameters, found: &ActivityPage) -> Markup {
    html! {
        @for damage in &found.damage {
            (notice("DAMAGED", &format!("{damage}. Run `awf activity verify`.")))
        }
        (filters::form(given))
        @if let Some(events) = filters::events(given) { (live(&events)) }
        div data-list {
            @if found.records.is_empty() {
                (empty(given))
            } @else {
                (table(&found.records))
            }
            nav .pages aria-label="Pages" {
                @if given.text("cursor").is_some() {
                    a rel="first" href=(pages::newest(given)) { "Newest" }
                    a rel="prev" href=(pages::newer(given)) { "Newer" }
                }
                @if let Some(next) = found.next {
                    a rel="next" href=(pages::older(given, next.0)) { "Older" }
                }
            }
        }
    }
}

/// What the script needs to keep the list up to date; without it, nothing is promised.
fn live(events: &str) -> Markup {
    html! {
        div .live data-events=(events) hidden {
            span .pulse aria-hidden="true" {}
            span role="status" data-news { "Live" }
            button type="button" data-pause aria-pressed="false" { "Pause" }
        }
    }
}

/// Nothing to show is told with what to do about it.
fn empty(given: &Parameters) -> Markup {
    html! {
        div .empty {
            @if is_any(given, &api::FILTERS) {
                p { "No call matches these filters." }
                p { a href="/activity" { "Show all calls" } }
            } @else {
                p { "No calls yet." }
                p { "Every tool call that goes through awf will stand here. To make a few: " code { "awf demo" } }
            }
        }
    }
}

/// All but the last.
const HEADINGS: [&str; 6] = ["ID", "Time (UTC)", "Server", "Tool", "Intent", "Status"];

fn table(records: &[ActivityRecord]) -> Markup {
    html! {
        div .scroll {
            table .records {
                thead { tr { @for heading in HEADINGS { th scope="col" { (heading) } } th .number scope="col" { "Duration" } } }
                tbody { @for record in records { (row(record)) } }
            }
        }
    }
}

fn row(record: &ActivityRecord) -> Markup {
    let started = &record.started;
    html! {
        tr data-row id=(started.id) {
            td data-label="ID" { a href=(address(started.id)) { code { (started.id) } } }
            td data-label="Time" { (time(started.at)) }
            td data-label="Server" { (started.server) }
            td data-label="Tool" { (started.tool) }
            td data-label="Intent" { (intent(started.intent.as_ref().map(|intent| intent.operation))) }
            td data-label="Status" { (status(record)) }
            td .number data-label="Duration" { (duration(record)) }
        }
    }
}

fn address(id: ActivityId) -> String {
    format!("/activity/{id}")
}

/// A sign and a word, never the sign alone.
pub(crate) fn intent(operation: Option<Operation>) -> Markup {
    let (outline, word) = match operation {
        // An open book, a pencil, a triangle: drawn, for not every machine has a font with them.
        Some(Operation::Read) => (
            "M8 3.5C6.5 2.4 4.4 2 2 2v10c2.4 0 4.5.4 6 1.5 1.5-1.1 3.6-1.5 6-1.5V2c-2.4 0-4.5.4-6 1.5zv10",
            "read",
        ),
        Some(Operation::Write) => {
            ("M2.5 13.5l.8-3.4 7.6-7.6 2.6 2.6-7.6 7.6zM9.3 4.1l2.6 2.6", "write")
        }
        Some(Operation::Destructive) => ("M8 2.2l6.4 11.3H1.6zM8 6.4v3.4M8 11.5v.4", "destructive"),
        None => ("", "–"),
    };
    html! {
        span class={ "intent " (word) } {
            @if !outline.is_empty() {
                svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" {
                    path d=(outline) fill="none" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round" {}
                }
                " "
            }
            (word)
        }
    }
}

pub(crate) fn status(record: &ActivityRecord) -> Markup {
    let word = record.status.as_str();
    html! { span class={ "status " (word) } { (word) } }
}

fn duration(record: &ActivityRecord) -> String {
    let ended = record.ended.as_ref();
    ended.map_or_else(|| "–".to_owned(), |ended| format!("{} ms", ended.duration_ms))
}
