//! Many threads and many processes at once: nothing lost, nothing doubled, every chain whole.

use std::{collections::HashSet, sync::Arc};

use awf_core::ActivityFilter;
use awf_store::verify;

use crate::{
    sample::{all, open, write_calls},
    writer_process::spawn,
};

const WRITERS: usize = 16;
const CALLS: usize = 500;

async fn expect_all(home: &std::path::Path, segments: u64) {
    let report = verify(home).unwrap();
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
    assert_eq!((report.segments, report.events), (segments, (WRITERS * CALLS * 2) as u64));
    let records = all(&open(home), ActivityFilter::default()).await;
    let ids: HashSet<_> = records.iter().map(|record| record.started.id).collect();
    assert_eq!((records.len(), ids.len()), (WRITERS * CALLS, WRITERS * CALLS));
    assert!(records.iter().all(|record| record.ended.is_some()));
    assert!(records.is_sorted_by(|newer, older| newer.started.id > older.started.id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 16)]
async fn sixteen_threads_write_a_thousand_events_each() {
    let home = tempfile::tempdir().unwrap();
    let store = Arc::new(open(home.path()));
    let write = |_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { write_calls(&store, CALLS).await })
    };
    for writer in (0..WRITERS).map(write).collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    store.close().unwrap();
    expect_all(home.path(), 1).await;
}

#[tokio::test]
async fn sixteen_processes_write_a_thousand_events_each() {
    let home = tempfile::tempdir().unwrap();
    let writers: Vec<_> = (0..WRITERS).map(|_| spawn(home.path(), CALLS)).collect();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success());
    }
    expect_all(home.path(), WRITERS as u64).await;
}
