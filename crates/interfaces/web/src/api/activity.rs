//! `GET /api/v1/activity…`: what was done, in the JSON of `awf activity`: a page, one record, the numbers, everything.

use std::{sync::Arc, time::SystemTime};

use awf_core::{
    ActivityError, ActivityFilter, ActivityId, ActivityLog, ActivityPage, ActivityRecord,
    CallSurface, Cursor, Operation, PAGE_DEFAULT, PAGE_MAX, PageDocument, RecordDocument, Status,
    SummaryDocument, one_of, parse_moment, shown,
};
use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
    http::{HeaderName, HeaderValue, StatusCode, Uri},
    response::{IntoResponse as _, Response},
};

use crate::{
    house::House,
    openapi::{
        parameters::{Filters, Paging},
        schema,
    },
    problem::Problem,
    query::{Parameters, segment},
};

pub(crate) mod export;

/// What records are found by.
pub(crate) const FILTERS: [&str; 10] = [
    "since",
    "until",
    "run",
    "step",
    "server",
    "tool",
    "intent_type",
    "status",
    "request_id",
    "source",
];
const PAGING: [&str; 2] = ["limit", "cursor"];

/// What a list can be asked for by.
pub(crate) fn listing() -> Vec<&'static str> {
    [&FILTERS[..], &PAGING].concat()
}

/// A list that was asked for, and where it is.
pub(crate) struct Listed<'a> {
    pub(crate) filter: ActivityFilter,
    pub(crate) log: &'a Arc<dyn ActivityLog>,
}

#[utoipa::path(
    get, path = "/activity", operation_id = "list_activity", tag = "activity",
    params(Filters, Paging),
    responses((status = 200, description = "a page of records, newest first", body = schema::ActivityPage))
)]
pub(crate) async fn list(State(house): State<Arc<House>>, uri: Uri) -> Result<Response, Problem> {
    let Listed { filter, log } = wanted(&house, &Parameters::read(&uri, &listing())?)?;
    let page = log.query(&filter).await.map_err(unreadable)?;
    Ok((damage(&page), Json(PageDocument::from(&page))).into_response())
}

#[utoipa::path(
    get, path = "/activity/{id}", operation_id = "show_activity", tag = "activity",
    params(("id" = String, Path, description = "The id of a record")),
    responses((status = 200, description = "the record", body = schema::ActivityRecord))
)]
pub(crate) async fn show(
    State(house): State<Arc<House>>,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Response, Problem> {
    let id = segment(id);
    Parameters::none(&uri)?;
    Ok(Json(RecordDocument::from(&record(&house, &id).await?)).into_response())
}

/// Tells how many files of the log are damaged, if any: what stands behind the damage is not shown.
fn damage(page: &ActivityPage) -> Option<[(HeaderName, HeaderValue); 1]> {
    let count = page.damage.len();
    (count > 0).then(|| [(HeaderName::from_static("x-activity-damage"), HeaderValue::from(count))])
}

/// The list that the parameters ask for.
pub(crate) fn wanted<'a>(house: &'a House, given: &Parameters) -> Result<Listed<'a>, Problem> {
    let limits = format!("a number from 1 to {PAGE_MAX}");
    let limit = |text: &str| text.parse().ok().filter(|count| (1..=PAGE_MAX).contains(count));
    let whole = |text: &str, id: &ActivityId| id.to_string() == text;
    let cursor = |text: &str| ActivityId::parse(text).filter(|id| whole(text, id)).map(Cursor);
    let filter = ActivityFilter {
        limit: given.value("limit", &limits, limit)?.unwrap_or(PAGE_DEFAULT),
        cursor: given.value("cursor", "the `next_cursor` of the page before", cursor)?,
        ..filter(given, (house.ports.clock)())?
    };
    Ok(Listed { filter, log: log(house)? })
}

/// The record with this id.
pub(crate) async fn record(house: &House, id: &str) -> Result<ActivityRecord, Problem> {
    let missing = || {
        let detail = format!("no activity record `{}`", shown(id));
        Problem::new(StatusCode::NOT_FOUND, "ACTIVITY_NOT_FOUND", detail)
    };
    let log = log(house)?;
    let wanted = ActivityId::parse(id).ok_or_else(missing)?;
    let filter = ActivityFilter { id: Some(wanted), ..ActivityFilter::default() };
    let page = log.query(&filter).await.map_err(unreadable)?;
    page.records.into_iter().next().ok_or_else(missing)
}

#[utoipa::path(
    get, path = "/activity/summary", operation_id = "summarize_activity", tag = "activity",
    params(Filters),
    responses((status = 200, description = "the numbers", body = schema::ActivitySummary))
)]
pub(crate) async fn summary(
    State(house): State<Arc<House>>,
    uri: Uri,
) -> Result<Response, Problem> {
    let filter = filter(&Parameters::read(&uri, &FILTERS)?, (house.ports.clock)())?;
    let summary = log(&house)?.summary(&filter).await.map_err(unreadable)?;
    Ok(Json(SummaryDocument::from(&summary)).into_response())
}

pub(crate) fn log(house: &House) -> Result<&Arc<dyn ActivityLog>, Problem> {
    house.ports.log.as_ref().ok_or_else(|| {
        let detail = "the activity log is switched off: set `activity.enabled: true`";
        Problem::new(StatusCode::NOT_FOUND, "ACTIVITY_OFF", detail)
    })
}

// By value, as `map_err` gives it.
#[expect(clippy::needless_pass_by_value, reason = "it is the end of the error")]
pub(crate) fn unreadable(error: ActivityError) -> Problem {
    let (status, code) = match error {
        ActivityError::Read { .. } | ActivityError::Write { .. } => {
            (StatusCode::SERVICE_UNAVAILABLE, "JOURNAL_UNAVAILABLE")
        }
        // To ask again helps nobody: another awf is needed.
        ActivityError::Newer { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "JOURNAL_NEWER"),
    };
    Problem::new(status, code, error.to_string())
}

pub(super) fn filter(given: &Parameters, now: SystemTime) -> Result<ActivityFilter, Problem> {
    let text = |name| given.text(name).map(str::to_owned);
    let time = |name| {
        let expected = "a time like 2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d";
        given.value(name, expected, |text| parse_moment(text, now).ok())
    };
    let operations = one_of(&Operation::ALL.map(Operation::as_str));
    let states = one_of(&Status::ALL.map(Status::as_str));
    let sources = one_of(&CallSurface::ALL.map(CallSurface::as_str));
    Ok(ActivityFilter {
        since: time("since")?,
        until: time("until")?,
        run: text("run"),
        step: text("step"),
        surface: given.value("source", &sources, CallSurface::parse)?,
        server: text("server"),
        tool: text("tool"),
        operation: given.value("intent_type", &operations, Operation::parse)?,
        status: given.value("status", &states, Status::parse)?,
        request_id: text("request_id"),
        ..ActivityFilter::default()
    })
}
