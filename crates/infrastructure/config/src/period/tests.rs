//! Durations, good and bad.

use std::time::Duration;

use super::parse;

#[test]
fn durations_are_read_to_the_nanosecond() {
    let rows = [
        ("30", Duration::from_secs(30)),
        ("0", Duration::ZERO),
        ("1500ms", Duration::from_millis(1500)),
        ("1h30m", Duration::from_mins(90)),
        ("0.5s", Duration::from_millis(500)),
        (".5s", Duration::from_millis(500)),
        ("1.s", Duration::from_secs(1)),
        ("+2m", Duration::from_mins(2)),
        ("1us", Duration::from_micros(1)),
        ("2µs3ns", Duration::from_nanos(2003)),
        ("1.000000001s", Duration::new(1, 1)),
        ("1h1m1s1ms", Duration::from_millis(3_661_001)),
    ];
    for (text, expected) in rows {
        assert_eq!(parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_duration_says_why() {
    let rows = [
        ("", "the text is empty"),
        ("-1s", "`-1s` is negative"),
        ("soon", "`soon` is no duration"),
        ("1.5", "`1.5` is no duration"),
        ("1d", "`1d` is no duration"),
        ("s", "`s` is no duration"),
        ("1s ", "`1s ` is no duration"),
        ("99999999999999999999", "`99999999999999999999` is too long"),
        ("9999999999999999999h", "`9999999999999999999h` is too long"),
    ];
    for (text, expected) in rows {
        assert_eq!(parse(text), Err(expected.to_owned()), "{text}");
    }
}
