//! `GET /api/v1/activity`: a page of records, in the JSON of `awf activity list -o json`.

use std::{sync::Arc, time::SystemTime};

use awf_core::{
    ActivityFilter, ActivityId, CallSurface, Cursor, Operation, PAGE_DEFAULT, PAGE_MAX,
    PageDocument, Status, one_of, parse_moment,
};
use axum::{
    Json,
    extract::State,
    http::{StatusCode, Uri},
    response::{IntoResponse as _, Response},
};

use crate::{house::House, problem::Problem, query::Parameters};

const KNOWN: [&str; 12] = [
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
    "limit",
    "cursor",
];

pub(crate) async fn list(State(house): State<Arc<House>>, uri: Uri) -> Result<Response, Problem> {
    let filter = filter(&Parameters::read(&uri, &KNOWN)?, (house.ports.clock)())?;
    let Some(log) = &house.ports.log else {
        let detail = "the activity log is switched off: set `activity.enabled: true`";
        return Err(Problem::new(StatusCode::NOT_FOUND, "ACTIVITY_OFF", detail));
    };
    let page = log.query(&filter).await.map_err(|error| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "JOURNAL_UNAVAILABLE", error.to_string())
    })?;
    Ok(Json(PageDocument::from(&page)).into_response())
}

fn filter(given: &Parameters, now: SystemTime) -> Result<ActivityFilter, Problem> {
    let text = |name| given.text(name).map(str::to_owned);
    let time = |name| {
        let expected = "a time like 2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d";
        given.value(name, expected, |text| parse_moment(text, now).ok())
    };
    let operations = one_of(&Operation::ALL.map(Operation::as_str));
    let states = one_of(&Status::ALL.map(Status::as_str));
    let sources = one_of(&CallSurface::ALL.map(CallSurface::as_str));
    let limits = format!("a number from 1 to {PAGE_MAX}");
    let limit = |text: &str| text.parse().ok().filter(|count| (1..=PAGE_MAX).contains(count));
    let cursor = |text: &str| ActivityId::parse(text).map(Cursor);
    Ok(ActivityFilter {
        id: None,
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
        limit: given.value("limit", &limits, limit)?.unwrap_or(PAGE_DEFAULT),
        cursor: given.value("cursor", "the `next_cursor` of the page before", cursor)?,
    })
}
