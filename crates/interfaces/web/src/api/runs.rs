//! `GET /api/v1/runs…`: the runs there were, and one of them as it went.

use std::{sync::Arc, time::SystemTime};

use awf_core::{
    PAGE_DEFAULT, PAGE_MAX, RunId, RunJournalError, RunStatus, RunSummary, RunsDocument, one_of,
    parse_moment, shown,
};
use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
    http::{StatusCode, Uri},
    response::{IntoResponse as _, Response},
};

use crate::{
    house::House,
    openapi::{
        parameters::{Paging, Runs},
        run_schema,
    },
    problem::Problem,
    query::{Parameters, segment},
    reading::{RunReading, RunRow},
};

/// What runs are found by.
pub(crate) const FILTERS: [&str; 4] = ["workflow", "status", "since", "until"];
const PAGING: [&str; 2] = ["limit", "cursor"];

/// Which runs are asked for. An absent field matches everything.
pub(crate) struct Wanted {
    workflow: Option<String>,
    status: Option<RunStatus>,
    since: Option<SystemTime>,
    until: Option<SystemTime>,
    limit: usize,
    cursor: Option<RunId>,
}

/// One page of runs, newest first.
pub(crate) struct RunPage {
    pub(crate) rows: Vec<RunRow>,
    pub(crate) next: Option<RunId>,
}

#[utoipa::path(
    get, path = "/runs", operation_id = "list_runs", tag = "runs",
    params(Runs, Paging),
    responses((status = 200, description = "a page of runs, newest first", body = run_schema::RunPage))
)]
pub(crate) async fn list(State(house): State<Arc<House>>, uri: Uri) -> Result<Response, Problem> {
    let given = Parameters::read(&uri, &parameters())?;
    let page = page(&house, &given).await?;
    let document = RunsDocument {
        runs: page.rows.iter().map(RunRow::document).collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    };
    Ok(Json(document).into_response())
}

#[utoipa::path(
    get, path = "/runs/{id}", operation_id = "show_run", tag = "runs",
    params(("id" = String, Path, description = "The id of a run")),
    responses((status = 200, description = "the run as it went", body = run_schema::RunTimeline))
)]
pub(crate) async fn show(
    State(house): State<Arc<House>>,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Response, Problem> {
    let id = segment(id);
    Parameters::none(&uri)?;
    let reading = reading(&house, &id).await?;
    Ok(Json(reading.document()).into_response())
}

/// All that a list takes.
pub(crate) fn parameters() -> Vec<&'static str> {
    [&FILTERS[..], &PAGING].concat()
}

/// The run of an id, as it went.
pub(crate) async fn reading(house: &House, id: &str) -> Result<RunReading, Problem> {
    let run = RunId::parse(id).ok_or_else(|| missing(id))?;
    let log = house.ports.log.as_deref();
    let reading = RunReading::of(run, house.ports.runs.as_ref(), log, (house.ports.clock)());
    reading.await.map_err(|error| unreadable(id, &error))
}

/// The runs that are asked for.
pub(crate) async fn page(house: &House, given: &Parameters) -> Result<RunPage, Problem> {
    let now = (house.ports.clock)();
    let (wanted, runs) = (Wanted::read(given, now)?, house.ports.runs.as_ref());
    let mut found = runs.list().await.map_err(|error| unreadable("", &error))?;
    found.retain(|run| wanted.matches(run));
    let more = found.len() > wanted.limit;
    found.truncate(wanted.limit);
    let next = found.last().filter(|_| more).map(|run| run.id);
    let mut rows = Vec::with_capacity(found.len());
    for summary in found {
        rows.push(RunRow::of(summary, runs, now).await);
    }
    Ok(RunPage { rows, next })
}

impl Wanted {
    fn read(given: &Parameters, now: SystemTime) -> Result<Self, Problem> {
        let limits = format!("a number from 1 to {PAGE_MAX}");
        let limit = |text: &str| text.parse().ok().filter(|count| (1..=PAGE_MAX).contains(count));
        let states = one_of(&RunStatus::ALL.map(RunStatus::as_str));
        let time = |name| {
            let expected = "a time like 2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d";
            given.value(name, expected, |text| parse_moment(text, now).ok())
        };
        Ok(Self {
            workflow: given.text("workflow").map(str::to_owned),
            status: given.value("status", &states, RunStatus::parse)?,
            since: time("since")?,
            until: time("until")?,
            limit: given.value("limit", &limits, limit)?.unwrap_or(PAGE_DEFAULT),
            cursor: given.value("cursor", "the `next_cursor` of the page before", RunId::parse)?,
        })
    }

    fn matches(&self, run: &RunSummary) -> bool {
        self.workflow.as_ref().is_none_or(|name| *name == run.workflow)
            && self.status.is_none_or(|status| status == run.status)
            && self.since.is_none_or(|since| run.began >= since)
            && self.until.is_none_or(|until| run.began < until)
            && self.cursor.is_none_or(|cursor| run.id < cursor)
    }
}

fn missing(id: &str) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "RUN_NOT_FOUND", format!("no run `{}`", shown(id)))
}

fn unreadable(id: &str, error: &RunJournalError) -> Problem {
    let (status, code) = match error {
        RunJournalError::NotFound(_) => return missing(id),
        RunJournalError::Damaged { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "RUN_DAMAGED"),
        RunJournalError::Active(_) | RunJournalError::Io { .. } => {
            (StatusCode::SERVICE_UNAVAILABLE, "RUNS_UNAVAILABLE")
        }
    };
    Problem::new(status, code, error.to_string())
}
