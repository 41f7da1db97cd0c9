//! Places that cannot be written to, for a while or for good.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, Instant},
};

use awf_core::{ActivityError, ActivityFilter, ActivityLog as _};
use awf_store::verify;

use crate::{
    dice::Dice,
    sample::{all, open, start_event, started, write_calls},
    writer_process::output_with_limit,
};

#[tokio::test]
async fn a_full_disk_is_an_error_once_and_forgotten_when_there_is_room() {
    let mut dice = Dice::new(3);
    // While the first segment is registered, in its first event, and wherever else the limit falls.
    let limits = [1, 100, 300].into_iter().chain((0..47).map(|_| 300 + dice.below(20_000)));
    for limit in limits {
        let home = tempfile::tempdir().unwrap();
        let output = output_with_limit(home.path(), 50, limit);
        let failed: Vec<_> = output.lines().filter(|line| line.starts_with("failed")).collect();
        let [failed] = failed.as_slice() else { panic!("{output}") };
        assert!(failed.contains("cannot write the activity journal at"), "{failed}");
        assert!(failed.contains(home.path().to_str().unwrap()), "{failed}");
        let report = verify(home.path()).unwrap();
        assert_eq!((report.findings, report.notes), (vec![], vec![]));
        assert_eq!((report.segments, report.events), (1, 100));
        let records = all(&open(home.path()), ActivityFilter::default()).await;
        assert!(records.len() == 50 && records.iter().all(|record| record.ended.is_some()));
    }
}

#[tokio::test]
async fn heads_that_another_process_holds_are_an_error_soon_and_forgotten_when_it_lets_go() {
    let home = tempfile::tempdir().unwrap();
    let heads = home.path().join("activity/heads.jsonl");
    fs::create_dir(heads.parent().unwrap()).unwrap();
    let holder = File::create(&heads).unwrap();
    holder.lock().unwrap();
    let store = open(home.path());
    let begun = Instant::now();
    // The first event waits its whole patience; those after it hardly any, or a session would crawl.
    for _ in 0..20 {
        let error = store.append(&start_event(&started())).await.unwrap_err();
        let ActivityError::Write { place, reason } = error else { panic!("{error}") };
        assert_eq!((Path::new(&place), reason.as_str()), (&*heads, "another process holds it"));
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    drop(holder);
    let written = write_calls(&store, 3).await;
    store.close().unwrap();
    let report = verify(home.path()).unwrap();
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
    assert_eq!((report.segments, report.events), (1, 6));
    assert_eq!(all(&store, ActivityFilter::default()).await.len(), written.len());
}

#[tokio::test]
async fn a_place_that_takes_no_files_is_named_in_the_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // Below a file, and in a directory where even root cannot make one.
    for home in [file.path(), Path::new("/proc/self")] {
        let store = open(home);
        let error = store.append(&start_event(&started())).await.unwrap_err();
        let ActivityError::Write { place, reason } = error else { panic!("{error}") };
        assert_eq!(Path::new(&place), home.join("activity/segments"));
        assert!(!reason.is_empty());
    }
}
