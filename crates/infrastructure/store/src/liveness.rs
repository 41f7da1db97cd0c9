//! Whether a segment's writer lives, and the sealing of what dead writers left.

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
};

use awf_core::ActivityError;

use crate::{
    chain::Link,
    error::cannot_read,
    heads::{Entry, Heads, Seal, link_of, read_entries},
    layout::{Layout, SegmentName, open_read},
    lines::{Lines, last_line},
    turn::Patience,
    wire,
};

/// Whether somebody may still write to a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    Alive,
    Gone,
}

/// Asks the lock that a writer holds for its life.
pub(crate) fn writer_of(layout: &Layout, segment: SegmentName) -> Result<Writer, ActivityError> {
    let path = layout.segment(segment);
    match open_read(&path) {
        Ok(file) => holder(&file).map_err(|error| cannot_read(&path, &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Writer::Gone),
        Err(error) => Err(cannot_read(&path, &error)),
    }
}

/// Asks the lock of an open file.
pub(crate) fn holder(file: &File) -> io::Result<Writer> {
    match file.try_lock_shared() {
        Ok(()) => Ok(Writer::Gone),
        Err(TryLockError::WouldBlock) => Ok(Writer::Alive),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Seals those of `unsealed` whose writers are gone. `known` is how far the caller has read `heads.jsonl`.
pub(crate) fn seal_abandoned(
    layout: &Layout,
    unsealed: &[SegmentName],
    known: u64,
) -> Result<(), ActivityError> {
    let mut seals = Vec::new();
    for segment in unsealed {
        seals.extend(seal_of(layout, *segment)?);
    }
    if seals.is_empty() {
        return Ok(());
    }
    let heads = Heads::lock(layout, Patience::Fresh)?;
    // Somebody else may have been quicker.
    let (newer, _) = read_entries(layout, known)?;
    seals.retain(|seal| !newer.iter().any(|entry| seals_segment(entry, seal.segment)));
    let entries: Vec<_> = seals.into_iter().map(Entry::Sealed).collect();
    if entries.is_empty() { Ok(()) } else { heads.append(&entries).map(drop) }
}

fn seals_segment(entry: &Entry, segment: SegmentName) -> bool {
    match entry {
        Entry::Opened { .. } | Entry::Removed { .. } => false,
        Entry::Sealed(seal) => seal.segment == segment,
    }
}

/// How many calls began in a segment.
fn count_calls(path: &Path) -> io::Result<u64> {
    let (mut lines, mut calls) = (Lines::open(path, 0)?, 0);
    while let Some((_, line)) = lines.next_line()? {
        calls += u64::from(wire::is_start(line));
    }
    Ok(calls)
}

/// Where an abandoned segment ends. `None`: it is in use or gone, or its last line is not a writer's, which is for
/// `verify` to report and not for a seal to bless.
fn seal_of(layout: &Layout, segment: SegmentName) -> Result<Option<Seal>, ActivityError> {
    let path = layout.segment(segment);
    let ended = || -> io::Result<Option<Seal>> {
        let file = open_read(&path)?;
        if holder(&file)? == Writer::Alive {
            return Ok(None);
        }
        let end = last_line(&file)?;
        let last = if end.end == 0 { Some(Link::START) } else { link_of(&end.line) };
        let (bytes, torn) = (end.end, end.unfinished);
        let Some(last) = last else { return Ok(None) };
        let calls = Some(count_calls(&path)?);
        Ok(Some(Seal { segment, last, bytes, torn, calls }))
    };
    match ended() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        ended => ended.map_err(|error| cannot_read(&path, &error)),
    }
}
