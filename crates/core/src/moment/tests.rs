//! Times in and out.

use std::time::{Duration, SystemTime};

use super::{parse_moment, rfc3339};

#[test]
fn times_are_read_absolute_or_as_how_long_ago() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let rows = [
        ("1970-01-01T00:00:10Z", 10),
        ("90s", 999_910),
        ("15m", 999_100),
        ("2h", 992_800),
        ("1d", 913_600),
    ];
    for (text, seconds) in rows {
        assert_eq!(
            parse_moment(text, now).unwrap(),
            SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_time_is_named() {
    for text in
        ["", "yesterday", "10", "5y", "-3h", "99999999999999999999d", "9223372036854775807d"]
    {
        assert!(parse_moment(text, SystemTime::now()).unwrap_err().contains(text), "{text}");
    }
}

#[test]
fn times_are_written_in_utc_with_milliseconds() {
    assert_eq!(
        rfc3339(SystemTime::UNIX_EPOCH + Duration::from_millis(1_500)),
        "1970-01-01T00:00:01.500Z"
    );
}
