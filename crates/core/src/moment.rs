//! Points in time, as people type them and as programs read them. The clock is the caller's.

use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

/// RFC 3339 in UTC with milliseconds.
pub fn rfc3339(at: SystemTime) -> String {
    Timestamp::try_from(at).map_or_else(|_| "unknown".to_owned(), |at| format!("{at:.3}"))
}

/// How long something took, as a person reads it.
pub fn elapsed(span: Duration) -> String {
    match span.as_secs() {
        0 => format!("{} ms", span.as_millis()),
        1..60 => format!("{:.1} s", span.as_secs_f64()),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// Reads an RFC 3339 time, or how long ago: `90s`, `15m`, `2h`, `7d`.
pub fn parse_moment(text: &str, now: SystemTime) -> Result<SystemTime, String> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at.into());
    }
    let (digits, unit) =
        text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => 0,
    };
    let ago = digits
        .parse::<i64>()
        .ok()
        .filter(|_| seconds > 0)
        .and_then(|count| count.checked_mul(seconds));
    let now = Timestamp::try_from(now).map_err(|error| error.to_string())?;
    ago.and_then(|ago| now.checked_sub(SignedDuration::from_secs(ago)).ok())
        .map(Into::into)
        .ok_or_else(|| format!("`{text}` is no time: write one like 2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d"))
}

#[cfg(test)]
mod tests;
