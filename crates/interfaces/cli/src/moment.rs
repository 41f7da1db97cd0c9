//! Points in time, as people type them and as programs read them.

use std::time::SystemTime;

use jiff::{civil::Date, tz::TimeZone};

pub(crate) use awf_core::{elapsed, parse_moment as parse, rfc3339};

/// Reads what [`parse`] reads, or a day: `2026-11-16` is its midnight in UTC, as all times are shown.
pub(crate) fn parse_since(text: &str, now: SystemTime) -> Result<SystemTime, String> {
    let midnight = text.parse::<Date>().ok().filter(|day| day.to_string() == text);
    match midnight.and_then(|day| day.to_zoned(TimeZone::UTC).ok()) {
        Some(midnight) => Ok(midnight.timestamp().into()),
        None => parse(text, now).map_err(|_| {
            format!("`{text}` is no time: write a day like 2026-11-16, a time like 2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d")
        }),
    }
}

#[cfg(test)]
mod tests;
