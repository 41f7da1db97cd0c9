//! Frames: what visits one state after the other.

use std::time::SystemTime;

use awf_core::{StepError, TaskId};
use serde_json::Value;

use crate::program::ChapterId;

/// Names a frame within its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FrameId(pub(super) u64);

impl FrameId {
    /// The frame of the root workflow.
    pub(crate) const ROOT: Self = Self(0);
}

/// What visits one state after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    /// The frame whose state this is beneath.
    pub(super) parent: Option<FrameId>,
    pub(super) kind: FrameKind,
    pub(super) chapter: ChapterId,
    /// The frame of the workflow whose results are seen here.
    pub(super) space: FrameId,
    /// Stands before the names of its states.
    pub(super) path: String,
    /// How many frames it is within.
    pub(super) depth: usize,
    /// States visited so far.
    pub(super) visits: u64,
    /// The one visited last.
    pub(super) last: String,
    /// A state above wants it gone.
    pub(super) stopped: bool,
    pub(super) at: At,
}

/// What the ways on of a frame's states mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A whole workflow: ways lead to its states.
    Sequence,
    /// An iteration: ways within the body jump, others leave the loop.
    Body,
    /// One state alone: ways on do not count.
    Single,
}

/// Where a frame is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum At {
    /// The start hook of this number is under way.
    Opening(usize),
    /// At a state.
    Visiting(Box<Visit>),
    /// The end or error hook of this number is under way.
    Closing(Ending, usize),
}

/// A state being visited.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Visit {
    pub(super) state: String,
    /// Counted from 1.
    pub(super) attempt: u32,
    pub(super) stage: Stage,
    /// How it went, once it is known.
    pub(super) outcome: Option<VisitOutcome>,
    /// What failed beneath it, and made the attempt fail.
    pub(super) cause: Option<Failure>,
    /// Why the attempt is to end as soon as nothing beneath it is left.
    pub(super) abort: Option<Failure>,
    /// When the attempt began.
    pub(super) began: SystemTime,
    /// Watches the time of the attempt.
    pub(super) timer: Option<TaskId>,
}

/// How far a visit is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    /// The pre hook of this number is under way.
    Pre(usize),
    /// A command, an agent, an operation is under way.
    Step,
    /// A loop.
    Loop(Cycle),
    /// Branches.
    Parallel(Branches),
    /// The inputs of a call are evaluated, or the called workflow is under way.
    Call,
    /// Before the next attempt.
    Waiting,
    /// The post hook of this number is under way.
    Post(usize),
    /// The transitions are evaluated.
    Choosing,
    /// A message is rendered, with which the workflow ends.
    Speaking {
        /// Whether the end is a good one.
        success: bool,
        /// The exit code, where one is given.
        status: Option<u8>,
    },
}

/// How a visit went.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum VisitOutcome {
    /// Well.
    Success,
    /// Badly.
    Failure(Failure),
    /// A way out of the loop was taken within it.
    Leave(String),
}

/// A loop under way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cycle {
    /// How often at most.
    pub(super) limit: u64,
    /// What it goes over, when that is a list.
    pub(super) items: Vec<Value>,
    /// The iteration, counted from 0.
    pub(super) index: u64,
    /// Iterations that came to their end.
    pub(super) done: u64,
    /// `loop` in templates.
    pub(super) view: Value,
    pub(super) stage: CycleStage,
}

/// How far an iteration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CycleStage {
    /// The limit is evaluated.
    Limit,
    /// The items are.
    Items,
    /// The condition is.
    Condition,
    /// The body is under way.
    Body,
    /// Whether to leave is evaluated.
    Break,
}

/// Branches under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Branches {
    /// The next one to begin.
    pub(super) next: usize,
    pub(super) running: usize,
    /// Those that ended, with how.
    pub(super) ended: Vec<(String, BranchEnd)>,
}

/// How a branch ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BranchEnd {
    /// Well.
    Completed,
    /// Badly.
    Failed(Failure),
    /// Another one failed first.
    Cancelled,
}

/// How a frame ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    /// It came to its end without being told how.
    Done,
    /// A terminal state, or an inline end.
    Terminal {
        /// Whether it is a good one.
        success: bool,
        /// What it has to say.
        message: Option<String>,
        /// The exit code, where one is given.
        status: Option<u8>,
        /// The failure it stands for, where there is nothing else to say of it.
        fault: Option<StepError>,
    },
    /// A state failed and nothing was said about that.
    Failed(Failure),
    /// A way led out of the loop.
    Left(String),
    /// A state above wanted it gone.
    Cancelled,
}

/// Why a state failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    /// What went wrong.
    pub(crate) error: StepError,
    /// The exit code of what failed.
    pub(crate) exit_code: i32,
    /// The state where it began, with its frames.
    pub(crate) step: String,
}

impl Failure {
    /// The error as a state above tells it.
    pub(super) fn told_above(&self) -> StepError {
        let message = format!("step `{}`: {}", self.step, self.error.message);
        StepError { code: self.error.code, message }
    }
}
