//! Servers at an address, of both kinds and of some that are neither.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use awf_core::Redactor;
use awf_mcp::{Client, ClientError, ClientOptions, Era, Opening, ToolRequest};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Method, StatusCode},
    response::Response,
};
use serde_json::{Value, json, value::to_raw_value};
use tokio::{net::TcpListener, sync::watch, time::timeout};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use super::{FORGOTTEN, HttpEndpoint, HttpError, Trouble, connect};

/// What a server answers to a message; `None` is 202.
type Script = fn(&Value) -> Option<Response>;

struct Seen {
    method: String,
    headers: HashMap<String, String>,
    body: Value,
}

struct Server {
    url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    count: watch::Receiver<usize>,
    _task: AbortOnDropHandle<()>,
}

#[derive(Clone)]
struct Stage {
    script: Script,
    seen: Arc<Mutex<Vec<Seen>>>,
    count: Arc<watch::Sender<usize>>,
}

async fn serve(
    State(stage): State<Stage>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let known =
        headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let seen = Seen { method: method.to_string(), headers: known.collect(), body: body.clone() };
    stage.seen.lock().unwrap().push(seen);
    stage.count.send_modify(|count| *count += 1);
    match method {
        Method::POST => (stage.script)(&body).unwrap_or_else(|| empty(StatusCode::ACCEPTED)),
        Method::GET => (stage.script)(&json!({"method": "GET"}))
            .unwrap_or_else(|| empty(StatusCode::METHOD_NOT_ALLOWED)),
        _ => empty(StatusCode::NO_CONTENT),
    }
}

impl Server {
    async fn open(script: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp?secret=s3cret", listener.local_addr().unwrap());
        let (count, counted) = watch::channel(0);
        let seen = Arc::default();
        let stage = Stage { script, seen: Arc::clone(&seen), count: Arc::new(count) };
        let router = Router::new().fallback(serve).with_state(stage);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, seen, count: counted, _task: AbortOnDropHandle::new(task) }
    }

    async fn client_with(&self, options: ClientOptions) -> Result<Client, ClientError> {
        let headers = [("X-Key".to_owned(), "hunter2".to_owned())];
        let (reader, writer) = connect(
            &HttpEndpoint { url: &self.url, headers: &headers, redactor: &Redactor::default() },
            &Trouble::default(),
        )
        .unwrap();
        timeout(Duration::from_secs(20), Client::connect(reader, writer, options)).await.unwrap()
    }

    async fn client(&self) -> Result<Client, ClientError> {
        self.client_with(ClientOptions::new("awf", "0")).await
    }

    /// The headers of the first message with that method.
    fn headers(&self, method: &str) -> HashMap<String, String> {
        let seen = self.seen.lock().unwrap();
        let found = seen.iter().find(|seen| seen.body["method"] == method || seen.method == method);
        found.unwrap().headers.clone()
    }
}

fn empty(status: StatusCode) -> Response {
    Response::builder().status(status).body(Body::empty()).unwrap()
}

fn typed(kind: &str, body: impl Into<Body>) -> Response {
    Response::builder().header("content-type", kind).body(body.into()).unwrap()
}

fn result(asked: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})
}

fn welcome(asked: &Value) -> Option<Value> {
    match asked["method"].as_str()? {
        "initialize" => {
            Some(result(asked, &json!({"protocolVersion": "2025-06-18", "capabilities": {}})))
        }
        "tools/list" => Some(result(asked, &json!({"tools": [{"name": "t", "inputSchema": {}}]}))),
        "tools/call" => Some(result(asked, &json!({"content": [], "x": 1}))),
        _ => None,
    }
}

fn with_session(mut response: Response, asked: &Value) -> Response {
    if asked["method"] == "initialize" {
        response.headers_mut().insert("mcp-session-id", "abc".parse().unwrap());
    }
    response
}

/// Answers in one piece, over several lines.
fn whole(asked: &Value) -> Option<Response> {
    let body = serde_json::to_string_pretty(&welcome(asked)?).unwrap();
    Some(with_session(typed("application/json; charset=utf-8", body), asked))
}

/// Answers as events, with others around.
fn streamed(asked: &Value) -> Option<Response> {
    let change = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    if asked["method"] == "GET" {
        return Some(typed("text/event-stream", change));
    }
    let answer = welcome(asked)?;
    let text = format!(": hi\n\nevent: message\r\ndata: {answer}\r\n\r\n{change}");
    Some(with_session(typed("text/event-stream", text), asked))
}

async fn call(client: &Client) -> Result<String, ClientError> {
    let arguments = to_raw_value(&json!({})).unwrap();
    let request = ToolRequest { name: "t", arguments: &arguments, meta: None };
    let token = CancellationToken::new();
    let called = timeout(Duration::from_secs(20), client.call_tool(request, &token));
    called.await.unwrap().map(|result| result.get().to_owned())
}

#[tokio::test]
async fn both_ways_to_answer_are_understood_and_the_session_is_kept_and_ended() {
    for script in [whole, streamed] {
        let mut server = Server::open(script).await;
        let client = server.client().await.unwrap();
        assert_eq!(client.server().era, Era::Legacy);
        assert_eq!(client.list_tools().await.unwrap().len(), 1);
        assert!(call(&client).await.unwrap().contains("\"x\""));
        let first = server.headers("initialize");
        assert_eq!((first.get("mcp-session-id"), first.get("mcp-protocol-version")), (None, None));
        for method in ["notifications/initialized", "tools/list", "tools/call"] {
            let headers = server.headers(method);
            assert_eq!(headers["mcp-session-id"], "abc");
            assert_eq!(headers["mcp-protocol-version"], "2025-06-18");
            assert_eq!(headers["x-key"], "hunter2");
            assert_eq!(headers["accept"], "application/json, text/event-stream");
        }
        client.close().await;
        let seen = server.seen.clone();
        let gone = server
            .count
            .wait_for(|_| seen.lock().unwrap().iter().any(|seen| seen.method == "DELETE"));
        timeout(Duration::from_secs(5), gone).await.unwrap().unwrap();
        assert_eq!(server.headers("DELETE")["mcp-session-id"], "abc");
    }
}

#[tokio::test]
async fn what_a_server_says_unasked_is_heard() {
    let server = Server::open(|asked| match asked["method"].as_str() {
        Some("GET") => streamed(asked),
        _ => whole(asked),
    })
    .await;
    let (told, mut heard) = watch::channel(String::new());
    let options = ClientOptions {
        notifications: Arc::new(move |method, _| told.send_modify(|last| method.clone_into(last))),
        ..ClientOptions::new("awf", "0")
    };
    let _client = server.client_with(options).await.unwrap();
    let changed = heard.wait_for(|last| last == "notifications/tools/list_changed");
    timeout(Duration::from_secs(5), changed).await.unwrap().unwrap();
    assert_eq!(server.headers("GET")["accept"], "text/event-stream");
}

#[tokio::test]
async fn a_modern_server_gets_the_headers_it_asks_for() {
    fn modern(asked: &Value) -> Option<Response> {
        let answer = match asked["method"].as_str()? {
            "server/discover" => result(
                asked,
                &json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}}),
            ),
            "tools/call" => result(asked, &json!({"resultType": "complete", "content": []})),
            _ => json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32602, "message": "no"}}),
        };
        let mut response = typed("application/json", answer.to_string());
        if answer.get("error").is_some() {
            *response.status_mut() = StatusCode::BAD_REQUEST;
        }
        Some(response)
    }
    let server = Server::open(modern).await;
    for opening in [Opening::LegacyFirst, Opening::Modern] {
        let client = server
            .client_with(ClientOptions { opening, ..ClientOptions::new("awf", "0") })
            .await
            .unwrap();
        assert_eq!(client.server().era, Era::Modern);
        call(&client).await.unwrap();
    }
    let headers = server.headers("tools/call");
    assert_eq!(headers["mcp-protocol-version"], "2026-07-28");
    assert_eq!((headers["mcp-method"].as_str(), headers["mcp-name"].as_str()), ("tools/call", "t"));
}

#[tokio::test]
async fn a_forgotten_session_ends_the_stream() {
    fn forgets(asked: &Value) -> Option<Response> {
        if asked["method"] == "tools/call" {
            Some(empty(StatusCode::NOT_FOUND))
        } else {
            whole(asked)
        }
    }
    let client = Server::open(forgets).await;
    let client = client.client().await.unwrap();
    // Whoever asked is told that nothing was taken.
    assert!(
        matches!(call(&client).await, Err(ClientError::Refused(error)) if error.code == FORGOTTEN)
    );
    assert!(matches!(call(&client).await, Err(ClientError::Closed)));
}

#[tokio::test]
async fn a_call_that_cannot_be_answered_is_an_error_with_its_reason_and_the_rest_goes_on() {
    fn unwell(asked: &Value) -> Option<Response> {
        if asked["method"] != "tools/call" {
            return whole(asked);
        }
        Some(match asked["id"].as_u64()? % 6 {
            0 => Response::builder().status(500).body("it fell over".into()).unwrap(),
            1 => Response::builder()
                .status(307)
                .header("location", "http://evil.example/")
                .body(Body::empty())
                .unwrap(),
            2 => typed("text/html", "<html>"),
            3 => typed("text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"),
            4 => typed("text/event-stream", [b"data: ".to_vec(), vec![b'a'; 17 << 20]].concat()),
            _ => Response::builder().status(401).body(Body::empty()).unwrap(),
        })
    }
    let server = Server::open(unwell).await;
    let client = server.client().await.unwrap();
    let mut reasons = Vec::new();
    for _ in 0..6 {
        let Err(ClientError::Refused(error)) = call(&client).await else { panic!("no error") };
        assert!(!error.message.contains("s3cret") && !error.message.contains("hunter2"), "{error}");
        reasons.push(error.message.into_owned());
    }
    let expected = [
        "answered 500 Internal Server Error: it fell over",
        "leads elsewhere (307 Temporary Redirect), which is not followed",
        "answered with `text/html`, not with MCP",
        "hung up before it answered",
        "an event is longer than",
        "answered 401 Unauthorized; check the server's `headers`",
    ];
    for part in expected {
        assert!(reasons.iter().any(|reason| reason.contains(part)), "{part}: {reasons:?}");
    }
    assert_eq!(client.list_tools().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_call_that_is_withdrawn_hangs_up_and_tells_a_legacy_server() {
    fn stuck(asked: &Value) -> Option<Response> {
        if asked["method"] != "tools/call" {
            return whole(asked);
        }
        let never = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
        Some(typed("text/event-stream", Body::from_stream(never)))
    }
    let mut server = Server::open(stuck).await;
    let client = server.client().await.unwrap();
    let arguments = to_raw_value(&json!({})).unwrap();
    let token = CancellationToken::new();
    let request = ToolRequest { name: "t", arguments: &arguments, meta: None };
    let seen = server.seen.clone();
    let has = |method: &'static str| {
        let seen = seen.clone();
        move |_: &usize| seen.lock().unwrap().iter().any(|seen| seen.body["method"] == method)
    };
    let withdrawn = async {
        server.count.wait_for(has("tools/call")).await.unwrap();
        token.cancel();
    };
    let (called, ()) = tokio::join!(client.call_tool(request, &token), withdrawn);
    assert!(matches!(called, Err(ClientError::Cancelled)));
    let told = server.count.wait_for(has("notifications/cancelled"));
    timeout(Duration::from_secs(5), told).await.unwrap().unwrap();
}

#[tokio::test]
async fn an_address_that_cannot_be_reached_says_why() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://user:pw@{}/mcp?key=s3cret", listener.local_addr().unwrap());
    drop(listener);
    let (reader, writer) = connect(
        &HttpEndpoint { url: &url, headers: &[], redactor: &Redactor::default() },
        &Trouble::default(),
    )
    .unwrap();
    let error = Client::connect(reader, writer, ClientOptions::new("awf", "0"))
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("cannot reach `http://127.0.0.1:"), "{error}");
    assert!(!error.contains("s3cret") && !error.contains("pw"), "{error}");
}

#[tokio::test]
async fn what_is_no_address_or_no_header_is_refused_without_being_shown() {
    for url in ["", "mcp", "file:///etc/passwd", "ftp://host/"] {
        let refused = connect(
            &HttpEndpoint { url, headers: &[], redactor: &Redactor::default() },
            &Trouble::default(),
        );
        assert!(matches!(refused, Err(HttpError::Url)), "{url}");
    }
    for (name, value) in [("bad name", "hunter2"), ("X-Key", "hunter2\r\nX: y")] {
        let headers = [(name.to_owned(), value.to_owned())];
        let error = connect(
            &HttpEndpoint {
                url: "http://localhost/",
                headers: &headers,
                redactor: &Redactor::default(),
            },
            &Trouble::default(),
        )
        .unwrap_err();
        assert!(
            error.to_string().contains(name) && !error.to_string().contains("hunter2"),
            "{error}"
        );
    }
}
