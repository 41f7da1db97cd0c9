//! What a run hands to the world, and what is done to the run from outside.

use std::borrow::Cow;

use awf_core::{Effect, ResumeFrom, RunEvent, TaskId};
use serde::{Deserialize, Serialize};

use crate::{
    runs::wire::{Unreadable, outcome::Outcome},
    wire::time,
};

#[derive(Serialize, Deserialize)]
pub(super) struct TaskBegan<'a> {
    pub(super) task: u64,
    pub(super) step: Cow<'a, str>,
    pub(super) attempt: u32,
    pub(super) effect: Changes,
    pub(super) at: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Changes {
    None,
    Step,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TaskEnded<'a> {
    pub(super) task: u64,
    pub(super) at: i64,
    #[serde(borrow)]
    pub(super) outcome: Outcome<'a>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Resumed<'a> {
    #[serde(borrow)]
    pub(super) from: Start<'a>,
    pub(super) at: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Start<'a> {
    Here,
    Again,
    State(Cow<'a, str>),
}

#[derive(Serialize, Deserialize)]
pub(super) struct Cancelled {
    pub(super) at: i64,
}

impl From<Effect> for Changes {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::None => Self::None,
            Effect::Step => Self::Step,
        }
    }
}

impl<'a> From<&'a ResumeFrom> for Start<'a> {
    fn from(from: &'a ResumeFrom) -> Self {
        match from {
            ResumeFrom::Here => Self::Here,
            ResumeFrom::Again => Self::Again,
            ResumeFrom::State(state) => Self::State(state.into()),
        }
    }
}

impl From<TaskBegan<'_>> for RunEvent {
    fn from(began: TaskBegan<'_>) -> Self {
        Self::TaskBegan {
            task: TaskId(began.task),
            step: began.step.into_owned(),
            attempt: began.attempt,
            effect: match began.effect {
                Changes::None => Effect::None,
                Changes::Step => Effect::Step,
            },
            at: time(began.at),
        }
    }
}

impl TryFrom<TaskEnded<'_>> for RunEvent {
    type Error = Unreadable;

    fn try_from(ended: TaskEnded<'_>) -> Result<Self, Unreadable> {
        let outcome = ended.outcome.try_into()?;
        Ok(Self::TaskEnded { task: TaskId(ended.task), outcome, at: time(ended.at) })
    }
}

impl From<Resumed<'_>> for RunEvent {
    fn from(resumed: Resumed<'_>) -> Self {
        let from = match resumed.from {
            Start::Here => ResumeFrom::Here,
            Start::Again => ResumeFrom::Again,
            Start::State(state) => ResumeFrom::State(state.into_owned()),
        };
        Self::Resumed { from, at: time(resumed.at) }
    }
}

impl From<Cancelled> for RunEvent {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled { at: time(cancelled.at) }
    }
}
