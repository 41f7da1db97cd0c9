//! Rotation, closing, and what is synced when.

use std::{collections::HashSet, time::SystemTime};

use awf_core::{
    ActivityEvent, ActivityId, CallEnded, CallStarted, CallSurface, Captured, Declaration,
    Operation, Origin, Outcome, RawJson, RefusalCode, Status,
};

use super::{Durability, Journal, changes};
use crate::verify;

fn started(operation: Operation) -> CallStarted {
    CallStarted {
        id: ActivityId::generate(),
        at: SystemTime::UNIX_EPOCH,
        request_id: String::new(),
        surface: CallSurface::Cli,
        server: "builtin".to_owned(),
        tool: "Read".to_owned(),
        variant: None,
        intent: Some(Declaration {
            operation,
            origin: Origin::Derived,
            sensitivity: None,
            reason: None,
        }),
        outcome: Outcome::Allow,
        warnings: Vec::new(),
        arguments: Captured::Whole(RawJson::empty_object()),
        run: None,
        step: None,
        session: None,
        trace_id: None,
        client: None,
    }
}

fn ended(id: ActivityId) -> ActivityEvent {
    let (at, status) = (SystemTime::UNIX_EPOCH, Status::Success);
    let (duration_ms, response, error) = (0, None, None);
    ActivityEvent::Ended(Box::new(CallEnded { id, at, status, duration_ms, response, error }))
}

fn write_call() -> ActivityEvent {
    ActivityEvent::Started(Box::new(started(Operation::Write)))
}

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
    let mut journal = Journal::open(home.path(), Durability::Process);
    journal.segment_bytes = 1;
    for _ in 0..20 {
        journal.append(&write_call()).await.unwrap();
    }
    drop(journal);
    let report = verify(home.path()).unwrap();
    assert_eq!((report.segments, report.events), (20, 20));
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
}

#[tokio::test]
async fn power_syncs_what_changes_and_its_end() {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::open(home.path(), Durability::Power);
    let call = write_call();
    for event in [&call, &ended(call.id())] {
        journal.append(event).await.unwrap();
    }
    drop(journal);
    assert_eq!(verify(home.path()).unwrap().events, 2);
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
