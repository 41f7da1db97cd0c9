//! Places that cannot be written to, for a while or for good.

use std::path::Path;

use awf_core::{ActivityError, ActivityFilter, ActivityLog as _};
use awf_store::verify;

use crate::{
    dice::Dice,
    sample::{all, open, start_event, started},
    writer_process::output_with_limit,
};

#[tokio::test]
async fn a_full_disk_is_an_error_once_and_forgotten_when_there_is_room() {
    let mut dice = Dice::new(3);
    // While the first segment is registered, in its first event, and wherever else the limit falls.
    let limits = [1, 100, 300].into_iter().chain((0..9).map(|_| 300 + dice.below(20_000)));
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
