//! The listener: which protocol a path is of, a bounded body, an answer in one piece or as events.

use std::{
    convert::Infallible,
    future,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt as _, Full, Limited, StreamBody, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Frame, Incoming},
    header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinSet};

use crate::models::{
    Book, INPUT_TOKENS, anthropic, chat,
    conversation::{Conversation, Form, TurnKind},
    event::Event,
    gemini,
    reply::{Reply, decide},
    request::{ModelProtocol, ModelRequest},
    responses,
};

const LARGEST_BODY: usize = 32 << 20;

type Body = BoxBody<Bytes, Infallible>;

/// Accepts until it is aborted; the connections end with it.
pub(super) async fn serve(listener: TcpListener, book: Arc<Book>) {
    let mut connections = JoinSet::new();
    let count = Arc::new(AtomicU64::new(0));
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let (book, count) = (Arc::clone(&book), Arc::clone(&count));
                connections.spawn(async move {
                    let service = service_fn(|request| respond(request, &book, &count));
                    // A client that leaves in the middle is no failure of ours.
                    let _left = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// What is asked for by a path.
enum Route {
    Model(ModelProtocol),
    CountAnthropic,
    CountGemini,
    Models,
}

impl Route {
    fn of(path: &str) -> Option<Self> {
        let last = path.rsplit('/').next().unwrap_or_default();
        let method = last.split_once(':').map_or("", |(_, method)| method);
        Some(match (last, method) {
            (_, "generateContent" | "streamGenerateContent") => Self::Model(ModelProtocol::Gemini),
            (_, "countTokens") => Self::CountGemini,
            ("messages", _) => Self::Model(ModelProtocol::Anthropic),
            ("count_tokens", _) => Self::CountAnthropic,
            ("responses", _) => Self::Model(ModelProtocol::Responses),
            ("completions", _) if path.ends_with("/chat/completions") => {
                Self::Model(ModelProtocol::Chat)
            }
            ("models", _) => Self::Models,
            _ => return None,
        })
    }
}

async fn respond(
    request: Request<Incoming>,
    book: &Book,
    count: &AtomicU64,
) -> Result<Response<Body>, Infallible> {
    let path = request.uri().path().to_owned();
    Ok(match (request.method(), Route::of(&path)) {
        (&Method::HEAD, _) => whole(StatusCode::OK, Bytes::new()),
        (&Method::GET, Some(Route::Models)) => models(),
        (&Method::POST, Some(Route::CountAnthropic)) => {
            json_reply(StatusCode::OK, &json!({"input_tokens": INPUT_TOKENS}))
        }
        (&Method::POST, Some(Route::CountGemini)) => {
            json_reply(StatusCode::OK, &json!({"totalTokens": INPUT_TOKENS}))
        }
        (&Method::POST, Some(Route::Model(protocol))) => match body(request).await {
            Ok(body) => {
                let talk = read(protocol, &body, &path);
                reply(protocol, talk, book, count.fetch_add(1, Ordering::Relaxed)).await
            }
            Err((status, message)) => refusal(status, message),
        },
        _ => refusal(StatusCode::NOT_FOUND, "a scripted model has no such path"),
    })
}

async fn body(request: Request<Incoming>) -> Result<Value, (StatusCode, &'static str)> {
    let encoding = request.headers().get(CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding != "identity") {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send the body as it is"));
    }
    let bytes = Limited::new(request.into_body(), LARGEST_BODY).collect().await;
    let bytes =
        bytes.map_err(|_| (StatusCode::PAYLOAD_TOO_LARGE, "the body was cut or is too large"))?;
    serde_json::from_slice(&bytes.to_bytes())
        .map_err(|_| (StatusCode::BAD_REQUEST, "the body is not JSON"))
}

fn read(protocol: ModelProtocol, body: &Value, path: &str) -> Conversation {
    match protocol {
        ModelProtocol::Anthropic => anthropic::read(body),
        ModelProtocol::Gemini => gemini::read(body, path),
        ModelProtocol::Responses => responses::read(body),
        ModelProtocol::Chat => chat::read(body),
    }
}

/// An answer, and what must be known to write it.
pub(super) struct Answer<'a> {
    pub(super) number: u64,
    pub(super) model: &'a str,
    pub(super) form: Form,
    pub(super) reply: &'a Reply,
}

impl<'a> Answer<'a> {
    /// What is said. An answer without a call says something, and be it nothing.
    pub(super) fn text(&self) -> Option<&'a str> {
        let silent = self.reply.text.is_empty() && !self.reply.calls.is_empty();
        (!silent).then_some(&self.reply.text)
    }

    pub(super) fn id(&self, kind: &str) -> String {
        format!("{kind}_awf_{}", self.number)
    }

    pub(super) fn call_id(&self, kind: &str, index: usize) -> String {
        format!("{kind}_awf_{}_{index}", self.number)
    }
}

async fn reply(
    protocol: ModelProtocol,
    talk: Conversation,
    book: &Book,
    number: u64,
) -> Response<Body> {
    let kind = decide(&book.scenario, &talk);
    let (model, form) = (talk.model.clone(), talk.form);
    book.remember(ModelRequest::new(protocol, talk, &kind));
    match kind {
        TurnKind::Answer(reply) => {
            written(protocol, &Answer { number, model: &model, form, reply: &reply })
        }
        TurnKind::Refuse(status) => refusal(status, "refused by the script"),
        // The connection ends this: by the client, or with the server.
        TurnKind::Silence => future::pending().await,
    }
}

fn written(protocol: ModelProtocol, answer: &Answer<'_>) -> Response<Body> {
    match answer.form {
        Form::Whole => {
            let value = match protocol {
                ModelProtocol::Anthropic => anthropic::whole(answer),
                ModelProtocol::Gemini => gemini::whole(answer),
                ModelProtocol::Responses => responses::whole(answer),
                ModelProtocol::Chat => chat::whole(answer),
            };
            json_reply(StatusCode::OK, &value)
        }
        Form::Stream | Form::StreamWithUsage => events(match protocol {
            ModelProtocol::Anthropic => anthropic::stream(answer),
            ModelProtocol::Gemini => gemini::stream(answer),
            ModelProtocol::Responses => responses::stream(answer),
            ModelProtocol::Chat => chat::stream(answer),
        }),
    }
}

fn models() -> Response<Body> {
    let model = json!({"id": "scripted", "object": "model", "owned_by": "awf"});
    json_reply(StatusCode::OK, &json!({"object": "list", "data": [model], "models": []}))
}

/// In the form that clients of all four protocols find their message in.
fn refusal(status: StatusCode, message: &str) -> Response<Body> {
    let error = json!({"type": "api_error", "code": status.as_u16(), "status": "INTERNAL", "message": message});
    json_reply(status, &json!({"type": "error", "error": error}))
}

fn json_reply(status: StatusCode, value: &Value) -> Response<Body> {
    whole(status, Bytes::from(value.to_string()))
}

fn whole(status: StatusCode, bytes: Bytes) -> Response<Body> {
    let mut response = Response::new(Full::new(bytes).boxed());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

fn events(events: Vec<Event>) -> Response<Body> {
    let frames = events.into_iter().map(|event| Ok(Frame::data(event.to_bytes())));
    let mut response = Response::new(StreamBody::new(stream::iter(frames)).boxed());
    let sse = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(CONTENT_TYPE, sse);
    response
}
