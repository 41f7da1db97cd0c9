//! A log that a newer awf wrote, as a whole or in part: refused, and left as it is.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use awf_core::{ActivityError, ActivityFilter, ActivityLog as _};
use awf_store::{head, verify};

use crate::{
    damaged_index::{ids, set_version},
    sample::{open, start_event, started, write_calls},
};

/// The files below a directory and what is in them.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    found
}

/// A log of two closed writers and its index.
async fn log() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let store = open(home.path());
        write_calls(&store, 3).await;
        store.close().unwrap();
    }
    assert_eq!(ids(&open(home.path())).await.len(), 6);
    home
}

fn raise(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.replace("\"v\":1", "\"v\":2")).unwrap();
}

fn expect_newer<T>(answer: Result<T, ActivityError>, place: &Path, format: u32) {
    let error = answer.err().unwrap();
    assert!(
        matches!(&error, ActivityError::Newer { place: named, found, known }
            if Path::new(named) == place && *found == format && known < found),
        "{error}"
    );
}

#[tokio::test]
async fn newer_heads_are_neither_read_nor_written() {
    let home = log().await;
    let heads = home.path().join("activity/heads.jsonl");
    raise(&heads);
    let before = contents(home.path());
    let store = open(home.path());
    expect_newer(store.query(&ActivityFilter::default()).await, &heads, 2);
    expect_newer(store.append(&start_event(&started())).await, &heads, 2);
    expect_newer(verify(home.path()), &heads, 2);
    expect_newer(head(home.path()), &heads, 2);
    store.close().unwrap();
    assert!(before == contents(home.path()), "something was changed");
}

#[tokio::test]
async fn a_newer_segment_is_not_read_and_hinders_no_writer() {
    let home = log().await;
    let mut segments = fs::read_dir(home.path().join("activity/segments")).unwrap();
    let segment = segments.next().unwrap().unwrap().path();
    raise(&segment);
    fs::remove_file(home.path().join("activity/index.sqlite")).unwrap();
    let raised = fs::read(&segment).unwrap();
    let store = open(home.path());
    expect_newer(store.query(&ActivityFilter::default()).await, &segment, 2);
    expect_newer(verify(home.path()), &segment, 2);
    write_calls(&store, 1).await;
    store.close().unwrap();
    assert_eq!(fs::read(&segment).unwrap(), raised);
}

#[tokio::test]
async fn a_newer_index_is_left_to_the_newer_awf() {
    let home = log().await;
    let index = home.path().join("activity/index.sqlite");
    set_version(&index, 99);
    let before = fs::read(&index).unwrap();
    let store = open(home.path());
    expect_newer(store.query(&ActivityFilter::default()).await, &index, 99);
    assert!(before == fs::read(&index).unwrap(), "the index was changed");
    write_calls(&store, 1).await;
    assert!(verify(home.path()).unwrap().is_intact());
}
