//! Writers killed at any point: what they acknowledged is there, once.

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader},
};

use awf_core::{ActivityFilter, Status};
use awf_store::{head, verify};

use crate::{
    dice::Dice,
    sample::{all, open},
    writer_process::spawn,
};

/// The acknowledgements of one writer that is killed after some of them.
fn run_and_kill(home: &std::path::Path, dice: &mut Dice) -> Vec<String> {
    let mut writer = spawn(home, 1_000_000);
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let mut acknowledged: Vec<_> =
        lines.by_ref().take(1 + dice.below(400)).map(Result::unwrap).collect();
    writer.kill().unwrap();
    writer.wait().unwrap();
    acknowledged.extend(lines.map(Result::unwrap));
    acknowledged
}

#[tokio::test]
async fn every_acknowledged_event_of_a_killed_writer_is_there_once() {
    let home = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(7);
    let mut acknowledged = HashMap::new();
    let writers = crate::trials(8, 200);
    for _ in 0..writers {
        for line in run_and_kill(home.path(), &mut dice) {
            let (word, id) = line.split_once(' ').unwrap();
            acknowledged.insert(id.to_owned(), word == "ended");
        }
    }
    let reader = open(home.path());
    let records = all(&reader, ActivityFilter::default()).await;
    for record in &records {
        let ended = acknowledged.remove(&record.started.id.to_string());
        // Between the write and its acknowledgement lies the kill: one event more than was heard of is right.
        assert!(ended != Some(true) || record.ended.is_some());
        let status = if record.ended.is_some() { Status::Success } else { Status::Interrupted };
        assert_eq!(record.status, status);
    }
    assert_eq!(acknowledged, HashMap::new(), "lost");
    let report = verify(home.path()).unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(report.segments, writers as u64);
}

#[tokio::test]
async fn asking_for_the_head_seals_what_a_killed_writer_left() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(head(home.path()).unwrap(), None);
    run_and_kill(home.path(), &mut Dice::new(1));
    assert_eq!(verify(home.path()).unwrap().notes.len(), 1, "unsealed");
    let first = head(home.path()).unwrap().unwrap();
    assert_eq!(first.entries, 2);
    let report = verify(home.path()).unwrap();
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
    assert_eq!(head(home.path()).unwrap(), Some(first));
}
