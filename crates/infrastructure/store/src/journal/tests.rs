//! Rotation, closing, and what is synced when.

use std::{collections::HashSet, sync::Arc};

use awf_core::{ActivityEvent, CallStarted, Operation, Outcome, RefusalCode};

use super::{Durability, Journal, changes};
use crate::{
    durable::Durable,
    heads::Heads,
    layout::Layout,
    sample::{ended, started, write_call},
    turn::Patience,
    verify,
};

#[tokio::test]
async fn opening_and_closing_touch_nothing() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::open(home.path(), Durability::Process);
    journal.close().unwrap();
    drop(journal);
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn closing_twice_seals_once_and_a_late_event_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::open(home.path(), Durability::Process);
    for expected in [1, 2] {
        journal.append(&write_call()).await.unwrap();
        journal.close().unwrap();
        journal.close().unwrap();
        let report = verify(home.path()).unwrap();
        assert_eq!((report.segments, report.events), (expected, expected));
        assert_eq!((report.findings, report.notes), (vec![], vec![]));
    }
}

#[tokio::test]
async fn a_full_segment_is_followed_by_the_next() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::with_tiny_segments(home.path());
    for _ in 0..20 {
        journal.append(&write_call()).await.unwrap();
    }
    drop(journal);
    let report = verify(home.path()).unwrap();
    assert_eq!((report.segments, report.events), (20, 20));
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
}

#[tokio::test]
async fn a_full_segment_takes_events_while_another_process_holds_the_heads() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::with_tiny_segments(home.path());
    journal.append(&write_call()).await.unwrap();
    let held = Heads::lock(&Layout::new(home.path()), Patience::Fresh).unwrap();
    let first = segment(&journal);
    for _ in 0..3 {
        journal.append(&write_call()).await.unwrap();
        assert_eq!(segment(&journal).path(), first.path());
    }
    drop(held);
    journal.append(&write_call()).await.unwrap();
    drop(journal);
    let report = verify(home.path()).unwrap();
    assert_eq!((report.segments, report.events), (2, 5));
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
}

#[tokio::test]
async fn power_syncs_what_changes_and_its_end() {
    let read = ActivityEvent::Started(Box::new(started(Operation::Read)));
    let write = write_call();
    let events = [&write, &read, &ended(read.id()), &ended(write.id())];
    for (durability, expected) in
        [(Durability::Power, [1, 1, 1, 4]), (Durability::Process, [0, 0, 0, 0])]
    {
        let home = tempfile::tempdir().unwrap();
        let journal = Journal::open(home.path(), durability);
        for (event, synced) in events.into_iter().zip(expected) {
            journal.append(event).await.unwrap();
            assert_eq!(segment(&journal).synced(), synced);
        }
    }
}

#[tokio::test]
async fn a_segment_whose_sync_failed_takes_no_more_events() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::open(home.path(), Durability::Power);
    journal.append(&write_call()).await.unwrap();
    let spoilt = segment(&journal);
    spoilt.spoil();
    journal.append(&write_call()).await.unwrap();
    assert_ne!(segment(&journal).path(), spoilt.path());
    journal.close().unwrap();
    let report = verify(home.path()).unwrap();
    assert_eq!((report.segments, report.events), (2, 2));
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
}

fn segment(journal: &Journal) -> Arc<Durable> {
    journal.state().segment.as_ref().unwrap().durable()
}

#[test]
fn only_calls_that_are_dispatched_and_change_something_wait_for_the_disk() {
    let refused = CallStarted {
        outcome: Outcome::Deny(RefusalCode::UnknownTool),
        ..started(Operation::Write)
    };
    let undeclared = CallStarted { intent: None, ..started(Operation::Read) };
    for (call, waits) in [
        (started(Operation::Read), false),
        (started(Operation::Write), true),
        (started(Operation::Destructive), true),
        (undeclared, true),
        (refused, false),
    ] {
        let mut changing = HashSet::new();
        let (id, case) = (call.id, format!("{call:?}"));
        let start = changes(&ActivityEvent::Started(Box::new(call)), &mut changing);
        let end = changes(&ended(id), &mut changing);
        assert_eq!((start, end), (waits, waits), "{case}");
        assert!(changing.is_empty());
    }
}
