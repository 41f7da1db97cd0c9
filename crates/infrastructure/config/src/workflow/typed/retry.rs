//! The `retry` block as typed.

use awf_core::{Backoff, Located};
use serde_json::{Map, Value, json};

use crate::{
    period::Period,
    reader::{Choice, Word, object},
    workflow::typed::bounds,
};

object! {
    /// Whether and how a step is tried again.
    pub(crate) struct RetryTyped, rules = ranges;
    /// How often in all, the first time included; at least 1.
    max_attempts: Located<i64>, required;
    /// The wait before the second attempt; none when absent.
    initial_delay: Period;
    /// No wait is longer; 0 is without bound.
    max_delay: Period;
    /// How waits grow; `constant` when absent.
    backoff: Choice<Backoff>;
    /// The factor of an exponential backoff; 2 when absent.
    multiplier: Located<f64>;
    /// The part of a wait, 0 to 1, by which it is randomly longer or shorter.
    jitter: Located<f64>;
    /// Only these exit codes are tried again; any but 0 when absent.
    retryable_exit_codes: Vec<Located<i64>>;
}

fn ranges() -> Map<String, Value> {
    bounds(&json!({
        "max_attempts": { "minimum": 1 },
        "multiplier": { "exclusiveMinimum": 0 },
        "jitter": { "minimum": 0, "maximum": 1 },
        "retryable_exit_codes": { "items": { "minimum": 1, "maximum": 255 } },
    }))
}

impl Word for Backoff {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("constant", Self::Constant),
        ("linear", Self::Linear),
        ("exponential", Self::Exponential),
    ];
}
