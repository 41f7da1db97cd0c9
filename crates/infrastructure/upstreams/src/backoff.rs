//! How long a server that does not start is left alone.

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(30);

/// Starts that failed in a row.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    failures: u32,
    until: Instant,
    /// Why the last one failed.
    reason: Arc<str>,
}

impl Backoff {
    /// One more failure, now.
    pub(crate) fn after(earlier: Option<&Self>, reason: Arc<str>, now: Instant) -> Self {
        let failures = earlier.map_or(0, |earlier| earlier.failures).saturating_add(1);
        Self { failures, until: now + delay(failures, dice()), reason }
    }

    /// Why there is no server now, if it is too early to try again.
    pub(crate) fn refusal(&self, now: Instant) -> Option<String> {
        let left = self.until.saturating_duration_since(now);
        let told = if left >= Duration::from_secs(1) {
            format!("{} s", left.as_secs_f64().ceil())
        } else {
            format!("{} ms", left.as_millis())
        };
        (!left.is_zero()).then(|| format!("{}; next try in {told}", self.reason))
    }
}

/// Doubles with every failure. Half of it is chance, so that servers that fell together do not rise together.
fn delay(failures: u32, dice: u64) -> Duration {
    let doubled =
        FIRST.saturating_mul(1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX));
    let half = doubled.min(LONGEST) / 2;
    let chance = dice % u64::try_from(half.as_millis()).unwrap_or(u64::MAX).max(1);
    half + Duration::from_millis(chance)
}

/// The standard library seeds its hash maps from the system's chance; so can we.
fn dice() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests;
