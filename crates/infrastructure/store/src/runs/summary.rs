//! What a list says of a run, from the head and the tail of its journal alone.

use std::{fs::File, io, os::unix::fs::FileExt as _, time::SystemTime};

use awf_core::{RunEvent, RunFinished, RunId, RunJournalError, RunStatus, RunSummary};
use ulid::Ulid;

use crate::{
    layout::open_read,
    lines::{LastLine, last_line_within},
    liveness::{Writer, holder},
    runs::{
        folder::Folder,
        wire::{self, Opening},
    },
};

/// A run's name stands at the very beginning.
const HEAD_BYTES: usize = 4 * 1024;
/// The last line of a run that ended is short, unless its message is a whole output.
const TAIL_BYTES: u64 = 1024 * 1024;
/// The workflow of a run whose beginning cannot be read.
const UNKNOWN: &str = "?";

/// All runs, newest first. A damaged journal is listed as far as it can be read.
pub(crate) fn list(folder: &Folder) -> Result<Vec<RunSummary>, RunJournalError> {
    let runs = folder.runs()?;
    Ok(runs.into_iter().filter_map(|run| summary(folder, run)).collect())
}

/// One run.
pub(crate) fn of(folder: &Folder, run: RunId) -> Result<RunSummary, RunJournalError> {
    summary(folder, run).ok_or(RunJournalError::NotFound(run))
}

/// `None`: it is gone, or nothing was written yet.
fn summary(folder: &Folder, run: RunId) -> Option<RunSummary> {
    let read = || -> io::Result<Option<RunSummary>> {
        let file = open_read(&folder.journal(run))?;
        let tail = last_line_within(&file, TAIL_BYTES)?;
        if tail.as_ref().is_some_and(|tail| tail.end == 0) {
            return Ok(None);
        }
        let finished = tail.as_ref().and_then(finished_by);
        let status = match &finished {
            Some(finished) => finished.status,
            None => standing(&file)?,
        };
        Ok(Some(RunSummary {
            status,
            ended: finished.as_ref().map(|finished| finished.at),
            exit_code: finished.as_ref().map(|finished| finished.exit_code),
            ..opened(&file, run)?
        }))
    };
    match read() {
        Ok(summary) => summary,
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => Some(nameless(run)),
    }
}

/// The end of the run, if that is what the last line tells.
fn finished_by(tail: &LastLine) -> Option<RunFinished> {
    match wire::read_any_line(&tail.line).ok()? {
        RunEvent::Finished(finished) => Some(finished),
        RunEvent::Began(_)
        | RunEvent::TaskBegan { .. }
        | RunEvent::TaskEnded { .. }
        | RunEvent::Resumed { .. }
        | RunEvent::Cancelled { .. }
        | RunEvent::Turn(_) => None,
    }
}

/// How a run stands that has not ended.
fn standing(file: &File) -> io::Result<RunStatus> {
    Ok(match holder(file)? {
        Writer::Alive => RunStatus::Running,
        Writer::Gone => RunStatus::Interrupted,
    })
}

fn opened(file: &File, run: RunId) -> io::Result<RunSummary> {
    let mut head = vec![0; HEAD_BYTES];
    let read = file.read_at(&mut head, 0)?;
    let nameless = nameless(run);
    Ok(match wire::read_opening(&head[..read]) {
        Some(Opening { workflow, began }) => RunSummary { workflow, began, ..nameless },
        None => nameless,
    })
}

/// All that the name of the file tells.
fn nameless(run: RunId) -> RunSummary {
    let began =
        Ulid::from_string(&run.to_string()).map_or(SystemTime::UNIX_EPOCH, |ulid| ulid.datetime());
    RunSummary {
        id: run,
        workflow: UNKNOWN.to_owned(),
        status: RunStatus::Interrupted,
        began,
        ended: None,
        exit_code: None,
    }
}
