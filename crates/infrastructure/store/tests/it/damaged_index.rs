//! The index deleted, spoilt, outdated or overtaken: the answers stay those of the journal.

use std::{fs, path::Path};

use awf_core::{ActivityFilter, ActivityId};
use awf_store::{ActivityStore, verify};

use crate::sample::{all, open, write_calls};

pub(crate) async fn ids(store: &ActivityStore) -> Vec<ActivityId> {
    let records = all(store, ActivityFilter::default()).await;
    records.into_iter().rev().map(|record| record.started.id).collect()
}

fn sorted(mut ids: Vec<ActivityId>) -> Vec<ActivityId> {
    ids.sort_unstable();
    ids
}

/// Writes, indexes, does `damage`, and asks again.
async fn check(damage: impl Fn(&Path)) {
    let home = tempfile::tempdir().unwrap();
    let writer = open(home.path());
    let written = sorted(write_calls(&writer, 20).await);
    writer.close().unwrap();
    assert_eq!(ids(&open(home.path())).await, written);
    damage(&home.path().join("activity/index.sqlite"));
    assert_eq!(ids(&open(home.path())).await, written);
}

#[tokio::test]
async fn a_deleted_index_is_made_anew() {
    check(|index| fs::remove_file(index).unwrap()).await;
}

#[tokio::test]
async fn a_file_that_is_no_database_is_made_anew() {
    check(|index| {
        fs::write(index, "not a database, and long enough to look like one".repeat(99)).unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_database_with_overwritten_pages_is_made_anew() {
    check(|index| {
        let mut bytes = fs::read(index).unwrap();
        let from = bytes.len() / 8;
        bytes[from..].fill(0xff);
        fs::write(index, bytes).unwrap();
    })
    .await;
}

pub(crate) fn set_version(index: &Path, version: u32) {
    // Bytes 60 to 63 of a database file are its `user_version`.
    let mut bytes = fs::read(index).unwrap();
    bytes[60..64].copy_from_slice(&version.to_be_bytes());
    fs::write(index, bytes).unwrap();
}

#[tokio::test]
async fn an_older_index_is_made_anew() {
    check(|index| set_version(index, 1)).await;
}

#[tokio::test]
async fn a_journal_that_changed_under_the_index_is_read_again() {
    let home = tempfile::tempdir().unwrap();
    let writer = open(home.path());
    write_calls(&writer, 5).await;
    writer.close().unwrap();
    let reader = open(home.path());
    assert_eq!(ids(&reader).await.len(), 5);

    let segments = home.path().join("activity/segments");
    let segment = fs::read_dir(segments).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("kubectl_apply", "kubectl_admit", 1)).unwrap();
    assert_eq!(ids(&reader).await, []);

    fs::write(&segment, text.split_inclusive('\n').take(4).collect::<String>()).unwrap();
    assert_eq!(ids(&reader).await.len(), 2);
    fs::remove_file(&segment).unwrap();
    assert_eq!(ids(&reader).await, []);
    assert!(!verify(home.path()).unwrap().is_intact());
}

#[tokio::test]
async fn without_heads_the_segments_are_still_read() {
    check(|index| fs::remove_file(index.with_file_name("heads.jsonl")).unwrap()).await;
}
