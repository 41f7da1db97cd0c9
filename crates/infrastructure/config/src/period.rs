//! Durations as people write them: whole seconds, or numbers with units as in `1h30m`, `1500ms`, `0.5s`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    reader::{Findings, Shape},
    schema::Definitions,
    yaml::{Node, Place},
};

/// Units and their nanoseconds; of two that begin alike the longer stands first.
const UNITS: &[(&str, u128)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];
/// Digits behind the point that count: further ones are less than a nanosecond of the largest unit.
const FRACTION: usize = 15;

/// A duration, or why it is none. What that means is for the key to say.
#[derive(Clone, Debug)]
pub(crate) struct Period {
    pub(crate) place: Place,
    pub(crate) duration: Result<Duration, String>,
}

impl Shape for Period {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, "whole seconds or a duration such as `1500ms`");
            return None;
        };
        Some(Self { place: node.place, duration: parse(&scalar.text) })
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "string", "pattern": "^\\+?([0-9]+|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$" },
        ] })
    }
}

/// Reads a duration.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let shown = awf_core::shown(text);
    if text.starts_with('-') {
        return Err(format!("`{shown}` is negative"));
    }
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    if !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()) {
        return rest.parse().map(Duration::from_secs).map_err(|_| format!("`{shown}` is too long"));
    }
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let (nanos, behind) = part(rest).ok_or_else(|| format!("`{shown}` is no duration"))?;
        total = total.checked_add(nanos).ok_or_else(|| format!("`{shown}` is too long"))?;
        rest = behind;
    }
    if text.is_empty() {
        return Err("the text is empty".to_owned());
    }
    let seconds =
        u64::try_from(total / 1_000_000_000).map_err(|_| format!("`{shown}` is too long"))?;
    Ok(Duration::new(seconds, u32::try_from(total % 1_000_000_000).unwrap_or_default()))
}

/// One number with its unit in nanoseconds, and what comes behind.
fn part(text: &str) -> Option<(u128, &str)> {
    let (whole, rest) = digits(text);
    let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), digits);
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (unit, nanos) = UNITS.iter().find(|(unit, _)| rest.starts_with(unit))?;
    let fraction = fraction.get(..fraction.len().min(FRACTION))?;
    let scale = 10_u128.pow(u32::try_from(fraction.len()).ok()?);
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let below: u128 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let value = whole.checked_mul(*nanos)?.checked_add(below * nanos / scale)?;
    Some((value, rest.strip_prefix(unit)?))
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests;
