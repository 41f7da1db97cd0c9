//! Ids and words that other programs read.

use std::{collections::HashSet, thread};

use super::{ActivityId, Status};

#[test]
fn an_id_reads_back_what_it_prints() {
    let id = ActivityId::generate();
    assert_eq!(ActivityId::parse(&id.to_string()), Some(id));
    for bad in ["", "not-an-id", "01JG2", "../../etc/passwd"] {
        assert_eq!(ActivityId::parse(bad), None);
    }
}

#[test]
fn ids_of_one_process_grow_in_the_order_they_are_made() {
    const IDS: usize = 5_000;
    let made = || (0..IDS).map(|_| ActivityId::generate()).collect::<Vec<_>>();
    let threads: Vec<_> = (0..8).map(|_| thread::spawn(made)).collect();
    let made: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(made.iter().all(|ids| ids.is_sorted_by(|first, second| first < second)));
    let all: HashSet<_> = made.iter().flatten().collect();
    assert_eq!(all.len(), 8 * IDS);
    assert!(made.iter().flatten().all(|id| *id < ActivityId::generate()));
}

#[test]
fn every_status_reads_back_its_word() {
    for status in Status::ALL {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
    assert_eq!(Status::parse("SUCCESS"), None);
}
