//! `heads.jsonl`: which segments were opened, and where each one ended. A chain of its own, written under a file lock.
//!
//! Kept apart from the segments so that a deleted segment, a cut tail and a planted file are seen.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use awf_core::ActivityError;
use serde::{Deserialize, Serialize};

use crate::{
    chain::{self, Hash, Link, Preamble},
    error::{cannot_read, cannot_write},
    format::refuse_newer,
    layout::{Layout, SegmentName, create_directory, open_append, open_read},
    lines::{Lines, last_line},
    turn::Patience,
};

/// The key an entry stands under in its line.
const HEAD: &str = "head";

/// One fact about a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A writer began it.
    Opened {
        segment: SegmentName,
        /// Shared by all segments of one process.
        writer: SegmentName,
    },
    /// Nobody will write to it any more.
    Sealed(Seal),
    /// It was beyond the limits of the log, and its file is gone or about to go.
    Removed { segment: SegmentName },
}

/// Where a segment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seal {
    pub(crate) segment: SegmentName,
    /// Its last event; [`Link::START`] when it has none.
    pub(crate) last: Link,
    /// The length of its finished lines.
    pub(crate) bytes: u64,
    /// What a killed writer left behind them.
    pub(crate) torn: u64,
    /// How many calls began in it; unknown for those that were sealed before this was written down.
    pub(crate) calls: Option<u64>,
}

impl Seal {
    /// How many calls it holds, as far as that can be told: a call is two events.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.unwrap_or(self.last.seq.div_ceil(2))
    }
}

/// The file, held by us alone until this is dropped.
pub(crate) struct Heads {
    file: File,
    path: PathBuf,
}

impl Heads {
    /// Waits for its turn. The lock is only ever held for a few small writes. What a newer awf wrote is left as it is.
    pub(crate) fn lock(layout: &Layout, patience: Patience) -> Result<Self, ActivityError> {
        let path = layout.heads();
        let failed = |error| cannot_write(&path, &error);
        create_directory(layout.activity())
            .map_err(|error| cannot_write(layout.activity(), &error))?;
        let file = open_append(&path).map_err(failed)?;
        patience.lock(&file).map_err(failed)?;
        refuse_newer(&path)?;
        Ok(Self { file, path })
    }

    /// Adds entries at the end; all of them or none. Gives the place of the last one.
    pub(crate) fn append(&self, entries: &[Entry]) -> Result<Link, ActivityError> {
        self.try_append(entries).map_err(|error| cannot_write(&self.path, &error))
    }

    /// Returns when what was added would survive the loss of power.
    pub(crate) fn sync(&self) -> Result<(), ActivityError> {
        self.file.sync_data().map_err(|error| cannot_write(&self.path, &error))
    }

    fn try_append(&self, entries: &[Entry]) -> io::Result<Link> {
        let last = last_line(&self.file)?;
        if last.unfinished > 0 {
            // Never acknowledged to anybody: its writer was killed or the disk was full.
            self.file.set_len(last.end)?;
        }
        // After a line that cannot be read the chain starts anew; `verify` reports both.
        let mut link = link_of(&last.line).unwrap_or(Link::START);
        let mut buffer = Vec::new();
        for entry in entries {
            link = chain::write_line(&mut buffer, link, HEAD, &Wire::from(entry))?;
        }
        if let Err(error) = (&self.file).write_all(&buffer) {
            // Should this fail too, the next writer cuts what is unfinished.
            self.file.set_len(last.end).ok();
            return Err(error);
        }
        Ok(link)
    }
}

/// Where the chain stands after a line.
pub(crate) fn link_of(line: &[u8]) -> Option<Link> {
    let hash = chain::split(line)?.claimed;
    let Preamble { v, seq, .. } = serde_json::from_slice(line).ok()?;
    (v == chain::VERSION).then_some(Link { seq, hash })
}

/// The entries from a place on, as far as they can be read, and where they end. No file is no entries.
pub(crate) fn read_entries(layout: &Layout, from: u64) -> Result<(Vec<Entry>, u64), ActivityError> {
    let (entries, end) = read_hashed(layout, from)?;
    Ok((entries.into_iter().map(|(entry, _)| entry).collect(), end))
}

/// The same, each with the hash of its line.
pub(crate) fn read_hashed(
    layout: &Layout,
    from: u64,
) -> Result<(Vec<(Entry, Hash)>, u64), ActivityError> {
    let path = layout.heads();
    match Lines::open(&path, from) {
        Ok(lines) => collect(lines).map_err(|error| cannot_read(&path, &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Vec::new(), from)),
        Err(error) => Err(cannot_read(&path, &error)),
    }
}

fn collect(mut lines: Lines) -> io::Result<(Vec<(Entry, Hash)>, u64)> {
    let mut entries = Vec::new();
    while let Some((_, line)) = lines.next_line()? {
        entries.extend(read_entry(line).zip(chain::split(line).map(|split| split.claimed)));
    }
    Ok((entries, lines.offset()))
}

/// Reads the entry out of a line, given without its newline.
pub(crate) fn read_entry(line: &[u8]) -> Option<Entry> {
    let Line { head } = serde_json::from_slice(line).ok()?;
    head.meant()
}

/// The last link of the file, if there is one.
pub(crate) fn newest(path: &Path) -> Result<Option<Link>, ActivityError> {
    let last = match open_read(path).and_then(|file| last_line(&file)) {
        Ok(last) => last,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot_read(path, &error)),
    };
    Ok(link_of(&last.line))
}

#[derive(Deserialize)]
struct Line {
    head: Wire,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wire {
    Opened {
        segment: String,
        writer: String,
    },
    Sealed {
        segment: String,
        seq: u64,
        hash: String,
        bytes: u64,
        torn: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        calls: Option<u64>,
    },
    Removed {
        segment: String,
    },
}

impl From<&Entry> for Wire {
    fn from(entry: &Entry) -> Self {
        match entry {
            Entry::Opened { segment, writer } => {
                Self::Opened { segment: segment.to_string(), writer: writer.to_string() }
            }
            Entry::Removed { segment } => Self::Removed { segment: segment.to_string() },
            Entry::Sealed(Seal { segment, last, bytes, torn, calls }) => Self::Sealed {
                segment: segment.to_string(),
                seq: last.seq,
                hash: last.hash.as_str().to_owned(),
                bytes: *bytes,
                torn: *torn,
                calls: *calls,
            },
        }
    }
}

impl Wire {
    fn meant(self) -> Option<Entry> {
        Some(match self {
            Self::Opened { segment, writer } => Entry::Opened {
                segment: SegmentName::parse(&segment)?,
                writer: SegmentName::parse(&writer)?,
            },
            Self::Removed { segment } => Entry::Removed { segment: SegmentName::parse(&segment)? },
            Self::Sealed { segment, seq, hash, bytes, torn, calls } => Entry::Sealed(Seal {
                segment: SegmentName::parse(&segment)?,
                last: Link { seq, hash: Hash::parse(&hash)? },
                bytes,
                torn,
                calls,
            }),
        })
    }
}

#[cfg(test)]
mod tests;
