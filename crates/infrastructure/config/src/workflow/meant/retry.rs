//! The `retry` block: numbers that can be followed.

use std::time::Duration;

use awf_core::{Backoff, Code, Diagnostic, Located, Retry};

use crate::{
    period::Period,
    reader::{Field, Findings},
    workflow::typed::RetryTyped,
};

/// The factor of an exponential backoff that names none.
const DOUBLING: f64 = 2.0;

/// What the block means; one that cannot be followed is told and left out.
pub(super) fn retry(typed: Field<RetryTyped>, findings: &mut Findings<'_>) -> Option<Retry> {
    let Field::Given(place, typed) = typed else { return None };
    let max_attempts = attempts(typed.max_attempts.given(), findings);
    let initial_delay = delay(typed.initial_delay, findings);
    let max_delay = delay(typed.max_delay, findings);
    let multiplier = multiplier(typed.multiplier.given(), findings);
    let jitter = jitter(typed.jitter.given(), findings);
    let codes = typed.retryable_exit_codes.given().unwrap_or_default();
    let codes = codes.into_iter().filter_map(|code| exit_code(code, findings)).collect();
    Some(Retry {
        max_attempts: max_attempts?,
        initial_delay: initial_delay.unwrap_or_default(),
        max_delay: max_delay.filter(|delay| !delay.is_zero()),
        backoff: typed.backoff.given().map_or(Backoff::default(), |backoff| backoff.0),
        multiplier,
        jitter,
        retryable_exit_codes: codes,
        span: findings.span(place),
    })
}

fn attempts(typed: Option<Located<i64>>, findings: &mut Findings<'_>) -> Option<u32> {
    let typed = typed?;
    let attempts = u32::try_from(typed.value).ok().filter(|attempts| *attempts > 0);
    if attempts.is_none() {
        let message = format!("`max_attempts` is {}, which leaves no attempt at all", typed.value);
        refuse(message, "use 1 or more; 1 is no retry", typed, findings);
    }
    attempts
}

fn delay(typed: Field<Period>, findings: &mut Findings<'_>) -> Option<Duration> {
    let period = typed.given()?;
    let why = match period.duration {
        Ok(duration) => return Some(duration),
        Err(why) => why,
    };
    let hint = "write whole seconds (`30`) or a duration (`1500ms`, `2m`)";
    findings.hint(Code::InvalidRetry, period.place, format!("the delay {why}"), hint);
    None
}

fn multiplier(typed: Option<Located<f64>>, findings: &mut Findings<'_>) -> f64 {
    let Some(typed) = typed else { return DOUBLING };
    if typed.value > 0.0 {
        return typed.value;
    }
    let message = format!("`multiplier` is {}, which is not above 0", typed.value);
    refuse(message, "use a number above 0", typed, findings);
    DOUBLING
}

fn jitter(typed: Option<Located<f64>>, findings: &mut Findings<'_>) -> f64 {
    let Some(typed) = typed else { return 0.0 };
    if (0.0..=1.0).contains(&typed.value) {
        return typed.value;
    }
    let message = format!("`jitter` is {}, which is not between 0 and 1", typed.value);
    refuse(message, "use a number from 0 to 1", typed, findings);
    0.0
}

fn exit_code(typed: Located<i64>, findings: &mut Findings<'_>) -> Option<Located<i32>> {
    let code = i32::try_from(typed.value).ok().filter(|code| (1..=255).contains(code));
    if let Some(value) = code {
        return Some(Located { value, span: typed.span });
    }
    let message = format!("{} is no exit code of a failure", typed.value);
    refuse(message, "use 1 to 255", typed, findings);
    None
}

fn refuse<T>(message: String, hint: &str, typed: Located<T>, findings: &mut Findings<'_>) {
    findings.add_at(Diagnostic::new(Code::InvalidRetry, message).hinting(hint), typed.span);
}
