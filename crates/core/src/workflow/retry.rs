//! Whether and how a step is tried again.

use std::time::Duration;

use crate::{diagnostic::Span, workflow::Located};

/// Trying again.
#[derive(Clone, Debug, PartialEq)]
pub struct Retry {
    /// How often in all, the first time included; at least 1.
    pub max_attempts: u32,
    /// The wait before the second attempt.
    pub initial_delay: Duration,
    /// No wait is longer; `None` is without bound.
    pub max_delay: Option<Duration>,
    /// How waits grow.
    pub backoff: Backoff,
    /// The factor of an exponential backoff.
    pub multiplier: f64,
    /// The part of a wait, 0 to 1, by which it is randomly longer or shorter.
    pub jitter: f64,
    /// Only these exit codes are tried again; empty is any but 0.
    pub retryable_exit_codes: Vec<Located<i32>>,
    /// The block.
    pub span: Span,
}

/// How waits grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backoff {
    /// Always the first.
    #[default]
    Constant,
    /// The first times the attempt's number.
    Linear,
    /// The first times a power of the multiplier.
    Exponential,
}

impl Retry {
    /// The wait before attempt `next` (2 is the first retry), before jitter.
    pub fn delay_before(&self, next: u32) -> Duration {
        let failed = next.saturating_sub(1).max(1);
        let factor = match self.backoff {
            Backoff::Constant => 1.0,
            Backoff::Linear => f64::from(failed),
            Backoff::Exponential => {
                self.multiplier.powi(i32::try_from(failed - 1).unwrap_or(i32::MAX))
            }
        };
        let bound = self.max_delay.unwrap_or(Duration::MAX);
        Duration::try_from_secs_f64(self.initial_delay.as_secs_f64() * factor)
            .unwrap_or(bound)
            .min(bound)
    }

    /// Whether a failure with this exit code is tried again.
    pub fn covers(&self, exit_code: i32) -> bool {
        exit_code != 0
            && (self.retryable_exit_codes.is_empty()
                || self.retryable_exit_codes.iter().any(|code| code.value == exit_code))
    }
}

#[cfg(test)]
mod tests;
