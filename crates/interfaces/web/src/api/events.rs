//! `GET /api/v1/events`: each call that is over, as a server-sent event. The id of an event is the place in the log after
//! it, so that a client that comes back with `Last-Event-ID` misses nothing and hears nothing twice.

use std::{convert::Infallible, sync::Arc};

use awf_core::{ActivityFilter, EXPORT_PAGE, Place, Status};
use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Uri, header},
    response::{IntoResponse as _, Response},
};
use futures_util::stream;
use tokio::sync::mpsc;

use crate::{
    api::activity::{FILTERS, filter, log, unreadable},
    house::House,
    openapi::parameters::Filters,
    problem::Problem,
    query::Parameters,
    room::Guest,
};

mod follower;
mod frame;
mod listener;

pub(crate) use follower::Follower;

use listener::Listener;

const LAST_EVENT_ID: &str = "last-event-id";
/// Events on their way to one client, beside what its connection holds.
const QUEUED: usize = 4;

#[utoipa::path(
    get, path = "/events", operation_id = "follow_activity", tag = "activity",
    params(Filters, ("Last-Event-ID" = Option<String>, Header, nullable = false, description = "The id of the last event that was read")),
    responses((
        status = 200,
        description = "`place` first, then an `activity` for each call that is over, and `gap` where some are missing",
        content_type = "text/event-stream", body = String
    ))
)]
pub(crate) async fn events(
    State(house): State<Arc<House>>,
    Extension(guest): Extension<Guest>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let given = Parameters::read(&uri, &FILTERS)?;
    let filter = ActivityFilter { limit: EXPORT_PAGE, ..filter(&given, (house.ports.clock)())? };
    if filter.status == Some(Status::Started) {
        let detail =
            "`status` must be one in which a call is over: no event tells of a call that runs";
        return Err(Problem::invalid(detail));
    }
    let last = last_event(&headers)?;
    let log = log(&house)?.clone();
    let room = house.stream()?;
    // Asked before anything is said, so that a log that cannot be read is told as that.
    let now = log.news(&filter, None).await.map_err(unreadable)?.place;
    let (out, frames) = mpsc::channel(QUEUED);
    let listener = Listener { house: house.clone(), log, filter, place: last.unwrap_or(now), out };
    house.tasks.spawn(async move {
        listener.attend(guest.hangup).await;
        drop(room);
    });
    let body = stream::unfold(frames, async |mut frames| {
        Some((Ok::<_, Infallible>(frames.recv().await?), frames))
    });
    let kind = HeaderValue::from_static("text/event-stream");
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(body)).into_response())
}

/// The place a client goes on from, if it has been here before.
fn last_event(headers: &HeaderMap) -> Result<Option<Place>, Problem> {
    let mut values = headers.get_all(LAST_EVENT_ID).iter();
    let (first, second) = (values.next(), values.next());
    let Some(value) = first.filter(|value| !value.is_empty()) else { return Ok(None) };
    let place = value.to_str().ok().filter(|_| second.is_none()).and_then(Place::parse);
    let unreadable = || Problem::invalid("`Last-Event-ID` must be the id of an event, given once");
    place.map(Some).ok_or_else(unreadable)
}
