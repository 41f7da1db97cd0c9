//! Half a line at the end of a segment: what a kill or a power cut in the middle of a write leaves.

use std::{
    fs::{self, OpenOptions},
    io::{BufRead as _, BufReader, Write as _},
};

use awf_core::{ActivityFilter, ActivityLog as _};
use awf_store::{Note, Place, verify};

use crate::{
    sample::{all, open},
    writer_process::spawn,
};

#[tokio::test]
async fn a_torn_line_is_noted_and_not_counted_and_is_no_tampering() {
    let home = tempfile::tempdir().unwrap();
    let mut writer = spawn(home.path(), 1_000_000);
    // Held until it is dead: a writer that can no longer say what it did would end by itself and seal its segment.
    let mut said = BufReader::new(writer.stdout.take().unwrap()).lines();
    said.nth(9).unwrap().unwrap();
    writer.kill().unwrap();
    writer.wait().unwrap();
    drop(said);

    let segments = home.path().join("activity/segments");
    let segment = fs::read_dir(segments).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read_to_string(&segment).unwrap();
    let events = whole.lines().count() as u64;
    let torn = br#"{"v":1,"seq":"#;
    OpenOptions::new().append(true).open(&segment).unwrap().write_all(torn).unwrap();

    let place = Place { file: segment.clone(), line: events + 1, offset: whole.len() as u64 };
    let note = Note::TornTail { place, bytes: torn.len() as u64 };
    let before = verify(home.path()).unwrap();
    assert_eq!(before.findings, []);
    assert_eq!(before.notes, [note.clone(), Note::Unsealed { file: segment }]);

    let reader = open(home.path());
    let records = all(&reader, ActivityFilter::default()).await;
    assert_eq!(records.len() as u64, events.div_ceil(2));
    let sealed = verify(home.path()).unwrap();
    assert_eq!((sealed.findings, sealed.notes, sealed.events), (vec![], vec![note], events));
    reader.query(&ActivityFilter::default()).await.unwrap();
}
