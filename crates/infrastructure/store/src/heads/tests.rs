//! The registry of segments.

use std::{fs, io::Write as _};

use super::{Entry, Heads, Seal, newest, read_entries};
use crate::{
    chain::{Hash, Link},
    layout::{Layout, SegmentName, open_append},
    turn::Patience,
};

fn entries() -> [Entry; 2] {
    let (segment, writer) = (SegmentName::generate(), SegmentName::generate());
    let last = Link { seq: 7, hash: Hash::of(b"last") };
    let seal = Seal { segment, last, bytes: 90, torn: 3, calls: Some(4) };
    [Entry::Opened { segment, writer }, Entry::Sealed(seal)]
}

#[test]
fn entries_read_back_in_order_and_from_any_place() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    assert_eq!(read_entries(&layout, 0).unwrap(), (vec![], 0));
    let [opened, sealed] = entries();
    Heads::lock(&layout, Patience::Fresh).unwrap().append(&[opened]).unwrap();
    let (first, middle) = read_entries(&layout, 0).unwrap();
    let link = Heads::lock(&layout, Patience::Fresh).unwrap().append(&[sealed]).unwrap();
    assert_eq!(first, [opened]);
    assert_eq!(read_entries(&layout, middle).unwrap().0, [sealed]);
    assert_eq!(newest(&layout.heads()).unwrap(), Some(link));
    assert_eq!(link.seq, 2);
}

#[test]
fn a_removal_reads_back_and_a_seal_without_calls_is_estimated() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    let segment = SegmentName::generate();
    let last = Link { seq: 7, hash: Hash::of(b"last") };
    let seal = Seal { segment, last, bytes: 90, torn: 0, calls: None };
    let entries = [Entry::Sealed(seal), Entry::Removed { segment }];
    Heads::lock(&layout, Patience::Fresh).unwrap().append(&entries).unwrap();
    assert_eq!(read_entries(&layout, 0).unwrap().0, entries);
    assert!(!fs::read_to_string(layout.heads()).unwrap().contains("calls"));
    assert_eq!((seal.calls(), Seal { calls: Some(1), ..seal }.calls()), (4, 1));
}

#[test]
fn an_unfinished_entry_gives_way_to_the_next() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    let [opened, sealed] = entries();
    Heads::lock(&layout, Patience::Fresh).unwrap().append(&[opened]).unwrap();
    open_append(&layout.heads()).unwrap().write_all(b"{\"v\":1,\"se").unwrap();
    Heads::lock(&layout, Patience::Fresh).unwrap().append(&[sealed]).unwrap();
    assert_eq!(read_entries(&layout, 0).unwrap().0, [opened, sealed]);
    assert_eq!(fs::read_to_string(layout.heads()).unwrap().lines().count(), 2);
}
