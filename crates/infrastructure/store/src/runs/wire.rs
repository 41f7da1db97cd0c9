//! Events of runs as they stand in a journal. Field names and words are the format: once shipped they stay.

use std::{borrow::Cow, io, time::SystemTime};

use awf_core::{RunEvent, RunStatus, TaskId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::wire::{nanos, time};

mod began;
mod finished;
mod json;
mod outcome;
mod task;
mod turn;

use began::Began;
use finished::Finished;
use task::{Cancelled, Resumed, TaskBegan, TaskEnded};
use turn::Turn;

/// The only format there is so far.
const VERSION: u32 = 1;

const BEGAN: &str = "began";
const TASK_BEGAN: &str = "task_began";
const TASK_ENDED: &str = "task_ended";
const RESUMED: &str = "resumed";
const CANCELLED: &str = "cancelled";
const TURN: &str = "turn";
const FINISHED: &str = "finished";

/// Why a line cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("not an event of a run: {0}")]
    Shape(#[from] serde_json::Error),
    #[error("event {found} stands where event {expected} belongs")]
    OutOfOrder { found: u64, expected: u64 },
    #[error("`{found}` is no {what}")]
    Word { what: &'static str, found: String },
    #[error("written by a newer awf: {what} `{found}` is not known to this one")]
    Newer { what: &'static str, found: String },
}

impl Unreadable {
    fn newer(what: &'static str, found: &impl ToString) -> Self {
        Self::Newer { what, found: found.to_string() }
    }
}

/// A whole line, to be written.
#[derive(Serialize)]
struct Written<T> {
    v: u32,
    seq: u64,
    kind: &'static str,
    event: T,
}

/// A whole line, its event still to be understood.
#[derive(Deserialize)]
struct Line<'a> {
    seq: u64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    event: &'a RawValue,
}

/// What every version of the format begins with.
#[derive(Deserialize)]
struct Version {
    v: u32,
}

/// The line of an event, newline included.
pub(crate) fn write_line(seq: u64, event: &RunEvent) -> io::Result<Vec<u8>> {
    match event {
        RunEvent::Began(began) => line(seq, BEGAN, Began::from(&**began)),
        RunEvent::TaskBegan { task: TaskId(task), step, attempt, effect, at } => {
            let (step, effect, at) = (step.into(), (*effect).into(), nanos(*at));
            line(seq, TASK_BEGAN, TaskBegan { task: *task, step, attempt: *attempt, effect, at })
        }
        RunEvent::TaskEnded { task: TaskId(task), outcome, at } => {
            let (outcome, at) = (outcome.into(), nanos(*at));
            line(seq, TASK_ENDED, TaskEnded { task: *task, at, outcome })
        }
        RunEvent::Resumed { from, at } => {
            line(seq, RESUMED, Resumed { from: from.into(), at: nanos(*at) })
        }
        RunEvent::Cancelled { at } => line(seq, CANCELLED, Cancelled { at: nanos(*at) }),
        RunEvent::Turn(turn) => line(seq, TURN, Turn::from(turn)),
        RunEvent::Finished(finished) => line(seq, FINISHED, Finished::from(finished)),
    }
}

fn line(seq: u64, kind: &'static str, event: impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&Written { v: VERSION, seq, kind, event })?;
    line.push(b'\n');
    Ok(line)
}

/// Reads a line, given without its newline, that must be event `seq`.
pub(crate) fn read_line(seq: u64, line: &[u8]) -> Result<RunEvent, Unreadable> {
    event_of(&in_order(seq, line)?)
}

/// Makes sure that a line is event `seq`, without understanding it.
pub(crate) fn check_line(seq: u64, line: &[u8]) -> Result<(), Unreadable> {
    in_order(seq, line).map(drop)
}

/// Reads a line wherever it stands.
pub(crate) fn read_any_line(line: &[u8]) -> Result<RunEvent, Unreadable> {
    event_of(&parse(line)?)
}

fn in_order(expected: u64, line: &[u8]) -> Result<Line<'_>, Unreadable> {
    let line = parse(line)?;
    match line.seq {
        found if found == expected => Ok(line),
        found => Err(Unreadable::OutOfOrder { found, expected }),
    }
}

fn parse(line: &[u8]) -> Result<Line<'_>, Unreadable> {
    match serde_json::from_slice::<Version>(line)?.v {
        VERSION => Ok(serde_json::from_slice(line)?),
        v => Err(Unreadable::newer("format", &v)),
    }
}

fn event_of(line: &Line<'_>) -> Result<RunEvent, Unreadable> {
    let event = line.event.get();
    match &*line.kind {
        BEGAN => serde_json::from_str::<Began<'_>>(event)?.try_into(),
        TASK_BEGAN => Ok(serde_json::from_str::<TaskBegan<'_>>(event)?.into()),
        TASK_ENDED => serde_json::from_str::<TaskEnded<'_>>(event)?.try_into(),
        RESUMED => Ok(serde_json::from_str::<Resumed<'_>>(event)?.into()),
        CANCELLED => Ok(serde_json::from_str::<Cancelled>(event)?.into()),
        TURN => Ok(serde_json::from_str::<Turn<'_>>(event)?.into()),
        FINISHED => serde_json::from_str::<Finished<'_>>(event)?.try_into(),
        kind => Err(Unreadable::newer("event", &kind)),
    }
}

/// What a list needs of a run's beginning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub(crate) workflow: String,
    pub(crate) began: SystemTime,
}

/// Reads it off the first bytes of a journal; the texts of workflows that follow may be long.
pub(crate) fn read_opening(head: &[u8]) -> Option<Opening> {
    let (workflow, at) = began::read_head(head)?;
    Some(Opening { workflow, began: time(at) })
}

/// Reads the word for how a run stands.
fn run_status(found: &str) -> Result<RunStatus, Unreadable> {
    let known = RunStatus::ALL.into_iter().find(|status| status.as_str() == found);
    known.ok_or_else(|| Unreadable::newer("status", &found))
}

#[cfg(test)]
mod tests;
