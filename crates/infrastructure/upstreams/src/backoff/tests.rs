//! Delays grow, differ and have an end.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{Backoff, FIRST, LONGEST, delay};

#[test]
fn delays_double_up_to_the_longest() {
    for (failures, most) in [
        (1, FIRST),
        (2, FIRST * 2),
        (3, FIRST * 4),
        (8, LONGEST),
        (9, LONGEST),
        (u32::MAX, LONGEST),
    ] {
        for dice in [0, 7, 12_345, u64::MAX] {
            let delay = delay(failures, dice);
            assert!(delay >= most / 2 && delay < most, "{failures}: {delay:?}");
        }
    }
    assert_ne!(delay(5, 1), delay(5, 1_000));
}

#[test]
fn a_failure_is_told_until_its_time_is_over() {
    let now = Instant::now();
    let first = Backoff::after(None, Arc::from("server `x` left"), now);
    let told = first.refusal(now).unwrap();
    assert!(told.starts_with("server `x` left; next try in ") && told.ends_with(" ms"), "{told}");
    assert_eq!(first.refusal(now + FIRST), None);
    let mut backoff = first;
    for _ in 0..10 {
        backoff = Backoff::after(Some(&backoff), Arc::from("again"), now);
    }
    let told = backoff.refusal(now + LONGEST / 2 - Duration::from_millis(1)).unwrap();
    assert!(told.ends_with(" s") || told.ends_with(" ms"), "{told}");
    assert_eq!(backoff.refusal(now + LONGEST), None);
}
