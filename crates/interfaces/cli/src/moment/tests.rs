//! Times in and out.

use std::time::{Duration, SystemTime};

use super::{elapsed, parse_since};

#[test]
fn a_day_begins_at_midnight_in_utc() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for (text, seconds) in [("1970-01-02", 86_400), ("1970-01-01T00:00:10Z", 10), ("90s", 999_910)]
    {
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(parse_since(text, now), Ok(at), "{text}");
    }
    for text in ["", "1970-01", "1970-13-01", "1970-02-30", "19700102", "today"] {
        let error = parse_since(text, now).unwrap_err();
        assert!(error.starts_with(&format!("`{text}` is no time: write a day like")), "{error}");
    }
}

#[test]
fn a_duration_is_as_long_as_it_needs_to_be() {
    for (millis, text) in [
        (0, "0 ms"),
        (999, "999 ms"),
        (1500, "1.5 s"),
        (59_900, "59.9 s"),
        (60_000, "1 min 00 s"),
        (7_265_000, "121 min 05 s"),
    ] {
        assert_eq!(elapsed(Duration::from_millis(millis)), text);
    }
}
