//! Segments that are no longer as they were written: what stands before the damage is shown, and the damage is told.

use std::{
    fs,
    path::{Path, PathBuf},
};

use awf_core::{ActivityFilter, ActivityId, ActivityLog as _, Damage, PAGE_MAX};
use awf_store::{ActivityStore, verify};

use crate::{
    damaged_index::ids,
    dice::Dice,
    sample::{open, write_calls},
};

/// Three closed writers of five calls each: the ids, and the segments.
struct Log {
    home: tempfile::TempDir,
    written: Vec<Vec<ActivityId>>,
    segments: Vec<PathBuf>,
}

impl Log {
    async fn make() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("activity/segments");
        let (mut written, mut segments) = (Vec::new(), Vec::<PathBuf>::new());
        for _ in 0..3 {
            let store = open(home.path());
            written.push(write_calls(&store, 5).await);
            store.close().unwrap();
            let listed = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            let new = listed.filter(|path| !segments.contains(path)).collect::<Vec<_>>();
            segments.extend(new);
        }
        Self { home, written, segments }
    }

    /// What is left when of the middle segment only the first `calls` can be read.
    fn left(&self, calls: usize) -> Vec<ActivityId> {
        [&self.written[0][..], &self.written[1][..calls], &self.written[2][..]].concat()
    }
}

async fn damage(store: &ActivityStore) -> Vec<Damage> {
    let filter = ActivityFilter { limit: PAGE_MAX, ..ActivityFilter::default() };
    store.query(&filter).await.unwrap().damage
}

/// Where a line begins.
fn offset(bytes: &[u8], line: usize) -> usize {
    bytes.split_inclusive(|byte| *byte == b'\n').take(line).map(<[u8]>::len).sum()
}

/// What a reader shows and tells.
async fn expect(log: &Log, store: &ActivityStore, calls: usize, from: Option<usize>) {
    assert_eq!(ids(store).await, log.left(calls));
    let place = log.segments[1].display().to_string();
    let expected = from.map(|offset| Damage { place, offset: Some(offset as u64) });
    assert_eq!(damage(store).await, Vec::from_iter(expected));
    assert_eq!(verify(log.home.path()).unwrap().is_intact(), from.is_none());
}

/// A reader whose index is still to be made.
fn fresh(log: &Log) -> ActivityStore {
    fs::remove_file(log.home.path().join("activity/index.sqlite")).unwrap();
    open(log.home.path())
}

fn damaged(bytes: &[u8], at: usize, kind: usize) -> Vec<u8> {
    match kind {
        // A flipped bit, a torn line in the middle, garbage, lines of zeros, a hole, a cut.
        0 => [&bytes[..at + 9], &[bytes[at + 9] ^ 4], &bytes[at + 10..]].concat(),
        1 => [&bytes[..at + 40], b"\n", &bytes[at..]].concat(),
        2 => [&bytes[..at], b"\xff\xfe garbage \0\n", &bytes[at..]].concat(),
        3 => [&bytes[..at], &[0; 4096][..], &bytes[at..]].concat(),
        4 => [&bytes[..at], &bytes[at + 300..]].concat(),
        _ => bytes[..at].to_vec(),
    }
}

#[tokio::test]
async fn the_lines_before_a_damage_are_shown_and_the_damage_is_told() {
    let log = Log::make().await;
    let whole = fs::read(&log.segments[1]).unwrap();
    let mut dice = Dice::new(5);
    for trial in 0..crate::trials(18, 300) {
        let known = open(log.home.path());
        expect(&log, &known, 5, None).await;
        // A call is two lines; the one whose start is still good is shown without its end.
        let line = dice.below(10);
        let at = offset(&whole, line);
        fs::write(&log.segments[1], damaged(&whole, at, trial % 6)).unwrap();
        expect(&log, &known, line.div_ceil(2), Some(at)).await;
        drop(known);
        let fresh = fresh(&log);
        expect(&log, &fresh, line.div_ceil(2), Some(at)).await;
        // Mended, as from a backup, it is whole again.
        fs::write(&log.segments[1], &whole).unwrap();
        expect(&log, &fresh, 5, None).await;
    }
}

#[tokio::test]
async fn what_was_added_to_a_sealed_segment_is_not_shown() {
    let log = Log::make().await;
    let whole = fs::read(&log.segments[1]).unwrap();
    fs::write(&log.segments[1], [&whole[..], &whole[..]].concat()).unwrap();
    expect(&log, &open(log.home.path()), 5, Some(whole.len())).await;
}

#[tokio::test]
async fn writers_go_on_beside_a_damage() {
    let log = Log::make().await;
    fs::write(&log.segments[1], "garbage\n").unwrap();
    let store = open(log.home.path());
    let more = write_calls(&store, 2).await;
    assert_eq!(ids(&store).await, [log.left(0), more].concat());
    store.close().unwrap();
    let findings = verify(log.home.path()).unwrap().findings;
    let elsewhere = |path: &Path| path != log.segments[1];
    assert!(!findings.iter().any(|finding| elsewhere(&finding.place.file)), "{findings:?}");
}
