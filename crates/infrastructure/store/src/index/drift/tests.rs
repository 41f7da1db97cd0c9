//! A range of times as a range of ids, whatever the clock did.

use std::time::{Duration, SystemTime};

use awf_core::{ActivityFilter, ActivityId};
use ulid::Ulid;

use super::Drift;
use crate::wire::nanos;

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The id of a moment, in the middle of all that it could have.
fn id(seconds: u64) -> ActivityId {
    ActivityId::parse(&Ulid::from_parts(seconds * 1_000, u128::MAX >> 50).to_string()).unwrap()
}

#[test]
fn no_call_of_the_range_is_outside_the_ids() {
    // As made, after the clock was put back by an hour, and before it was put forward by a day.
    let calls = [(10_000, 10_000), (13_600, 10_000), (20_000, 106_400)];
    let mut drift = Drift::default();
    for (made, began) in calls {
        drift.note(id(made), nanos(at(began)));
    }
    for (made, began) in calls {
        let filter = ActivityFilter {
            since: Some(at(began)),
            until: Some(at(began) + Duration::from_nanos(1)),
            ..ActivityFilter::default()
        };
        let id = id(made).to_string();
        assert!(drift.first_id(&filter).unwrap() <= id, "{made} {began}");
        assert!(drift.last_id(&filter).unwrap() > id, "{made} {began}");
    }
}

#[test]
fn without_a_drift_the_ids_of_other_times_are_outside() {
    let mut drift = Drift::default();
    drift.note(id(50), nanos(at(50)));
    let filter =
        ActivityFilter { since: Some(at(50)), until: Some(at(60)), ..ActivityFilter::default() };
    assert!(drift.first_id(&filter).unwrap() > id(49).to_string());
    assert!(drift.last_id(&filter).unwrap() < id(61).to_string());
    let before_time = ActivityFilter {
        since: Some(SystemTime::UNIX_EPOCH - Duration::from_secs(1)),
        ..ActivityFilter::default()
    };
    assert_eq!(drift.first_id(&before_time).unwrap(), Ulid::nil().to_string());
}
