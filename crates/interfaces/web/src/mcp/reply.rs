//! How an answer goes out: in one piece, or as events while there is more to come.

use std::{convert::Infallible, sync::Arc, time::Duration};

use awf_mcp::{Message, Refusal, RequestId, RpcError, code};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde::Deserialize;
use tokio::{
    sync::{OwnedSemaphorePermit, mpsc},
    time::sleep,
};

use crate::{
    mcp::session::{Asked, Session, Word},
    problem::Problem,
};

/// How often a silent stream shows that it is alive; also how soon a client that vanished is noticed.
const ALIVE: Duration = Duration::from_secs(15);

/// What a client takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One JSON document.
    Json,
    /// Events only.
    Events,
    /// Events where there is progress to tell, else a document.
    Either,
}

impl Form {
    /// Read leniently: a client that says nothing takes what is simplest.
    pub(super) fn accepted(headers: &HeaderMap) -> Result<Self, Problem> {
        let (json, events) =
            (accepts(headers, "application/json"), accepts(headers, "text/event-stream"));
        match (json, events) {
            _ if !headers.contains_key(header::ACCEPT) => Ok(Self::Json),
            (true, true) => Ok(Self::Either),
            (true, false) => Ok(Self::Json),
            (false, true) => Ok(Self::Events),
            (false, false) => Err(not_acceptable("`application/json` and `text/event-stream`")),
        }
    }

    pub(super) fn must_take_events(headers: &HeaderMap) -> Result<(), Problem> {
        let takes = accepts(headers, "text/event-stream");
        takes.then_some(()).ok_or_else(|| not_acceptable("`text/event-stream`"))
    }
}

fn not_acceptable(wanted: &str) -> Problem {
    let detail = format!("send `Accept` with {wanted}");
    Problem::new(StatusCode::NOT_ACCEPTABLE, "NOT_ACCEPTABLE", detail)
}

fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let whole = kind.split('/').next().map(|family| format!("{family}/*")).unwrap_or_default();
    values.flat_map(|value| value.split(',')).any(|range| {
        let range = range.split(';').next().unwrap_or_default().trim();
        [kind, &whole, "*/*"].iter().any(|known| known.eq_ignore_ascii_case(range))
    })
}

/// The status of an answer in one piece.
type StatusOf = fn(&str) -> StatusCode;

/// Legacy errors are answers like any other.
pub(super) fn legacy(_answer: &str) -> StatusCode {
    StatusCode::OK
}

/// Modern errors of the protocol show in the status, for those who do not read bodies.
pub(super) fn modern(answer: &str) -> StatusCode {
    #[derive(Deserialize)]
    struct Error {
        code: i64,
    }
    let Ok(Message::Response { outcome: Err(error), .. }) = Message::read(answer.as_bytes()) else {
        return StatusCode::OK;
    };
    match serde_json::from_str::<Error>(error.get()).map(|error| error.code) {
        Ok(code::HEADER_MISMATCH | code::MISSING_CAPABILITY | code::UNSUPPORTED_VERSION) => {
            StatusCode::BAD_REQUEST
        }
        // What a tool would be called with is a matter of the call; what `_meta` lacks is one of the request.
        Ok(code::INVALID_PARAMS) if error.get().contains("_meta") => StatusCode::BAD_REQUEST,
        Ok(code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Ok(_) | Err(_) => StatusCode::OK,
    }
}

/// Waits for the answer and sends it.
pub(super) async fn give(mut asked: Asked, form: Form, status: StatusOf) -> Response {
    if form == Form::Events || (form == Form::Either && asked.reports()) {
        return events(asked);
    }
    match asked.answer().await {
        Some(answer) => {
            let status = status(&answer);
            whole(answer, Form::Json, status)
        }
        None => ended(),
    }
}

/// A request that was withdrawn, or whose server ended, has no answer.
pub(super) fn ended() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// An answer that is all there.
pub(super) fn whole(answer: String, form: Form, status: StatusCode) -> Response {
    match form {
        Form::Json | Form::Either => json(status, answer),
        Form::Events => event_stream(Body::from(event(&answer))),
    }
}

fn events(asked: Asked) -> Response {
    let words = stream::unfold(Some(asked), async |asked| {
        let mut asked = asked?;
        tokio::select! {
            word = asked.next() => match word {
                Word::Progress(line) => Some((Ok::<_, Infallible>(event(&line)), Some(asked))),
                Word::Answer(line) => Some((Ok(event(&line)), None)),
                Word::None => None,
            },
            () = sleep(ALIVE) => Some((Ok(": \n\n".to_owned()), Some(asked))),
        }
    });
    event_stream(Body::from_stream(words))
}

/// What a session's server says of its own accord, until the session ends.
///
/// It takes `room` for as long as it is open.
pub(super) fn stream(
    session: Arc<Session>,
    news: mpsc::Receiver<String>,
    room: OwnedSemaphorePermit,
) -> Response {
    let lines = stream::unfold((session, news, room), async |(session, mut news, room)| {
        let text = tokio::select! {
            line = news.recv() => event(&line?),
            () = session.stop.cancelled() => return None,
            () = sleep(ALIVE) => ": \n\n".to_owned(),
        };
        Some((Ok::<_, Infallible>(text), (session, news, room)))
    });
    event_stream(Body::from_stream(lines))
}

fn event(line: &str) -> String {
    format!("event: message\ndata: {line}\n\n")
}

fn event_stream(body: Body) -> Response {
    let mut response = body.into_response();
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn json(status: StatusCode, text: String) -> Response {
    let mut response = (status, text).into_response();
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// Why a message was not taken: by rules of HTTP, or by those of MCP.
pub(super) enum Fault {
    Http(Problem),
    Rpc(StatusCode, String),
}

impl Fault {
    pub(super) fn rpc(status: StatusCode, id: Option<&RequestId>, error: &RpcError) -> Self {
        Self::Rpc(status, error.to_message(id))
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Http(problem)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::rpc(StatusCode::BAD_REQUEST, refusal.id.as_ref(), &refusal.error)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        match self {
            Self::Http(problem) => problem.into_response(),
            Self::Rpc(status, text) => json(status, text),
        }
    }
}
