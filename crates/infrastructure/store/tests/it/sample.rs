//! Calls to write, and ways to ask for them.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use awf_core::{
    ActivityEvent, ActivityFilter, ActivityId, ActivityLog as _, ActivityRecord, CallEnded,
    CallStarted, CallSurface, Captured, ClientIdentity, Declaration, Operation, Origin, Outcome,
    RawJson, Sensitivity, Status, Variant, Warning, WarningCode,
};
use awf_store::{ActivityStore, Durability};

/// A start with every field filled.
pub(crate) fn started() -> CallStarted {
    let id = ActivityId::generate();
    CallStarted {
        id,
        at: SystemTime::UNIX_EPOCH + Duration::new(1_764_950_400, 123_456_789),
        request_id: format!("request-{id}"),
        surface: CallSurface::Mcp,
        server: "kubernetes".to_owned(),
        tool: "kubectl_apply".to_owned(),
        variant: Some(Variant(Operation::Write)),
        intent: Some(Declaration {
            operation: Operation::Write,
            origin: Origin::Flat,
            sensitivity: Some(Sensitivity::Internal),
            reason: Some("déployer \"v2\"\n\u{0}".to_owned()),
        }),
        outcome: Outcome::Warn,
        warnings: vec![Warning::new(WarningCode::OverstatedIntent, "read-only tool".to_owned())],
        arguments: Captured::Whole(
            RawJson::parse("{\"n\": 12345678901234567890123,\n \"b\": 1.10}").unwrap(),
        ),
        run: Some("run-7".to_owned()),
        step: Some("deploy".to_owned()),
        session: Some("session-1".to_owned()),
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
        client: Some(ClientIdentity { name: "claude".to_owned(), version: "2.0".to_owned() }),
    }
}

/// An end with every field filled.
pub(crate) fn ended(started: &CallStarted) -> CallEnded {
    CallEnded {
        id: started.id,
        at: started.at + Duration::from_millis(12),
        status: Status::Error,
        duration_ms: 12,
        response: Some(Captured::Cut { head: "{\"items\":[".to_owned(), full_bytes: 900_000 }),
        error: Some("forbidden".to_owned()),
    }
}

pub(crate) fn start_event(started: &CallStarted) -> ActivityEvent {
    ActivityEvent::Started(Box::new(started.clone()))
}

pub(crate) fn end_event(ended: &CallEnded) -> ActivityEvent {
    ActivityEvent::Ended(Box::new(ended.clone()))
}

pub(crate) fn open(home: &Path) -> ActivityStore {
    ActivityStore::open(home, Durability::Process)
}

/// Writes whole calls and gives their ids, oldest first.
pub(crate) async fn write_calls(store: &ActivityStore, calls: usize) -> Vec<ActivityId> {
    let mut ids = Vec::new();
    for _ in 0..calls {
        let started = started();
        store.append(&start_event(&started)).await.unwrap();
        store.append(&end_event(&ended(&started))).await.unwrap();
        ids.push(started.id);
    }
    ids
}

/// Every record that matches, page by page.
pub(crate) async fn all(store: &ActivityStore, filter: ActivityFilter) -> Vec<ActivityRecord> {
    let mut filter = ActivityFilter { limit: awf_core::PAGE_MAX, ..filter };
    let mut records = Vec::new();
    loop {
        let page = store.query(&filter).await.unwrap();
        records.extend(page.records);
        filter.cursor = page.next;
        if filter.cursor.is_none() {
            return records;
        }
    }
}
