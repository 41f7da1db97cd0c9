//! Reads on in one segment, as far as it is as it was written. What stands behind a damage is set aside.

use std::{io, path::Path};

use awf_core::{ActivityEvent, CallEnded};
use rusqlite::{Transaction, params};

use crate::{
    chain::{self, Hash, Link, Preamble},
    error::cannot_read,
    format::refuse_newer,
    index::{
        Trouble,
        calls::{self, Entering},
        follow::{End, Known, Spot, must_hold},
        mark::Mark,
    },
    layout::Layout,
    lines::Lines,
    wire::read_event,
};

/// Enters the calls that began since the last time, and gives the ends.
pub(super) fn follow_segment(
    transaction: &Transaction<'_>,
    layout: &Layout,
    segment: &Known,
    entering: &mut Entering,
) -> Result<(), Trouble> {
    let path = layout.segment(segment.name);
    must_hold(&segment.mark, &path)?;
    if segment.mark.bytes == 0 {
        refuse_newer(&path)?;
    }
    let Reached { end, seq, damaged_at } = read_on(transaction, &path, segment, entering)?;
    if (end, damaged_at) != (segment.mark.bytes, segment.damaged_at) {
        let mark = Mark::at(&path, end).map_err(|error| cannot_read(&path, &error))?;
        transaction.execute(
            "UPDATE segments SET bytes = ?, tail = ?, seq = ?, damaged_at = ? WHERE number = ?",
            params![mark.bytes, mark.tail, seq, damaged_at, segment.number],
        )?;
    }
    Ok(())
}

/// How far the good lines go.
struct Reached {
    end: u64,
    seq: u64,
    damaged_at: Option<u64>,
}

fn read_on(
    transaction: &Transaction<'_>,
    path: &Path,
    segment: &Known,
    entering: &mut Entering,
) -> Result<Reached, Trouble> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Trouble::Disagrees,
        _ => cannot_read(path, &error).into(),
    };
    let mut lines = Lines::open(path, segment.mark.bytes).map_err(failed)?;
    let (mut last, mut end) = (segment.link(), segment.mark.bytes);
    while let Some((offset, line)) = lines.next_line().map_err(failed)? {
        let beyond = segment.sealed_bytes.is_some_and(|bytes| offset >= bytes);
        let from = last.or_else(|| unregistered(line));
        let Some(next) = from.and_then(|last| chain::next(line, last)).filter(|_| !beyond) else {
            let seq = last.map_or(0, |last| last.seq);
            return Ok(Reached { end, seq, damaged_at: Some(end) });
        };
        let spot =
            Spot { segment: segment.number, offset, bytes: line.len(), sum: next.hash.short() };
        enter(transaction, line, spot, entering)?;
        (last, end) = (Some(next), end + line.len() as u64 + 1);
    }
    let cut = segment.sealed_bytes.is_some_and(|bytes| bytes != end);
    Ok(Reached { end, seq: last.map_or(0, |last| last.seq), damaged_at: cut.then_some(end) })
}

/// A line in a way of speaking that this version does not know is as it was written, and cannot be shown.
fn enter(
    transaction: &Transaction<'_>,
    line: &[u8],
    spot: Spot,
    entering: &mut Entering,
) -> rusqlite::Result<()> {
    match read_event(line) {
        Ok(ActivityEvent::Started(started)) => {
            calls::insert_start(transaction, entering, &spot, &started)?;
        }
        Ok(ActivityEvent::Ended(ended)) => {
            let CallEnded { id, at, status, duration_ms, .. } = *ended;
            entering.ends.push(End { id, at, status, duration_ms, spot });
        }
        Err(_) => {}
    }
    Ok(())
}

/// Where the chain of a segment begins that nobody registered: where its first line says.
fn unregistered(line: &[u8]) -> Option<Link> {
    let Preamble { prev, .. } = serde_json::from_slice(line).ok()?;
    Hash::parse(prev).map(Link::registered)
}

impl Known {
    /// Where the chain stood when it was last read; `None` at the beginning of a segment that nobody registered.
    fn link(&self) -> Option<Link> {
        match self.mark.hash() {
            Some(hash) => Some(Link { seq: self.seq, hash }),
            None => self.entry.map(Link::registered),
        }
    }
}
