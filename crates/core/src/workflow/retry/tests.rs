//! How waits grow.

use std::time::Duration;

use super::{Backoff, Retry};
use crate::diagnostic::Span;

fn retry(backoff: Backoff) -> Retry {
    Retry {
        max_attempts: 9,
        initial_delay: Duration::from_millis(100),
        max_delay: Some(Duration::from_millis(350)),
        backoff,
        multiplier: 2.0,
        jitter: 0.0,
        retryable_exit_codes: Vec::new(),
        span: Span::start_of("a.yaml"),
    }
}

#[test]
fn waits_grow_as_the_backoff_says_up_to_the_bound() {
    let waits = |backoff| {
        (2..6).map(|next| retry(backoff).delay_before(next).as_millis()).collect::<Vec<_>>()
    };
    assert_eq!(waits(Backoff::Constant), [100, 100, 100, 100]);
    assert_eq!(waits(Backoff::Linear), [100, 200, 300, 350]);
    assert_eq!(waits(Backoff::Exponential), [100, 200, 350, 350]);
}

#[test]
fn a_wait_beyond_all_bounds_is_the_bound() {
    let far = Retry { multiplier: 1e300, ..retry(Backoff::Exponential) };
    assert_eq!(far.delay_before(u32::MAX), Duration::from_millis(350));
}

#[test]
fn success_is_never_tried_again() {
    assert!(!retry(Backoff::Constant).covers(0));
    assert!(retry(Backoff::Constant).covers(7));
}
