//! Brings the index up to date: reads what the heads and the segments gained since the last time.

use std::{collections::HashSet, fs, path::Path, time::SystemTime};

use awf_core::{ActivityId, Status};
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::{
    chain::Hash,
    error::cannot_read,
    heads::{Entry, read_hashed},
    index::{
        Trouble,
        calls::{self, Entering},
        drift::Drift,
        kinds::Kinds,
        mark::Mark,
        segment::follow_segment,
    },
    layout::{Layout, SegmentName},
    liveness::{Writer, seal_abandoned, writer_of},
};

/// A segment as the index knows it.
pub(super) struct Known {
    pub(super) number: i64,
    pub(super) name: SegmentName,
    writer: String,
    /// How far it was read.
    pub(super) mark: Mark,
    /// The number of the last event that was read.
    pub(super) seq: u64,
    /// The hash of the entry that registered it.
    pub(super) entry: Option<Hash>,
    pub(super) sealed_bytes: Option<u64>,
    /// Where it is no longer as it was written.
    pub(super) damaged_at: Option<u64>,
}

/// Where in the journal an event stands.
pub(super) struct Spot {
    pub(super) segment: i64,
    pub(super) offset: u64,
    pub(super) bytes: usize,
    pub(super) sum: i64,
}

/// What the index keeps of a call's end. Never the response: all ends of a journal may be in memory at once.
pub(super) struct End {
    pub(super) id: ActivityId,
    pub(super) at: SystemTime,
    pub(super) status: Status,
    pub(super) duration_ms: u64,
    pub(super) spot: Spot,
}

/// What became of the index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gained {
    /// It grew, or is as it was.
    Only,
    /// It lost what the journal lost.
    AndLost,
}

/// Whether what dead writers left is sealed on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sealing {
    Abandoned,
    Nothing,
}

/// Reads on from where the index stands.
pub(super) fn follow(
    transaction: &Transaction<'_>,
    layout: &Layout,
    sealing: Sealing,
) -> Result<Gained, Trouble> {
    // Listed first, so that a segment made in the meantime is left for the next time as a whole.
    let listed = layout.list_segments()?;
    let read = follow_heads(transaction, layout)?;
    match sealing {
        Sealing::Abandoned => seal_unsealed(transaction, layout, read)?,
        Sealing::Nothing => {}
    }
    let gained = match calls::forget_removed(transaction)? {
        0 => Gained::Only,
        _ => Gained::AndLost,
    };
    let known = know(transaction, &listed)?;
    // Asked before the segments are read: whoever is gone by now has nothing more to say.
    let alive = alive_writers(layout, &known)?;
    let listed: HashSet<_> = listed.into_iter().collect();
    let mut entering =
        Entering { kinds: Kinds::default(), drift: Drift::read(transaction)?, ends: Vec::new() };
    // Newest first, by the order in which they were registered: an end is on disk after its start, so the start is in this segment or in one still to be read.
    for segment in known.iter().rev().filter(|segment| !segment.is_finished()) {
        if listed.contains(&segment.name) {
            follow_segment(transaction, layout, segment, &mut entering)?;
        }
    }
    let Entering { mut kinds, drift, mut ends } = entering;
    drift.keep(transaction)?;
    // What several writers ended since the last time is numbered as it came.
    ends.sort_by_key(|end| end.at);
    let mut numbers = calls::Numbers::read(transaction)?;
    for end in &ends {
        calls::insert_end(transaction, &mut kinds, &mut numbers, end)?;
    }
    calls::note_interrupted(transaction, &mut kinds, &mut numbers, &alive)?;
    numbers.keep(transaction)?;
    Ok(gained)
}

/// Enters what the heads say, and tells how far they have been read.
fn follow_heads(transaction: &Transaction<'_>, layout: &Layout) -> Result<u64, Trouble> {
    let path = layout.heads();
    let remembered = transaction
        .query_row("SELECT bytes, tail FROM place WHERE what = 'heads'", (), |row| {
            Ok(Mark { bytes: row.get(0)?, tail: row.get(1)? })
        })
        .optional()?
        .unwrap_or_default();
    must_hold(&remembered, &path)?;
    let (entries, end) = read_hashed(layout, remembered.bytes)?;
    for (entry, hash) in &entries {
        enter(transaction, entry, *hash)?;
    }
    if end > remembered.bytes {
        let mark = Mark::at(&path, end).map_err(|error| cannot_read(&path, &error))?;
        transaction.execute(
            "INSERT OR REPLACE INTO place (what, bytes, tail) VALUES ('heads', ?, ?)",
            params![mark.bytes, mark.tail],
        )?;
    }
    Ok(end)
}

fn enter(transaction: &Transaction<'_>, entry: &Entry, hash: Hash) -> rusqlite::Result<usize> {
    match entry {
        Entry::Opened { segment, writer } => transaction.execute(
            "INSERT INTO segments (name, writer, entry) VALUES (?, ?, ?)
             ON CONFLICT (name) DO UPDATE SET writer = excluded.writer, entry = excluded.entry",
            params![segment.to_string(), writer.to_string(), hash.as_str()],
        ),
        Entry::Removed { segment } => transaction.execute(
            "UPDATE segments SET removed = 1 WHERE name = ?",
            params![segment.to_string()],
        ),
        Entry::Sealed(seal) => transaction.execute(
            "UPDATE segments SET sealed_bytes = ? WHERE name = ?",
            params![seal.bytes, seal.segment.to_string()],
        ),
    }
}

fn seal_unsealed(transaction: &Transaction<'_>, layout: &Layout, read: u64) -> Result<(), Trouble> {
    let unsealed: Vec<_> = known_segments(transaction)?
        .into_iter()
        .filter(|segment| segment.entry.is_some() && segment.sealed_bytes.is_none())
        .map(|segment| segment.name)
        .collect();
    // A log that cannot be sealed, as on a full disk, can still be read.
    seal_abandoned(layout, &unsealed, read).ok();
    follow_heads(transaction, layout)?;
    Ok(())
}

/// All segments, those that nobody registered included: they are shown, and `verify` says what they are.
fn know(transaction: &Transaction<'_>, listed: &[SegmentName]) -> Result<Vec<Known>, Trouble> {
    let mut insert = transaction
        .prepare_cached("INSERT OR IGNORE INTO segments (name, writer) VALUES (?1, ?1)")?;
    for name in listed {
        insert.execute([name.to_string()])?;
    }
    let known = known_segments(transaction)?;
    let gone =
        |segment: &Known| segment.mark.bytes > 0 && listed.binary_search(&segment.name).is_err();
    if known.iter().any(gone) { Err(Trouble::Disagrees) } else { Ok(known) }
}

fn known_segments(transaction: &Transaction<'_>) -> Result<Vec<Known>, Trouble> {
    let mut select = transaction.prepare_cached(
        "SELECT number, name, writer, bytes, tail, seq, entry, sealed_bytes, damaged_at
         FROM segments WHERE removed = 0 ORDER BY number",
    )?;
    let rows = select.query_and_then((), |row| -> Result<Known, Trouble> {
        let name: String = row.get(1)?;
        let entry: Option<String> = row.get(6)?;
        Ok(Known {
            number: row.get(0)?,
            name: SegmentName::parse(&name).ok_or(Trouble::Disagrees)?,
            writer: row.get(2)?,
            mark: Mark { bytes: row.get(3)?, tail: row.get(4)? },
            seq: row.get(5)?,
            entry: entry.as_deref().and_then(Hash::parse),
            sealed_bytes: row.get(7)?,
            damaged_at: row.get(8)?,
        })
    })?;
    rows.collect()
}

impl Known {
    /// Sealed and read to its end.
    fn is_finished(&self) -> bool {
        self.sealed_bytes == Some(self.mark.bytes)
    }
}

fn alive_writers(layout: &Layout, known: &[Known]) -> Result<HashSet<String>, Trouble> {
    let mut alive = HashSet::new();
    for segment in known.iter().filter(|segment| segment.sealed_bytes.is_none()) {
        // A file just made is locked, then registered, then written to.
        let may_be_new = segment.entry.is_none() && is_empty(layout, segment.name);
        if may_be_new || writer_of(layout, segment.name)? == Writer::Alive {
            alive.insert(segment.writer.clone());
        }
    }
    Ok(alive)
}

fn is_empty(layout: &Layout, segment: SegmentName) -> bool {
    fs::metadata(layout.segment(segment)).is_ok_and(|metadata| metadata.len() == 0)
}

pub(super) fn must_hold(mark: &Mark, path: &Path) -> Result<(), Trouble> {
    let holds = mark.holds(path).map_err(|error| cannot_read(path, &error))?;
    if holds { Ok(()) } else { Err(Trouble::Disagrees) }
}
