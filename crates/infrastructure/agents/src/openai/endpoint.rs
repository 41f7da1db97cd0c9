//! Where requests go, and which key goes with them.
//!
//! A workflow comes with a project, and may name any place. The user's keys go to the places the user bound them to: the one
//! of the environment to its own base URL, others by a grant.

use awf_core::{AgentFailure, shown};
use reqwest::Url;

use crate::openai::{ApiKey, OpenAiSettings};

/// A place that speaks chat completions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Endpoint {
    pub(super) url: Url,
    pub(super) key: Option<ApiKey>,
    pub(super) nearness: Nearness,
    /// How the step could have a key, if it has none.
    pub(super) advice: String,
}

/// Whether a place is on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    Loopback,
    Elsewhere,
}

impl Endpoint {
    /// The endpoint beneath `base`, the step's or the default one; a key of the step's own comes first.
    pub(super) fn find(
        settings: &OpenAiSettings,
        base: Option<&str>,
        own: Option<ApiKey>,
    ) -> Result<Self, AgentFailure> {
        let bound = base_url(&settings.default_base_url)?;
        let mut url = base.map_or_else(|| Ok(bound.clone()), base_url)?;
        let origin = url.origin().ascii_serialization();
        let home = bound.origin() == url.origin();
        let key = own
            .or_else(|| settings.key.clone().filter(|_| home))
            .or_else(|| settings.grant(&url).cloned());
        let nearness = nearness(&url);
        if key.is_some() && url.scheme() == "http" && nearness == Nearness::Elsewhere {
            return Err(AgentFailure::Unusable(format!(
                "no key is sent in the clear to `{}`; use https",
                shown(&origin)
            )));
        }
        let advice = advice(&origin, &bound.origin().ascii_serialization());
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["chat", "completions"]);
        }
        Ok(Self { url, key, nearness, advice })
    }

    /// The place as messages name it: a query may hold a key.
    pub(super) fn shown(&self) -> String {
        place(&self.url)
    }
}

impl OpenAiSettings {
    fn grant(&self, url: &Url) -> Option<&ApiKey> {
        let granted = |origin: &str| Url::parse(origin).is_ok_and(|it| it.origin() == url.origin());
        self.grants.iter().find(|(origin, _)| granted(origin)).map(|(_, key)| key)
    }
}

/// Scheme, host and path.
pub(super) fn place(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn base_url(text: &str) -> Result<Url, AgentFailure> {
    let unusable = |reason: &str| {
        AgentFailure::Unusable(format!("`base_url: {}` {reason}", shown(&without_user(text))))
    };
    let url = Url::parse(text.trim()).map_err(|error| unusable(&format!("is no URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(unusable("must begin with `https://` or `http://`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(unusable("must not hold a user or a password; `api_key` is for keys"));
    }
    Ok(url)
}

/// What stands before an `@` may be a password.
fn without_user(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((_, behind)) => format!("…@{behind}"),
        None => text.split('?').next().unwrap_or_default().to_owned(),
    }
}

fn nearness(url: &Url) -> Nearness {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    if host == "localhost" || address.is_ok_and(|address| address.is_loopback()) {
        Nearness::Loopback
    } else {
        Nearness::Elsewhere
    }
}

fn advice(origin: &str, bound: &str) -> String {
    if origin == bound {
        return "set OPENAI_API_KEY, or give the step an `api_key`".to_owned();
    }
    format!(
        "OPENAI_API_KEY goes to `{}` only; grant `{}` a key under `agents.keys` of the user's `config.yaml`, or give \
         the step an `api_key`",
        shown(bound),
        shown(origin)
    )
}

#[cfg(test)]
mod tests;
