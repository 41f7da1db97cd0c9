//! When a request is made again: after what the server said, or after a while that doubles, never quite the same.

use std::{
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

use jiff::fmt::rfc2822;
use reqwest::{
    StatusCode,
    header::{DATE, HeaderMap, RETRY_AFTER},
};

/// The longest wait, whatever a server asks for.
const LONGEST: Duration = Duration::from_mins(1);
const FIRST: Duration = Duration::from_millis(500);

/// Whether a status is one that passes.
pub(super) fn passes(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 409 | 429)
}

/// How long the server asks to wait. A date is held against the server's own clock.
pub(super) fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let after = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = after.parse::<f64>() {
        let seconds = seconds.clamp(0.0, LONGEST.as_secs_f64());
        return (!seconds.is_nan()).then(|| Duration::from_secs_f64(seconds));
    }
    let until = rfc2822::parse(after).ok()?.timestamp();
    let now = rfc2822::parse(text(DATE)?).ok()?.timestamp();
    let seconds = u64::try_from(until.as_second() - now.as_second()).unwrap_or(0);
    Some(Duration::from_secs(seconds).min(LONGEST))
}

/// How long to wait before the request is made for the `attempt`th time again: half of it is chance, so that many who
/// failed together do not come back together.
pub(super) fn backoff(attempt: usize) -> Duration {
    let doubled = u32::try_from(attempt.min(16)).unwrap_or(16);
    let most = FIRST.saturating_mul(1 << doubled).min(LONGEST);
    let chance = u32::try_from(RandomState::new().hash_one(attempt) % 1000).unwrap_or(0);
    most / 2 + most / 2 * chance / 1000
}

#[cfg(test)]
mod tests;
