//! Pages, cursors and limits, while a writer goes on.

use std::{
    collections::HashSet,
    io::{BufRead as _, BufReader},
    path::Path,
    sync::{Arc, Mutex},
    thread,
};

use awf_core::{ActivityFilter, ActivityId, ActivityLog as _, Operation, PAGE_MAX, Status};

use crate::{
    dice::Dice,
    sample::{all, open, write_calls},
    writer_process::spawn,
};

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

/// The ids that writers have acknowledged so far.
type Acknowledged = Arc<Mutex<HashSet<ActivityId>>>;

/// A process that writes until it is done, and is heard.
fn heard_writer(home: &Path, acknowledged: &Acknowledged) -> thread::JoinHandle<()> {
    let (mut child, heard) = (spawn(home, 400), Arc::clone(acknowledged));
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    thread::spawn(move || {
        for line in lines.map(Result::unwrap) {
            if let Some(id) = line.strip_prefix("ended ") {
                heard.lock().unwrap().insert(ActivityId::parse(id).unwrap());
            }
        }
        assert!(child.wait().unwrap().success());
    })
}

/// Filters that match every call of the writers, each over another index.
fn matching(dice: &mut Dice) -> ActivityFilter {
    let filter = ActivityFilter { limit: 1 + dice.below(PAGE_MAX), ..ActivityFilter::default() };
    match dice.below(4) {
        0 => filter,
        1 => ActivityFilter { tool: Some("Read".to_owned()), ..filter },
        2 => ActivityFilter { operation: Some(Operation::Read), ..filter },
        _ => ActivityFilter { status: Some(Status::Success), ..filter },
    }
}

#[tokio::test]
async fn a_walk_meets_all_that_was_there_when_it_began_whoever_writes_meanwhile() {
    let home = tempfile::tempdir().unwrap();
    let acknowledged = Acknowledged::default();
    let mut dice = Dice::new(11);
    for round in 0..crate::trials(2, 40) {
        let writers: Vec<_> = (0..4).map(|_| heard_writer(home.path(), &acknowledged)).collect();
        let store = open(home.path());
        let mut walks = 0;
        while walks == 0 || writers.iter().any(|writer| !writer.is_finished()) {
            let there = acknowledged.lock().unwrap().clone();
            let mut filter = matching(&mut dice);
            let mut seen = Vec::new();
            loop {
                let page = store.query(&filter).await.unwrap();
                seen.extend(page.records.iter().map(|record| record.started.id));
                filter.cursor = page.next;
                if filter.cursor.is_none() {
                    break;
                }
            }
            assert!(seen.is_sorted_by(|newer, older| newer > older), "round {round}: {filter:?}");
            let seen: HashSet<_> = seen.into_iter().collect();
            assert!(there.is_subset(&seen), "round {round}: {filter:?} left something out");
            walks += 1;
        }
        for writer in writers {
            writer.join().unwrap();
        }
        let records = all(&store, ActivityFilter::default()).await;
        assert_eq!(records.len(), 4 * 400 * (round + 1));
    }
}
