//! What is written is what is read, whole and by every filter.

use std::time::Duration;

use awf_core::{
    ActivityFilter, ActivityId, ActivityLog as _, ActivityPage, ActivityRecord, CallStarted,
    CallSurface, Operation, Outcome, RefusalCode, Status,
};

use crate::sample::{all, end_event, ended, open, start_event, started};

#[tokio::test]
async fn a_record_reads_back_whole() {
    let home = tempfile::tempdir().unwrap();
    let (store, started) = (open(home.path()), started());
    let ended = ended(&started);
    store.append(&start_event(&started)).await.unwrap();
    let running = ActivityRecord { started: started.clone(), status: Status::Started, ended: None };
    assert_eq!(all(&store, ActivityFilter::default()).await, [running]);
    store.append(&end_event(&ended)).await.unwrap();
    let done = ActivityRecord { started, status: ended.status, ended: Some(ended) };
    for reader in [&store, &open(home.path())] {
        assert_eq!(all(reader, ActivityFilter::default()).await, std::slice::from_ref(&done));
    }
}

#[tokio::test]
async fn a_record_with_nothing_optional_reads_back_whole() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    let bare = CallStarted {
        variant: None,
        intent: None,
        outcome: Outcome::Deny(RefusalCode::MissingIntent),
        warnings: Vec::new(),
        run: None,
        step: None,
        session: None,
        trace_id: None,
        client: None,
        ..started()
    };
    store.append(&start_event(&bare)).await.unwrap();
    let denied = ActivityRecord { started: bare, status: Status::Denied, ended: None };
    assert_eq!(all(&store, ActivityFilter::default()).await, [denied]);
}

#[tokio::test]
async fn reading_a_log_that_is_not_there_makes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let page = open(home.path()).query(&ActivityFilter::default()).await.unwrap();
    assert_eq!(page, ActivityPage::default());
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn reading_a_log_makes_no_segment() {
    let home = tempfile::tempdir().unwrap();
    let writer = open(home.path());
    writer.append(&start_event(&started())).await.unwrap();
    let reader = open(home.path());
    assert_eq!(all(&reader, ActivityFilter::default()).await.len(), 1);
    reader.close().unwrap();
    let segments = std::fs::read_dir(home.path().join("activity/segments")).unwrap();
    assert_eq!(segments.count(), 1);
}

#[tokio::test]
async fn every_filter_finds_its_records_and_no_others() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    let wanted = started();
    let other = CallStarted {
        id: ActivityId::generate(),
        at: wanted.at + Duration::from_secs(10),
        request_id: "other".to_owned(),
        server: "builtin".to_owned(),
        tool: "Read".to_owned(),
        intent: None,
        run: None,
        step: None,
        surface: CallSurface::Cli,
        ..started()
    };
    for call in [&wanted, &other] {
        store.append(&start_event(call)).await.unwrap();
    }
    store.append(&end_event(&ended(&wanted))).await.unwrap();
    let any = ActivityFilter::default();
    let filters = [
        ActivityFilter { id: Some(wanted.id), ..any.clone() },
        ActivityFilter { until: Some(other.at), ..any.clone() },
        ActivityFilter { run: Some("run-7".to_owned()), ..any.clone() },
        ActivityFilter { step: wanted.step.clone(), ..any.clone() },
        ActivityFilter { surface: Some(wanted.surface), ..any.clone() },
        ActivityFilter { server: Some("kubernetes".to_owned()), ..any.clone() },
        ActivityFilter { tool: Some("kubectl_apply".to_owned()), ..any.clone() },
        ActivityFilter { operation: Some(Operation::Write), ..any.clone() },
        ActivityFilter { status: Some(Status::Error), ..any.clone() },
        ActivityFilter { request_id: Some(wanted.request_id.clone()), ..any.clone() },
    ];
    for filter in filters {
        let found: Vec<_> =
            all(&store, filter.clone()).await.into_iter().map(|record| record.started).collect();
        assert_eq!(found, std::slice::from_ref(&wanted), "{filter:?}");
    }
    let later = ActivityFilter { since: Some(other.at), ..any.clone() };
    assert_eq!(all(&store, later).await.first().map(|record| record.started.id), Some(other.id));
    let hostile = ActivityFilter { tool: Some("' OR 1=1 --".to_owned()), ..any };
    assert_eq!(all(&store, hostile).await, []);
}

#[tokio::test]
async fn a_call_without_an_end_is_interrupted_once_its_writer_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let (writer, reader) = (open(home.path()), open(home.path()));
    writer.append(&start_event(&started())).await.unwrap();
    let with = |status| ActivityFilter { status: Some(status), ..ActivityFilter::default() };
    assert_eq!(all(&reader, with(Status::Started)).await.len(), 1);
    drop(writer);
    assert_eq!(all(&reader, with(Status::Started)).await, []);
    let records = all(&reader, with(Status::Interrupted)).await;
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].status, &records[0].ended), (Status::Interrupted, &None));
}
