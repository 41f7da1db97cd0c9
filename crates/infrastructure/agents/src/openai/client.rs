//! One request over HTTP. Nothing is followed, nothing is repeated, nothing is unpacked.

use std::{error::Error as _, time::Duration};

use awf_core::{AgentFailure, shown};
use reqwest::{
    Client, NoProxy, Proxy, Response, StatusCode,
    header::{
        ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName,
        LOCATION,
    },
    redirect, retry,
};
use tokio::time::timeout;

use crate::openai::{
    ProxyVariables,
    endpoint::{Endpoint, Nearness, place},
    retry::{asked_wait, passes},
    trouble::{Remedy, Trouble, words},
    wire::{self, Chunk},
};

/// Bytes of an error that are read.
const LONGEST_ERROR: usize = 64 * 1024;
/// How long an error may take to be told.
const ERROR_PATIENCE: Duration = Duration::from_secs(10);

/// The kinds of body that are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Server-sent events.
    Stream,
    /// One JSON object: the server does not stream.
    Whole,
}

/// Speaks with one endpoint.
pub(super) struct Wire {
    client: Client,
    endpoint: Endpoint,
}

impl Wire {
    pub(super) fn new(endpoint: Endpoint, proxies: &ProxyVariables) -> Result<Self, AgentFailure> {
        let mut builder = Client::builder()
            .user_agent(concat!("awf/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .no_proxy();
        if endpoint.nearness == Nearness::Elsewhere {
            for proxy in proxies.proxies()? {
                builder = builder.proxy(proxy);
            }
        }
        let client = builder.build().map_err(|error| AgentFailure::Start(cause(error)))?;
        Ok(Self { client, endpoint })
    }

    /// Posts `body`; the answer has yet to be read.
    pub(super) async fn post(&self, body: Vec<u8>) -> Result<(Response, Form), Trouble> {
        let mut request = self
            .client
            .post(self.endpoint.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .header(ACCEPT_ENCODING, "identity")
            .body(body);
        if let Some(key) = &self.endpoint.key {
            request = request.header(AUTHORIZATION, key.header().map_err(Trouble::lasting)?);
        }
        let sent = request.send().await;
        let response = sent.map_err(|error| {
            Trouble::passing(format!("cannot reach `{}`: {}", self.endpoint.shown(), cause(error)))
        })?;
        tracing::debug!(
            place = self.endpoint.shown(),
            status = response.status().as_u16(),
            "model"
        );
        match response.status() {
            StatusCode::OK => self.form(&response).map(|form| (response, form)),
            _ => Err(self.refused(response).await),
        }
    }

    fn form(&self, response: &Response) -> Result<Form, Trouble> {
        let place = self.endpoint.shown();
        let encoding = header(response, CONTENT_ENCODING).unwrap_or_default();
        if !matches!(encoding, "" | "identity") {
            let encoding = shown(encoding);
            return Err(Trouble::lasting(format!(
                "`{place}` answered in the encoding `{encoding}`, which it was not asked for"
            )));
        }
        let full = header(response, CONTENT_TYPE).unwrap_or_default();
        let kind = full.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "text/event-stream" => Ok(Form::Stream),
            "application/json" => Ok(Form::Whole),
            _ => Err(Trouble::lasting(format!(
                "`{place}` answered with `{}`, not with a completion; is `base_url` right? it often ends in `/v1`",
                shown(full)
            ))),
        }
    }

    async fn refused(&self, response: Response) -> Trouble {
        let (status, place) = (response.status(), self.endpoint.shown());
        if status.is_redirection() {
            let to = header(&response, LOCATION).and_then(|to| self.endpoint.url.join(to).ok());
            let to = to.map_or_else(|| "nowhere".to_owned(), |to| shown(&self::place(&to)));
            return Trouble::lasting(format!(
                "`{place}` leads elsewhere, to `{to}`, which is not followed; if that is right, name it in `base_url`"
            ));
        }
        let remedy = match status {
            status if passes(status) => Remedy::Again(asked_wait(response.headers())),
            _ => Remedy::None,
        };
        let told = timeout(ERROR_PATIENCE, error_text(response)).await.unwrap_or_default();
        let remedy = match status {
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY
                if told.contains("stream_options") =>
            {
                Remedy::WithoutUsage
            }
            _ => remedy,
        };
        let mut message = format!("`{place}` answered {status}");
        for part in [words(&told), self.advice(status)].into_iter().filter(|part| !part.is_empty())
        {
            message = format!("{message}; {part}");
        }
        Trouble::new(message, remedy)
    }

    fn advice(&self, status: StatusCode) -> String {
        match (status, &self.endpoint.key) {
            (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, None) => {
                format!("no key was sent: {}", self.endpoint.advice)
            }
            _ => String::new(),
        }
    }
}

impl ProxyVariables {
    fn proxies(&self) -> Result<Vec<Proxy>, AgentFailure> {
        let except = self.except.as_deref().and_then(NoProxy::from_string);
        let made = [
            self.https.as_ref().map(|url| ("HTTPS_PROXY", Proxy::https(url))),
            self.http.as_ref().map(|url| ("HTTP_PROXY", Proxy::http(url))),
        ];
        let made = made.into_iter().flatten().map(|(name, proxy)| match proxy {
            Ok(proxy) => Ok(proxy.no_proxy(except.clone())),
            Err(_) => Err(AgentFailure::Unusable(format!("{name} does not name a proxy"))),
        });
        made.collect()
    }
}

fn header(response: &Response, name: HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

/// The words of an error, as far as they are read.
async fn error_text(mut response: Response) -> String {
    let mut body = Vec::new();
    while body.len() < LONGEST_ERROR {
        let Ok(Some(more)) = response.chunk().await else { break };
        body.extend_from_slice(&more);
    }
    body.truncate(LONGEST_ERROR);
    let text = String::from_utf8_lossy(&body);
    let told = serde_json::from_str::<Chunk<'_>>(&text).ok().and_then(|chunk| chunk.error);
    told.map_or_else(|| text.clone().into_owned(), wire::complaint)
}

/// The innermost reason, without the URL, whose query may hold a key.
pub(super) fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    if error.source().is_some() { words(&innermost.to_string()) } else { words(&error.to_string()) }
}
