//! Moments, places and widths.

use std::time::{Duration, SystemTime};

use awf_core::Stretch;

use super::{Axis, Piece};

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn axis(stretches: &[(u64, u64)]) -> Axis {
    let stretch = |(began, until): &(u64, u64)| Stretch { began: at(*began), until: at(*until) };
    let stretches: Vec<Stretch> = stretches.iter().map(stretch).collect();
    let total = stretches.iter().map(|stretch| stretch.length()).sum();
    Axis { stretches, total }
}

#[test]
fn the_time_between_two_stretches_takes_no_room() {
    let axis = axis(&[(100, 110), (9_000, 9_030)]);
    assert_eq!(axis.total(), Duration::from_secs(40));
    assert_eq!(axis.breaks().collect::<Vec<_>>(), [250]);
    for (began, until, x, width) in [
        (100, 110, 0, 250),
        (100, 9_030, 0, 1_000),
        (105, 105, 125, 4),
        (110, 9_000, 250, 4),
        (9_015, 9_030, 625, 375),
        // What ends at the very end stays on the picture, as does what a wrong clock says.
        (9_030, 9_030, 996, 4),
        (0, 1, 0, 4),
        (99_999, 99_999, 996, 4),
        (9_030, 100, 996, 4),
    ] {
        let span = Stretch { began: at(began), until: at(until) };
        assert_eq!(axis.piece(span), Piece { x, width }, "{began}-{until}");
    }
}

#[test]
fn a_run_that_took_no_time_has_bars_as_well() {
    let axis = axis(&[(5, 5)]);
    let span = Stretch { began: at(5), until: at(5) };
    assert_eq!(axis.piece(span), Piece { x: 0, width: 4 });
}
