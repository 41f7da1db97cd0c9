//! Following the log: each call that is over is told once, whoever wrote it.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, SystemTime},
};

use awf_core::{
    ActivityFilter, ActivityId, ActivityLog as _, CallStarted, CallSurface, Operation, Place,
    Status,
};
use awf_store::ActivityStore;

use crate::sample::{end_event, ended, open, start_event, started, write_calls};

/// Everything new, page by page.
async fn told(
    store: &ActivityStore,
    filter: &ActivityFilter,
    place: &mut Place,
) -> Vec<ActivityId> {
    let filter = ActivityFilter { limit: 7, ..filter.clone() };
    let mut ids = Vec::new();
    loop {
        let news = store.news(&filter, Some(*place)).await.unwrap();
        assert!(!news.gap);
        let moved = *place != news.place;
        *place = news.place;
        assert!(news.calls.iter().all(|over| over.place.number <= news.place.number));
        assert!(news.calls.iter().all(|over| filter.matches(&over.record)));
        ids.extend(news.calls.iter().map(|over| over.record.started.id));
        if !moved {
            return ids;
        }
    }
}

async fn from_now_on(store: &ActivityStore) -> Place {
    let news = store.news(&ActivityFilter::default(), None).await.unwrap();
    assert_eq!(news.calls, []);
    news.place
}

#[tokio::test]
async fn what_was_over_before_is_not_told_and_what_ends_later_is() {
    let home = tempfile::tempdir().unwrap();
    let (writer, reader) = (open(home.path()), open(home.path()));
    let any = ActivityFilter::default();
    write_calls(&writer, 20).await;
    let early = started();
    writer.append(&start_event(&early)).await.unwrap();
    let mut place = from_now_on(&reader).await;
    let later = write_calls(&writer, 20).await;
    assert_eq!(told(&reader, &any, &mut place).await, later);
    writer.append(&end_event(&ended(&early))).await.unwrap();
    assert_eq!(told(&reader, &any, &mut place).await, [early.id]);
    assert_eq!(told(&reader, &any, &mut place).await, []);
}

#[tokio::test]
async fn the_first_calls_of_a_log_are_told() {
    let home = tempfile::tempdir().unwrap();
    let (writer, reader) = (open(home.path()), open(home.path()));
    let mut place = from_now_on(&reader).await;
    let ids = write_calls(&writer, 3).await;
    assert_eq!(told(&reader, &ActivityFilter::default(), &mut place).await, ids);
}

#[tokio::test]
async fn calls_of_a_writer_that_is_gone_are_told_as_interrupted() {
    let home = tempfile::tempdir().unwrap();
    let (writer, reader) = (open(home.path()), open(home.path()));
    let mut place = from_now_on(&reader).await;
    let call = started();
    writer.append(&start_event(&call)).await.unwrap();
    let interrupted =
        ActivityFilter { status: Some(Status::Interrupted), ..ActivityFilter::default() };
    assert_eq!(told(&reader, &interrupted, &mut place).await, []);
    drop(writer);
    assert_eq!(told(&reader, &interrupted, &mut place).await, [call.id]);
}

#[tokio::test]
async fn a_filter_is_kept_to() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    let mut place = from_now_on(&store).await;
    write_calls(&store, 30).await;
    let other = CallStarted { tool: "other".to_owned(), ..started() };
    store.append(&start_event(&other)).await.unwrap();
    store.append(&end_event(&ended(&other))).await.unwrap();
    let filter = ActivityFilter { tool: Some("other".to_owned()), ..ActivityFilter::default() };
    assert_eq!(told(&store, &filter, &mut place).await, [other.id]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writers_are_told_of_without_a_gap_and_without_a_double() {
    let home = tempfile::tempdir().unwrap();
    let reader = open(home.path());
    let mut place = from_now_on(&reader).await;
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let store = Arc::new(open(home.path()));
            tokio::spawn(async move { write_calls(&store, 200).await })
        })
        .collect();
    let mut ids = Vec::new();
    while writers.iter().any(|writer| !writer.is_finished()) {
        ids.extend(told(&reader, &ActivityFilter::default(), &mut place).await);
    }
    ids.extend(told(&reader, &ActivityFilter::default(), &mut place).await);
    let once: HashSet<_> = ids.iter().copied().collect();
    assert_eq!((ids.len(), once.len()), (800, 800));
    for writer in writers {
        assert!(writer.await.unwrap().iter().all(|id| once.contains(id)));
    }
}

/// A journal that is no longer what was indexed is read anew: nobody is told twice.
#[tokio::test]
async fn what_was_told_is_not_told_again_when_the_journal_is_read_anew() {
    let home = tempfile::tempdir().unwrap();
    let (first, second, reader) = (open(home.path()), open(home.path()), open(home.path()));
    let mut place = from_now_on(&reader).await;
    write_calls(&first, 5).await;
    first.close().unwrap();
    let mut segments = std::fs::read_dir(home.path().join("activity/segments")).unwrap();
    let closed = segments.next().unwrap().unwrap().path();
    write_calls(&second, 5).await;
    assert_eq!(told(&reader, &ActivityFilter::default(), &mut place).await.len(), 10);
    std::fs::remove_file(closed).unwrap();
    assert_eq!(told(&reader, &ActivityFilter::default(), &mut place).await, []);
    let more = write_calls(&second, 2).await;
    assert_eq!(told(&reader, &ActivityFilter::default(), &mut place).await, more);
}

#[tokio::test]
async fn a_place_of_another_index_is_a_gap() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    write_calls(&store, 1).await;
    let place = from_now_on(&store).await;
    let other = Place { index: place.index.wrapping_add(1), ..place };
    let news = store.news(&ActivityFilter::default(), Some(other)).await.unwrap();
    assert!(news.gap && news.calls.is_empty());
    assert_eq!(news.place, place);
}

/// What is told from memory must be what a search would have found.
#[tokio::test]
async fn a_filter_means_the_same_in_memory_and_in_the_index() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    let plain = CallStarted {
        run: None,
        step: None,
        intent: None,
        server: String::new(),
        surface: CallSurface::Cli,
        at: SystemTime::UNIX_EPOCH,
        ..started()
    };
    for call in [started(), started(), plain.clone()] {
        store.append(&start_event(&call)).await.unwrap();
        store.append(&end_event(&ended(&call))).await.unwrap();
    }
    let any = ActivityFilter::default;
    let all = store.query(&any()).await.unwrap().records;
    let text = |text: &str| Some(text.to_owned());
    let filters = [
        ActivityFilter { id: Some(plain.id), ..any() },
        ActivityFilter { since: Some(plain.at), ..any() },
        ActivityFilter { since: Some(plain.at + Duration::from_nanos(1)), ..any() },
        ActivityFilter { until: Some(plain.at), ..any() },
        ActivityFilter { until: Some(plain.at + Duration::from_nanos(1)), ..any() },
        ActivityFilter { run: text("run-7"), ..any() },
        ActivityFilter { step: text("DEPLOY"), ..any() },
        ActivityFilter { step: text("deploy"), ..any() },
        ActivityFilter { surface: Some(CallSurface::Cli), ..any() },
        ActivityFilter { server: text(""), ..any() },
        ActivityFilter { tool: text("kubectl%"), ..any() },
        ActivityFilter { tool: text("kubectl_apply"), ..any() },
        ActivityFilter { operation: Some(Operation::Write), ..any() },
        ActivityFilter { operation: Some(Operation::Destructive), ..any() },
        ActivityFilter { status: Some(Status::Error), ..any() },
        ActivityFilter { status: Some(Status::Denied), ..any() },
        ActivityFilter { request_id: Some(plain.request_id.clone()), ..any() },
    ];
    for filter in filters {
        let found = store.query(&filter).await.unwrap().records;
        let matching: Vec<_> =
            all.iter().filter(|record| filter.matches(record)).cloned().collect();
        assert_eq!(found, matching, "{filter:?}");
    }
}
