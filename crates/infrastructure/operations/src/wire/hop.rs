//! One redirect: what is sent on, and what is held back.

use reqwest::{
    Method, StatusCode, Url,
    header::{
        ACCEPT, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE, HeaderMap,
        HeaderName, HeaderValue, USER_AGENT,
    },
};

use crate::{
    trouble::Trouble,
    wire::{Outgoing, origin},
};

/// All that another origin is told. A list of secrets would be short of one: any header may be a key.
const HARMLESS: [HeaderName; 6] =
    [ACCEPT, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE, USER_AGENT];
/// What describes a body goes with it.
const OF_THE_BODY: [HeaderName; 3] = [CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE];

/// Whether an answer of this status leads on, given that it says where.
pub(super) fn follows(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The request that follows from `sent`.
pub(super) fn next(
    sent: Outgoing,
    status: StatusCode,
    location: &HeaderValue,
) -> Result<Outgoing, Trouble> {
    let url = target(&sent.url, location)?;
    let mut next = sent;
    if turns_to_get(status, &next.method) {
        next.method = Method::GET;
        next.body = None;
        for name in OF_THE_BODY {
            next.headers.remove(name);
        }
    }
    if url.origin() == next.url.origin() {
        next.url = with_user_of(url, &next.url);
    } else {
        next.headers = harmless(&next.headers);
        next.url = url;
    }
    Ok(next)
}

fn target(from: &Url, location: &HeaderValue) -> Result<Url, Trouble> {
    let led = || format!("`{}` leads elsewhere", origin(from));
    let to = location.to_str().ok().and_then(|to| from.join(to).ok());
    let to = to.ok_or_else(|| Trouble::told(format!("{}, but to no URL", led())))?;
    if !matches!(to.scheme(), "http" | "https") || !to.has_host() {
        let reason = "which is not followed: only http and https are";
        return Err(Trouble::told(format!("{}, to `{}:`, {reason}", led(), to.scheme())));
    }
    Ok(to)
}

/// As browsers do it.
fn turns_to_get(status: StatusCode, method: &Method) -> bool {
    match status {
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => *method == Method::POST,
        StatusCode::SEE_OTHER => *method != Method::HEAD && *method != Method::GET,
        _ => false,
    }
}

/// Whoever may ask one page of an origin may ask the next; the header is made from the URL each time.
fn with_user_of(mut url: Url, from: &Url) -> Url {
    if url.username().is_empty() && url.password().is_none() {
        // Fails for URLs without a host only.
        let _: Result<(), ()> =
            url.set_username(from.username()).and_then(|()| url.set_password(from.password()));
    }
    url
}

fn harmless(headers: &HeaderMap) -> HeaderMap {
    let kept = headers.iter().filter(|(name, _)| HARMLESS.contains(name));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}
