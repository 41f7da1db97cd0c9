//! `GET /api/v1/activity/export`: every record that matches, as fast as the client takes it. Between two pages nothing is
//! held but the place, so a slow client costs neither memory nor anybody's turn.

use std::sync::Arc;

use awf_core::{
    ActivityError, ActivityFilter, ActivityLog, ActivityPage, Cursor, EXPORT_PAGE, ExportFormat,
    one_of,
};
use axum::{
    body::Body,
    extract::State,
    http::{Uri, header},
    response::{IntoResponse as _, Response},
};
use futures_util::{StreamExt as _, stream};

use crate::{
    api::activity::{FILTERS, damage, filter, log, unreadable},
    house::House,
    openapi::parameters::{Export, Filters},
    problem::Problem,
    query::Parameters,
};

#[utoipa::path(
    get, path = "/activity/export", operation_id = "export_activity", tag = "activity",
    params(Filters, Export),
    responses((
        status = 200,
        description = "every record that matches, newest first",
        content((String = "application/x-ndjson"), (String = "text/csv; charset=utf-8"))
    ))
)]
pub(crate) async fn export(State(house): State<Arc<House>>, uri: Uri) -> Result<Response, Problem> {
    let given = Parameters::read(&uri, &[&["format"], &FILTERS[..]].concat())?;
    let formats = one_of(&ExportFormat::ALL.map(ExportFormat::as_str));
    let format = given.value("format", &formats, ExportFormat::parse)?;
    let format = format.unwrap_or(ExportFormat::Json);
    let filter = ActivityFilter { limit: EXPORT_PAGE, ..filter(&given, (house.ports.clock)())? };
    let log = log(&house)?.clone();
    // The first page is read before anything is said, so that a log that cannot be read is told as that.
    let page = log.query(&filter).await.map_err(unreadable)?;
    let damage = damage(&page);
    let first = format.opening() + &written(&page, format);
    let rest = Rest { log, filter, format, next: page.next };
    let rest = stream::try_unfold(rest, async |rest| rest.page().await);
    let body = stream::once(async { Ok::<_, ActivityError>(first) }).chain(rest);
    let (kind, name) = match format {
        ExportFormat::Json => ("application/x-ndjson", "attachment; filename=\"activity.jsonl\""),
        ExportFormat::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"activity.csv\""),
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, damage, Body::from_stream(body)).into_response())
}

fn written(page: &ActivityPage, format: ExportFormat) -> String {
    page.records.iter().map(|record| format.record(record)).collect()
}

/// What is still to be sent.
struct Rest {
    log: Arc<dyn ActivityLog>,
    filter: ActivityFilter,
    format: ExportFormat,
    next: Option<Cursor>,
}

impl Rest {
    /// The next page, once the one before has gone out. An error breaks the connection: an end would pass for the whole.
    async fn page(mut self) -> Result<Option<(String, Self)>, ActivityError> {
        let Some(cursor) = self.next else { return Ok(None) };
        self.filter.cursor = Some(cursor);
        let page = self.log.query(&self.filter).await?;
        self.next = page.next;
        Ok(Some((written(&page, self.format), self)))
    }
}
