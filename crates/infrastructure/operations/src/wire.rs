//! A request over HTTP, and what came of it: redirects followed with care, the answer read up to a limit.

use std::{ffi::OsString, sync::OnceLock, time::Duration};

use bytes::Bytes;
use reqwest::{
    Client, ClientBuilder, Method, Response, StatusCode, Url,
    header::{HeaderMap, LOCATION},
    redirect, retry,
};
use tokio::time::{error::Elapsed, timeout};
use tokio_util::sync::CancellationToken;

use crate::trouble::Trouble;

mod fault;
mod hop;
mod proxies;

use fault::cause;
use proxies::ProxyVariables;

/// Redirects followed at most.
const MOST_HOPS: usize = 5;
/// Bytes of an answer that are kept.
const LONGEST_BODY: usize = 1 << 20;

/// What is sent.
#[derive(Clone)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
}

/// What came back.
pub(crate) struct Incoming {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// There was more of the body.
    pub(crate) truncated: bool,
}

/// The way out.
pub(crate) struct Wire {
    proxies: ProxyVariables,
    /// For this machine, which is reached without a proxy.
    near: OnceLock<Client>,
    far: OnceLock<Client>,
}

impl Wire {
    /// Proxies are those of `env`.
    pub(crate) fn new(env: &[(OsString, OsString)]) -> Self {
        let proxies = ProxyVariables::read(env);
        Self { proxies, near: OnceLock::new(), far: OnceLock::new() }
    }

    /// Sends it and reads the answer, all of it within `limit`.
    pub(crate) async fn ask(
        &self,
        outgoing: Outgoing,
        limit: Duration,
        cancel: &CancellationToken,
    ) -> Result<Incoming, Trouble> {
        let place = origin(&outgoing.url);
        let answered = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Trouble::Cancelled),
            answered = timeout(limit, self.follow(outgoing)) => answered,
        };
        answered.unwrap_or_else(|Elapsed { .. }| {
            let limit = limit.as_secs();
            Err(Trouble::told(format!("`{place}` did not answer within {limit} s")))
        })
    }

    async fn follow(&self, mut outgoing: Outgoing) -> Result<Incoming, Trouble> {
        for _ in 0..=MOST_HOPS {
            let response = self.send(&outgoing).await?;
            let location = response.headers().get(LOCATION);
            match (hop::follows(response.status()), location) {
                (true, Some(location)) => {
                    outgoing = hop::next(outgoing, response.status(), location)?;
                }
                _ => return read(response, &outgoing.url).await,
            }
        }
        let place = origin(&outgoing.url);
        Err(Trouble::told(format!("more than {MOST_HOPS} redirects; the last led to `{place}`")))
    }

    async fn send(&self, outgoing: &Outgoing) -> Result<Response, Trouble> {
        let client = self.client(&outgoing.url)?;
        let request = client
            .request(outgoing.method.clone(), outgoing.url.clone())
            .headers(outgoing.headers.clone());
        let request = match &outgoing.body {
            Some(body) => request.body(body.clone()),
            None => request,
        };
        let place = origin(&outgoing.url);
        request
            .send()
            .await
            .map_err(|error| Trouble::told(format!("cannot reach `{place}`: {}", cause(error))))
    }

    fn client(&self, url: &Url) -> Result<&Client, Trouble> {
        let (slot, proxies) = if proxies::is_near(url) {
            (&self.near, Vec::new())
        } else {
            (&self.far, self.proxies.proxies()?)
        };
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let builder = Client::builder()
            .user_agent(concat!("awf/", env!("CARGO_PKG_VERSION")))
            // Followed here: only we know which headers are secrets.
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            // A connection kept open would outlive its call.
            .pool_max_idle_per_host(0)
            .no_proxy();
        let builder = proxies.into_iter().fold(builder, ClientBuilder::proxy);
        let client = builder.build().map_err(|error| Trouble::told(cause(error)))?;
        Ok(slot.get_or_init(|| client))
    }
}

async fn read(mut response: Response, url: &Url) -> Result<Incoming, Trouble> {
    let (status, headers) = (response.status(), response.headers().clone());
    let broken = |error| {
        let place = origin(url);
        Trouble::told(format!("the answer of `{place}` broke off: {}", cause(error)))
    };
    let mut body = Vec::new();
    while body.len() <= LONGEST_BODY
        && let Some(more) = response.chunk().await.map_err(broken)?
    {
        body.extend_from_slice(&more);
    }
    let truncated = body.len() > LONGEST_BODY;
    body.truncate(LONGEST_BODY);
    Ok(Incoming { status, headers, body, truncated })
}

/// All of a URL that a message may hold: a user, a path and a query may be keys.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}
