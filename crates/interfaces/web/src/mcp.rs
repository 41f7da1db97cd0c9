//! `/mcp`: MCP over streamable HTTP, both eras at one address.
//!
//! Legacy clients open a session with `initialize` and name it in each request after that. Modern requests
//! (2026-07-28) stand for themselves. Either way a server of its own speaks to the client; this only carries its messages.

use std::sync::Arc;

use awf_mcp::{Message, RpcError};
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri},
    response::{IntoResponse as _, Response},
    routing::post,
};

use crate::{body, house::House, ports::View, problem::Problem, query};

mod headers;
mod parts;
mod pump;
mod reply;
mod session;
mod sessions;

use headers::{SESSION_ID, Spoken};
use parts::Parts;
use reply::{Fault, Form};
use session::Session;

pub(crate) use sessions::Sessions;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new().route("/mcp", post(take).get(listen).delete(end))
}

/// One message of a client.
async fn take(State(house): State<Arc<House>>, request: Request) -> Result<Response, Fault> {
    let view = query::view(request.uri())?;
    let form = Form::accepted(request.headers())?;
    let headers = request.headers().clone();
    let body = body::read(&house, request).await?;
    let message = Message::read(&body.bytes)?;
    let spoken = Spoken::read(&headers)?;
    match message {
        Message::Request { id, method, params } => {
            let parts = Parts::read(id, &method, params, &body.bytes);
            if parts.is_modern(spoken) {
                headers::agree(&headers, &parts)?;
                let (session, guard) = Session::open(&house, view).await?;
                return Ok(
                    reply::give(session.ask(parts)?.holding(guard), form, reply::modern).await
                );
            }
            if method == "initialize" {
                return initialize(&house, view, parts, form).await;
            }
            let session = found(&house, &headers, &view)?;
            Ok(reply::give(session.ask(parts)?, form, reply::legacy).await)
        }
        Message::Notification { method, params } => {
            if spoken != Spoken::Modern {
                found(&house, &headers, &view)?.tell(&method, params);
            }
            Ok(StatusCode::ACCEPTED.into_response())
        }
        // The server asks nothing, so there is nothing to answer.
        Message::Response { .. } => {
            found(&house, &headers, &view)?;
            Ok(StatusCode::ACCEPTED.into_response())
        }
    }
}

/// Opens a session, and keeps it if the handshake comes about.
async fn initialize(
    house: &Arc<House>,
    view: View,
    parts: Parts,
    form: Form,
) -> Result<Response, Fault> {
    let (session, guard) = Session::open(house, view).await?;
    let mut asked = session.ask(parts)?;
    let Some(answer) = asked.answer().await else { return Ok(reply::ended()) };
    let agreed =
        matches!(Message::read(answer.as_bytes()), Ok(Message::Response { outcome: Ok(_), .. }));
    let mut response = reply::whole(answer, form, StatusCode::OK);
    if agreed {
        let id = house.sessions.admit(session)?;
        guard.disarm();
        let id = HeaderValue::try_from(id).map_err(|_| Problem::invalid("no session id"))?;
        response.headers_mut().insert(SESSION_ID, id);
    }
    Ok(response)
}

/// The stream of what a session's server has to say of its own accord.
async fn listen(
    State(house): State<Arc<House>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let view = query::view(&uri)?;
    sessions_only(Spoken::read(&headers)?)?;
    let session = found(&house, &headers, &view)?;
    Form::must_take_events(&headers)?;
    let room = house.stream()?;
    let heard = session.listen().ok_or_else(|| {
        Problem::new(StatusCode::CONFLICT, "STREAM_OPEN", "the session has a stream already")
    })?;
    Ok(reply::stream(session, heard, room))
}

/// Ends a session.
async fn end(
    State(house): State<Arc<House>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let view = query::view(&uri)?;
    sessions_only(Spoken::read(&headers)?)?;
    found(&house, &headers, &view)?.end();
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn sessions_only(spoken: Spoken) -> Result<(), Problem> {
    match spoken {
        Spoken::Nothing | Spoken::Legacy => Ok(()),
        Spoken::Modern => Err(Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "METHOD_NOT_ALLOWED",
            "this version of MCP has no sessions: send each request as a POST",
        )),
    }
}

/// The session a request belongs to.
fn found(house: &House, headers: &HeaderMap, view: &View) -> Result<Arc<Session>, Fault> {
    let invalid =
        |status, text: &'static str| Fault::rpc(status, None, &RpcError::invalid_request(text));
    let Some(id) = headers.get(SESSION_ID) else {
        return Err(invalid(
            StatusCode::BAD_REQUEST,
            "Invalid request: no Mcp-Session-Id (send `initialize` first)",
        ));
    };
    let session = id.to_str().ok().and_then(|id| house.sessions.find(id));
    let session = session.ok_or_else(|| {
        invalid(StatusCode::NOT_FOUND, "Session not found: send `initialize` again")
    })?;
    if session.view != *view {
        return Err(invalid(
            StatusCode::BAD_REQUEST,
            "Invalid request: the session was opened with another view",
        ));
    }
    Ok(session)
}
