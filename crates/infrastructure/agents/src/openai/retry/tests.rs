//! Waits as servers ask for them.

use std::time::Duration;

use reqwest::{
    StatusCode,
    header::{DATE, HeaderMap, RETRY_AFTER},
};

use super::{asked_wait, backoff, passes};

#[test]
fn a_wait_is_in_seconds_or_until_a_date_and_bounded() {
    let date = "Wed, 21 Oct 2026 07:28:00 GMT";
    let rows = [
        ("7", None, Some(7.0)),
        (" 1.5 ", None, Some(1.5)),
        ("0", None, Some(0.0)),
        ("-3", None, Some(0.0)),
        ("100000", None, Some(60.0)),
        ("NaN", None, None),
        ("soon", Some(date), None),
        ("Wed, 21 Oct 2026 07:28:09 GMT", Some(date), Some(9.0)),
        ("Wed, 21 Oct 2026 07:27:00 GMT", Some(date), Some(0.0)),
        ("Thu, 22 Oct 2026 07:28:00 GMT", Some(date), Some(60.0)),
        ("Wed, 21 Oct 2026 07:28:09 GMT", None, None),
    ];
    for (after, now, seconds) in rows {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, after.parse().unwrap());
        now.map(|now| headers.insert(DATE, now.parse().unwrap()));
        assert_eq!(asked_wait(&headers), seconds.map(Duration::from_secs_f64), "{after}");
    }
    assert_eq!(asked_wait(&HeaderMap::new()), None);
}

#[test]
fn waits_double_with_some_chance_up_to_a_bound() {
    for (attempt, most) in [(0, 500), (1, 1000), (3, 4000), (50, 60_000)] {
        let wait = backoff(attempt);
        let most = Duration::from_millis(most);
        assert!(most / 2 <= wait && wait <= most, "{attempt}: {wait:?}");
    }
}

#[test]
fn some_statuses_pass() {
    let passing = [408, 409, 429, 500, 502, 503, 504, 529];
    let lasting = [400, 401, 403, 404, 413, 422];
    let status = |code: &u16| passes(StatusCode::from_u16(*code).unwrap());
    assert!(passing.iter().all(status) && !lasting.iter().any(status));
}
