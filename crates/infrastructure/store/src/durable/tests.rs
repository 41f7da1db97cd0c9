//! Syncs that work, are shared, and fail.

use std::{fs::File, io::pipe, os::fd::OwnedFd};

use super::Durable;
use crate::layout::{Layout, create_new, open_append};

#[test]
fn a_sync_covers_every_event_written_before_it() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    layout.create_segments().unwrap();
    open_append(&layout.heads()).unwrap();
    let path = home.path().join("file");
    let durable = Durable::new(create_new(&path).unwrap(), path, &layout);
    durable.note_written(3);
    durable.sync(1).unwrap();
    assert_eq!(durable.synced(), 3);
    durable.sync(3).unwrap();
    assert!(!durable.has_failed());
}

/// A pipe cannot be synced: the system says so each time, as a broken disk might say once.
#[test]
fn a_failed_sync_is_never_forgiven() {
    let home = tempfile::tempdir().unwrap();
    let (_reader, writer) = pipe().unwrap();
    let file = File::from(OwnedFd::from(writer));
    let durable = Durable::new(file, "segment".into(), &Layout::new(home.path()));
    durable.note_written(2);
    durable.sync(1).unwrap_err();
    assert!(durable.has_failed());
    let again = durable.sync(2).unwrap_err();
    let expected =
        "cannot write the activity journal at `segment`: an earlier sync of this segment failed";
    assert_eq!(again.to_string(), expected);
}
