//! Runs: a table with filters, newest first.

use std::sync::Arc;

use awf_core::{RunStatus, Stretch, Timeline, elapsed};
use axum::{
    extract::State,
    http::Uri,
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};

use crate::{
    api::runs::{self as api, RunPage},
    house::House,
    page::{
        fields::{choice, is_any, link, text},
        layout::{Section, notice, page, problem},
        moment::time,
        run::{lost, run_status},
    },
    problem::Problem,
    query::Parameters,
    reading::RunRow,
};

const PATH: &str = "/runs";
const HEADINGS: [&str; 4] = ["Status", "Workflow", "Run", "Began (UTC)"];
const NUMBERS: [&str; 4] = ["Duration", "Steps", "Calls", "Denied"];

pub(crate) async fn list(State(house): State<Arc<House>>, uri: Uri) -> Response {
    match listed(&house, &uri).await {
        Ok((given, found)) => page(Section::Runs, "Runs", &body(&given, &found)).into_response(),
        Err(refused) if refused.status().as_u16() == 400 => {
            // What was typed stays, to be mended.
            let given = Parameters::any(&uri);
            let body = html! { (notice(refused.code(), refused.detail())) (form(&given)) };
            (refused.status(), page(Section::Runs, "Runs", &body)).into_response()
        }
        Err(failed) => problem(Section::Runs, &failed),
    }
}

async fn listed(house: &House, uri: &Uri) -> Result<(Parameters, RunPage), Problem> {
    // A form sends every field, also those nobody filled in.
    let given = Parameters::read(uri, &api::parameters())?.filled();
    let found = api::page(house, &given).await?;
    Ok((given, found))
}

fn body(given: &Parameters, found: &RunPage) -> Markup {
    html! {
        (form(given))
        @if found.rows.is_empty() { (empty(given)) } @else { (table(&found.rows)) }
        nav .pages aria-label="Pages" {
            @if given.text("cursor").is_some() { a rel="first" href=(link(PATH, given, None)) { "Newest" } }
            @if let Some(next) = found.next {
                a rel="next" href=(link(PATH, given, Some(&next.to_string()))) { "Older" }
            }
        }
    }
}

fn form(given: &Parameters) -> Markup {
    html! {
        form .filters method="get" action=(PATH) role="search" aria-label="Filter runs" {
            (text(given, "workflow", "Workflow", ""))
            (choice(given, "status", "Status", &RunStatus::ALL.map(RunStatus::as_str)))
            (text(given, "since", "Since", "2h, or 2026-11-16T09:30:00Z"))
            (text(given, "until", "Until", "15m, or 2026-11-16T09:30:00Z"))
            div .actions {
                button .primary type="submit" { "Filter" }
                @if is_any(given, &api::FILTERS) { a href=(PATH) { "Clear" } }
            }
        }
    }
}

/// Nothing to show is told with what to do about it.
fn empty(given: &Parameters) -> Markup {
    html! {
        div .empty {
            @if is_any(given, &api::FILTERS) {
                p { "No run matches these filters." }
                p { a href=(PATH) { "Show all runs" } }
            } @else {
                p { "No runs yet." }
                p { "Run a workflow with " code { "awf run <workflow>" } ", or see one at work with " code { "awf demo" } "." }
            }
        }
    }
}

fn table(rows: &[RunRow]) -> Markup {
    html! {
        div .scroll {
            table .records {
                thead { tr {
                    @for heading in HEADINGS { th scope="col" { (heading) } }
                    @for heading in NUMBERS { th .number scope="col" { (heading) } }
                } }
                tbody { @for row in rows { (line(row)) } }
            }
        }
    }
}

fn line(row: &RunRow) -> Markup {
    let (run, timeline) = (&row.summary, row.timeline());
    let until = timeline.as_ref().map(|timeline| timeline.until).or(run.ended);
    let length = until.map(|until| elapsed(Stretch { began: run.began, until }.length()));
    let number =
        |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
    let calls = timeline.as_ref().map(Timeline::calls);
    let steps = timeline.as_ref().map(|timeline| timeline.steps.len() as u64);
    html! {
        tr data-row id=(run.id) {
            td data-label="Status" {
                (run_status(run.status))
                @if let Some(loss) = row.loss() { " " span .trouble title=(lost(loss)) { "damaged" } }
            }
            td data-label="Workflow" { (run.workflow) }
            td data-label="Run" { a href={ (PATH) "/" (run.id) } { code { (run.id) } } }
            td data-label="Began" { (time(run.began)) }
            td .number data-label="Duration" { (length.unwrap_or_else(|| "–".to_owned())) }
            td .number data-label="Steps" { (number(steps)) }
            td .number data-label="Calls" { (number(calls.map(|calls| calls.made))) }
            td .number data-label="Denied" { (number(calls.map(|calls| calls.denied))) }
        }
    }
}
