//! The size of jitter.

use super::*;

#[test]
fn jitter_stays_within_its_share() {
    let base = Duration::from_secs(10);
    for _ in 0..1000 {
        let wait = jittered(base, 0.2).as_secs_f64();
        assert!((8.0..=12.0).contains(&wait), "{wait}");
    }
    assert_eq!(jittered(base, 0.0), base);
}
