//! Reads a journal from its beginning.

use std::io;

use awf_core::{Loss, Outline, RunEvent, RunId, RunJournalError};

use crate::{
    lines::Lines,
    runs::{
        folder::Folder,
        wire::{self, Unreadable},
    },
};

/// Events in an outline at most.
const MOST_EVENTS: usize = 100_000;

/// Where the finished lines of a journal end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct End {
    /// The number of the last event.
    pub(crate) seq: u64,
    /// How long the lines are, all together.
    pub(crate) bytes: u64,
}

/// All events, in order.
pub(crate) fn load(folder: &Folder, run: RunId) -> Result<Vec<RunEvent>, RunJournalError> {
    let mut events = Vec::new();
    walk(folder, run, |seq, line| {
        events.push(wire::read_line(seq, line)?);
        Ok(())
    })?;
    Ok(events)
}

/// All events without what steps printed, as far as they can be read. A journal of which nothing can be read has none.
pub(crate) fn outline(folder: &Folder, run: RunId) -> Result<Outline, RunJournalError> {
    let (mut events, mut left_out) = (Vec::new(), 0);
    let walked = walk(folder, run, |seq, line| {
        let event = wire::read_line(seq, line)?;
        if events.len() < MOST_EVENTS {
            events.push(event.bare());
        } else {
            left_out += 1;
        }
        Ok(())
    });
    let loss = match walked {
        Ok(_) if left_out > 0 => Some(Loss::TooLong { events: left_out }),
        Ok(_) => None,
        Err(RunJournalError::Damaged { line, message, .. }) if !events.is_empty() => {
            Some(Loss::Damaged { line, message })
        }
        Err(error) => return Err(error),
    };
    Ok(Outline { events, loss })
}

/// Where the next event goes, once every line before it is known to be in its place.
pub(crate) fn end_of(folder: &Folder, run: RunId) -> Result<End, RunJournalError> {
    walk(folder, run, wire::check_line)
}

/// Shows every finished line to `look`, with the number it must carry. A run whose beginning was never written is none.
fn walk(
    folder: &Folder,
    run: RunId,
    mut look: impl FnMut(u64, &[u8]) -> Result<(), Unreadable>,
) -> Result<End, RunJournalError> {
    let path = folder.journal(run);
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => RunJournalError::NotFound(run),
        _ => RunJournalError::Io { path: path.clone(), source },
    };
    let mut lines = Lines::open(&path, 0).map_err(failed)?;
    let mut seq = 0;
    while let Some((_, line)) = lines.next_line().map_err(failed)? {
        seq += 1;
        look(seq, line).map_err(|error| RunJournalError::Damaged {
            run,
            line: usize::try_from(seq).unwrap_or(usize::MAX),
            message: error.to_string(),
        })?;
    }
    if seq == 0 {
        Err(RunJournalError::NotFound(run))
    } else {
        Ok(End { seq, bytes: lines.offset() })
    }
}
