//! Pages, cursors and limits, while a writer goes on.

use std::{collections::HashSet, sync::Arc};

use awf_core::{ActivityFilter, ActivityLog as _, PAGE_MAX};

use crate::sample::{all, open, write_calls};

#[tokio::test]
async fn a_limit_is_kept_between_one_and_the_maximum() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    write_calls(&store, PAGE_MAX + 1).await;
    for (limit, records) in [(0, 1), (1, 1), (7, 7), (PAGE_MAX, PAGE_MAX), (usize::MAX, PAGE_MAX)] {
        let page =
            store.query(&ActivityFilter { limit, ..ActivityFilter::default() }).await.unwrap();
        assert_eq!(page.records.len(), records);
        assert_eq!(
            page.next.map(|cursor| cursor.0),
            page.records.last().map(|last| last.started.id)
        );
    }
}

#[tokio::test]
async fn the_last_page_says_so() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    write_calls(&store, 4).await;
    let mut filter = ActivityFilter { limit: 2, ..ActivityFilter::default() };
    filter.cursor = store.query(&filter).await.unwrap().next;
    let last = store.query(&filter).await.unwrap();
    assert_eq!((last.records.len(), last.next), (2, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_have_no_gap_and_no_double_while_a_writer_appends() {
    let home = tempfile::tempdir().unwrap();
    let store = Arc::new(open(home.path()));
    let before: HashSet<_> = write_calls(&store, 300).await.into_iter().collect();
    let writer = tokio::spawn({
        let store = Arc::clone(&store);
        async move { write_calls(&store, 1_000).await }
    });
    let mut rounds = 0;
    while !writer.is_finished() || rounds == 0 {
        rounds += 1;
        let records = all(&store, ActivityFilter::default()).await;
        let seen: HashSet<_> = records.iter().map(|record| record.started.id).collect();
        assert_eq!(seen.len(), records.len(), "a record came twice");
        assert!(before.is_subset(&seen), "a record is missing");
    }
    writer.await.unwrap();
    assert_eq!(all(&store, ActivityFilter::default()).await.len(), 1_300);
}
