//! An answer of the model behind an agent.

use std::borrow::Cow;

use awf_core::{RunEvent, RunTurn, TaskId};
use serde::{Deserialize, Serialize};

use crate::{
    runs::wire::outcome::Used,
    wire::{nanos, time},
};

#[derive(Serialize, Deserialize)]
pub(super) struct Turn<'a> {
    task: u64,
    number: u32,
    began: i64,
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Used>,
    head: Cow<'a, str>,
}

impl<'a> From<&'a RunTurn> for Turn<'a> {
    fn from(turn: &'a RunTurn) -> Self {
        Self {
            task: turn.task.0,
            number: turn.number,
            began: nanos(turn.began),
            at: nanos(turn.at),
            usage: turn.usage.map(Used::from),
            head: (&turn.head).into(),
        }
    }
}

impl From<Turn<'_>> for RunEvent {
    fn from(turn: Turn<'_>) -> Self {
        Self::Turn(RunTurn {
            task: TaskId(turn.task),
            number: turn.number,
            began: time(turn.began),
            at: time(turn.at),
            usage: turn.usage.map(Into::into),
            head: turn.head.into_owned(),
        })
    }
}
