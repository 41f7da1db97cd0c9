//! What `verify` has to say.

use std::{fmt, path::PathBuf};

use crate::{heads::Seal, verify::walk::Walked};

/// The state of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// How many segments were read.
    pub segments: u64,
    /// How many events they hold.
    pub events: u64,
    /// What was altered; empty when nothing was.
    pub findings: Vec<Finding>,
    /// What is worth knowing and no sign of tampering.
    pub notes: Vec<Note>,
    /// In how many places the index is not what an intact journal says.
    pub strays: u64,
}

impl VerifyReport {
    /// Whether every chain fits.
    pub fn is_intact(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn find(&mut self, place: Place, fault: Fault) {
        self.findings.push(Finding { place, fault });
    }

    pub(super) fn note_torn(&mut self, file: PathBuf, walked: &Walked, bytes: u64) {
        if bytes > 0 {
            let place = Place { file, line: walked.lines + 1, offset: walked.end };
            self.notes.push(Note::TornTail { place, bytes });
        }
    }
}

/// One alteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it shows.
    pub place: Place,
    /// What it is.
    pub fault: Fault,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// The byte it begins at.
    pub offset: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} (byte {})", self.file.display(), self.line, self.offset)
    }
}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not a line a writer wrote.
    Malformed,
    /// A line of a format this program does not know.
    UnknownVersion {
        /// The version it claims.
        found: u32,
    },
    /// The line is not the one that was hashed.
    Edited,
    /// A line is missing, added or moved.
    OutOfSequence {
        /// The number that was due.
        expected: u64,
        /// The number it has.
        found: u64,
    },
    /// The line before it is not the one it was written after.
    Unlinked,
    /// An entry of `heads.jsonl` that no writer would write there.
    SenselessEntry,
    /// A segment was opened, and its file is gone.
    MissingSegment {
        /// How many events it had, if it was sealed.
        sealed: Option<u64>,
    },
    /// A segment that nobody opened.
    Unregistered,
    /// A segment was cut, extended or exchanged after it was sealed.
    NotAsSealed {
        /// As it was.
        sealed: Extent,
        /// As it is.
        found: Extent,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("not a line of the journal"),
            Self::UnknownVersion { found } => write!(f, "unknown format version {found}"),
            Self::Edited => f.write_str("the line was edited: it does not fit its hash"),
            Self::OutOfSequence { expected, found } => write!(
                f,
                "lines were deleted, inserted or moved: number {expected} was due, found {found}"
            ),
            Self::Unlinked => f.write_str("the line does not continue the line before it"),
            Self::SenselessEntry => f.write_str("no writer makes this entry here"),
            Self::MissingSegment { sealed: None } => f.write_str("the segment was deleted"),
            Self::MissingSegment { sealed: Some(events) } => {
                write!(f, "the segment was deleted, with {events} events")
            }
            Self::Unregistered => f.write_str("the segment was never opened by a writer"),
            Self::NotAsSealed { sealed, found } if sealed == found => {
                f.write_str("the segment does not end with the event it was sealed with")
            }
            Self::NotAsSealed { sealed, found } => {
                write!(f, "the segment was sealed with {sealed} and now has {found}")
            }
        }
    }
}

/// How much a segment holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Events.
    pub events: u64,
    /// Bytes.
    pub bytes: u64,
}

impl From<&Seal> for Extent {
    fn from(seal: &Seal) -> Self {
        Self { events: seal.last.seq, bytes: seal.bytes + seal.torn }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} events in {} bytes", self.events, self.bytes)
    }
}

/// What is worth knowing and no sign of tampering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A writer was killed in the middle of a line; the line was never acknowledged and is not counted.
    TornTail {
        /// Where the line begins.
        place: Place,
        /// How much of it there is.
        bytes: u64,
    },
    /// Segments went because they were beyond the limits of the log.
    Removed {
        /// How many.
        segments: u64,
        /// How many events they held.
        events: u64,
        /// The hash of the last entry in `heads.jsonl` that says so.
        up_to: String,
    },
    /// The writer is gone and nobody has sealed the segment yet: a cut at its end would not be seen.
    Unsealed {
        /// The segment.
        file: PathBuf,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TornTail { place, bytes } => {
                write!(f, "{place}: {bytes} bytes of an unfinished line, left by a killed writer")
            }
            Self::Removed { segments, events, up_to } => {
                let plural = if *segments == 1 { "" } else { "s" };
                write!(
                    f,
                    "{segments} segment{plural} removed by retention up to {up_to}, with {events} events"
                )
            }
            Self::Unsealed { file } => write!(f, "{}: not sealed yet", file.display()),
        }
    }
}
