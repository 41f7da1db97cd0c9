//! A disk that is full.

use std::fs::OpenOptions;

use awf_core::RunId;

use super::{End, Fitness, Held};
use crate::runs::sample::began;

#[test]
fn after_half_a_line_that_cannot_be_cut_nothing_more_is_written() {
    let path = "/dev/full";
    let file = OpenOptions::new().append(true).open(path).unwrap();
    let mut held = Held { file, path: path.into(), end: End::default(), fit: Fitness::Sound };
    let mut complaint = || held.append(&began(RunId::generate())).unwrap_err().to_string();
    let said = "cannot use the run journal `/dev/full`: ";
    assert_eq!(complaint(), format!("{said}No space left on device (os error 28)"));
    let torn = "half an event stands at its end and cannot be removed";
    assert_eq!(complaint(), format!("{said}{torn}"));
}
