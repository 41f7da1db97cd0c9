//! Visits end: by being left, by waiting too long, by too many others.

use std::time::Duration;

use super::Visits;

const DAY: Duration = Duration::from_hours(24);

#[test]
fn a_visit_lasts_until_it_is_ended() {
    let visits = Visits::new(4, DAY);
    let (one, other) = (visits.admit().unwrap(), visits.admit().unwrap());
    assert!(visits.is_open(&one) && visits.is_open(&other));
    assert!(!visits.is_open("") && !visits.is_open(&one[1..]));
    visits.end(&one);
    assert!(!visits.is_open(&one) && visits.is_open(&other));
}

#[test]
fn a_visitor_who_is_away_too_long_is_gone() {
    let visits = Visits::new(4, Duration::ZERO);
    let id = visits.admit().unwrap();
    assert!(!visits.is_open(&id));
}

#[test]
fn there_are_never_more_than_so_many() {
    let visits = Visits::new(2, DAY);
    let ids: Vec<String> = (0..3).map(|_| visits.admit().unwrap()).collect();
    let open: Vec<bool> = ids.iter().map(|id| visits.is_open(id)).collect();
    assert_eq!(open, [false, true, true]);
}
