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
        fields::{is_any, link},
        layout::{Section, notice, page, problem},
        moment::time,
    },
    problem::Problem,
    query::Parameters,
};

mod filters;
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
    let given = Parameters::read(uri, &api::listing())?.filled();
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
        @if found.records.is_empty() {
            (empty(given))
        } @else {
            (table(&found.records))
        }
        nav .pages aria-label="Pages" {
            @if given.text("cursor").is_some() {
                a rel="first" href=(link(PATH, given, None)) { "Newest" }
            }
            @if let Some(next) = found.next {
                a rel="next" href=(link(PATH, given, Some(&next.0.to_string()))) { "Older" }
            }
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

const HEADINGS: [&str; 7] = ["ID", "Time (UTC)", "Server", "Tool", "Intent", "Status", "Duration"];

fn table(records: &[ActivityRecord]) -> Markup {
    html! {
        div .scroll {
            table .records {
                thead { tr { @for heading in HEADINGS { th scope="col" { (heading) } } } }
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
    let (sign, word) = match operation {
        Some(Operation::Read) => ("📖", "read"),
        Some(Operation::Write) => ("✏️", "write"),
        Some(Operation::Destructive) => ("⚠️", "destructive"),
        None => ("", "–"),
    };
    html! { span class={ "intent " (word) } { span aria-hidden="true" { (sign) } " " (word) } }
}

pub(crate) fn status(record: &ActivityRecord) -> Markup {
    let word = record.status.as_str();
    html! { span class={ "status " (word) } { (word) } }
}

fn duration(record: &ActivityRecord) -> String {
    let ended = record.ended.as_ref();
    ended.map_or_else(|| "–".to_owned(), |ended| format!("{} ms", ended.duration_ms))
}
