//! What the machine asks of the world.

use std::time::Duration;

use awf_core::{Effect, RunStatus, StepError, StepResult, TaskId};

use crate::{machine::frame::FrameId, program::ChapterId};

/// Something to do now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// Journal that the task begins, begin it, and tell its end by an event, whatever happens to it.
    Begin(Task),
    /// End the task soon; its end is still told.
    Cancel(TaskId),
    /// Tell whoever looks on. Nothing is journaled: what led to it is.
    Tell(Tidings),
    /// Journal the end of the run.
    Finish(Finish),
}

/// What only the machine can tell of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tidings {
    /// An attempt of a state that has others beneath it has failed.
    Ended {
        /// The state with its frames.
        step: String,
        /// What became of it.
        result: Box<StepResult>,
    },
    /// A state was not run, for its result is taken as given.
    Given {
        /// The state with its frames.
        step: String,
    },
    /// Something went wrong that changes nothing.
    Warning(StepError),
}

/// One thing for the world to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    /// Counted in the order of asking.
    pub(crate) id: TaskId,
    /// The frame it belongs to.
    pub(crate) frame: FrameId,
    /// The workflow that has the state.
    pub(crate) chapter: ChapterId,
    /// The state; empty for hooks of the workflow.
    pub(crate) state: String,
    /// The state with its frames, for readers: `each[2].test`; hooks are `test:pre`, `workflow:start`.
    pub(crate) step: String,
    /// Counted from 1.
    pub(crate) attempt: u32,
    /// What is to be done.
    pub(crate) kind: TaskKind,
    /// Whether that changes the world.
    pub(crate) effect: Effect,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TaskKind {
    /// The state's command, agent or operation.
    Step,
    /// Find something out.
    Evaluate(Question),
    /// Wait before the attempt.
    Wait(Delay),
    /// Watch the time of a state that has others beneath it.
    Timer(Duration),
    /// One hook.
    Hook(HookPoint, usize),
}

/// A wait; how long exactly is decided when it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delay {
    /// Without jitter.
    pub(crate) base: Duration,
    /// The part by which it may be longer or shorter.
    pub(crate) jitter: f64,
    /// Why there is another attempt.
    pub(crate) error: Option<StepError>,
}

/// What the machine wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The number of the first transition that holds, or null.
    Transition,
    /// The list a loop goes over.
    Items,
    /// How often a loop goes round at most.
    Limit,
    /// Whether a loop goes round once more.
    Condition,
    /// Whether a loop is left.
    Break,
    /// What a called workflow is given: an object, checked against its declarations.
    CallInputs,
    /// What a terminal state or an inline end has to say.
    Message,
}

/// Where hooks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookPoint {
    /// Before the first state.
    Start,
    /// After a good end.
    End,
    /// After a bad end.
    Error,
    /// After an interruption.
    Cancel,
    /// Before a state.
    Pre,
    /// After a state.
    Post,
}

impl HookPoint {
    /// The word in the names of tasks.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
            Self::Error => "error",
            Self::Cancel => "cancel",
            Self::Pre => "pre",
            Self::Post => "post",
        }
    }
}

/// The end of a run, but for the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finish {
    /// How.
    pub(crate) status: RunStatus,
    /// What the process exits with.
    pub(crate) exit_code: u8,
    /// What a terminal state or a failure had to say.
    pub(crate) message: Option<String>,
    /// Why it failed.
    pub(crate) error: Option<StepError>,
    /// The state it ended in.
    pub(crate) state: String,
}
