//! The server as HTTP shows it: one request each, with the headers MCP wants. Follows nothing, repeats nothing.

use std::{
    error::Error as _,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use awf_core::{Redactor, shown};
use awf_mcp::MODERN_VERSION;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::{
    Client, RequestBuilder, Response, Url,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect, retry,
};

use crate::http::{HttpEndpoint, HttpError, Trouble, line::Line};

/// How long it may take to reach the server.
const REACH: Duration = Duration::from_secs(10);
const SESSION_ID: &str = "mcp-session-id";

/// A server at an address.
pub(super) struct Remote {
    client: Client,
    url: Url,
    headers: HeaderMap,
    talk: Mutex<Talk>,
    pub(super) trouble: Trouble,
    redactor: Redactor,
}

/// What was settled when the connection was opened.
#[derive(Clone, Default)]
struct Talk {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

impl Remote {
    pub(super) fn new(endpoint: &HttpEndpoint<'_>, trouble: Trouble) -> Result<Self, HttpError> {
        let url = Url::parse(endpoint.url).map_err(|_| HttpError::Url)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(HttpError::Url);
        }
        let mut headers = HeaderMap::new();
        for (name, value) in endpoint.headers {
            let unfit = || HttpError::Header { name: name.clone() };
            let key = HeaderName::try_from(name).map_err(|_| unfit())?;
            let mut value = HeaderValue::try_from(value).map_err(|_| unfit())?;
            value.set_sensitive(true);
            headers.append(key, value);
        }
        // Whoever set a proxy for other programs did not mean it to read this.
        let client = Client::builder()
            .user_agent(concat!("awf/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .no_proxy()
            .connect_timeout(REACH)
            .build()
            .map_err(|error| HttpError::Setup { reason: cause(error) })?;
        let redactor = endpoint.redactor.clone();
        Ok(Self { client, url, headers, talk: Mutex::default(), trouble, redactor })
    }

    /// Sends a line. What went wrong is told in one sentence.
    pub(super) async fn post(&self, line: &Line) -> Result<Response, String> {
        let mut headers = self.common(line.modern);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if let Ok(method) = HeaderValue::try_from(&line.method)
            && !method.is_empty()
        {
            headers.insert("mcp-method", method);
        }
        if line.method == "tools/call"
            && let Some(name) = line.name.as_deref().and_then(carried)
        {
            headers.insert("mcp-name", name);
        }
        let request = self.client.post(self.url.clone()).headers(headers);
        self.send(request.body(line.bytes.clone())).await
    }

    /// Asks for what the server has to say unasked.
    pub(super) async fn listen(&self) -> Result<Response, String> {
        let mut headers = self.common(false);
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        self.send(self.client.get(self.url.clone()).headers(headers)).await
    }

    /// Says goodbye, if there is a session to end.
    pub(super) async fn leave(&self) {
        if self.has_session() {
            let request = self.client.delete(self.url.clone()).headers(self.common(false));
            self.send(request).await.ok();
        }
    }

    /// Keeps the session that an answer to `initialize` gives.
    pub(super) fn enter(&self, response: &Response) {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        talk.session = response.headers().get(SESSION_ID).cloned();
    }

    /// Keeps the version that was settled on.
    pub(super) fn settle(&self, version: &str) {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        talk.version = HeaderValue::try_from(version).ok();
    }

    /// Whether a handshake came about: only such servers are told that a request is withdrawn.
    pub(super) fn is_legacy(&self) -> bool {
        self.talk().version.is_some()
    }

    pub(super) fn has_session(&self) -> bool {
        self.talk().session.is_some()
    }

    /// What the server said, as it may be repeated.
    pub(super) fn without_secrets(&self, said: &[u8]) -> String {
        let text = String::from_utf8_lossy(said);
        self.redactor.text(text.trim()).into_owned()
    }

    /// The address as it may be shown: its user and its query may hold secrets, and its path one that is known.
    pub(super) fn place(&self) -> String {
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let host = self.url.host_str().unwrap_or_default();
        let place = format!("{}://{host}{port}{}", self.url.scheme(), self.url.path());
        shown(&self.redactor.text(&place))
    }

    fn talk(&self) -> Talk {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn common(&self, modern: bool) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if modern {
            headers.insert("mcp-protocol-version", HeaderValue::from_static(MODERN_VERSION));
            return headers;
        }
        let Talk { session, version } = self.talk();
        if let Some(session) = session {
            headers.insert(SESSION_ID, session);
        }
        if let Some(version) = version {
            headers.insert("mcp-protocol-version", version);
        }
        headers
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, String> {
        let sent = request.send().await;
        sent.map_err(|error| format!("cannot reach `{}`: {}", self.place(), cause(error)))
    }
}

/// A name as a header carries it: wrapped where it has what no header may have.
fn carried(name: &str) -> Option<HeaderValue> {
    let plain = name.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && name.trim_ascii() == name
        && !name.starts_with("=?");
    let value =
        if plain { name.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(name)) };
    HeaderValue::try_from(value).ok()
}

/// The innermost reason, without the URL, whose query may hold a key.
pub(super) fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    if error.source().is_some() { shown(&innermost.to_string()) } else { shown(&error.to_string()) }
}
