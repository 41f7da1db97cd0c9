//! Runs of workflows: what happened, as events in order. The machine folds them into its state; a journal keeps them.
//!
//! Everything a run hands to the world is a task: a step, a wait, an expression that looks at the environment. A task is
//! begun, then ended with what the world answered. Replaying the events gives the same state without touching the world.

use std::{
    fmt,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use serde_json::{Map, Value};
use ulid::Ulid;

use crate::{agent::Usage, diagnostic::Code};

mod document;
mod outline;
mod timeline;

pub use document::{RunDocument, RunLineDocument, RunTimelineDocument, RunsDocument, Shortfall};
pub use outline::{Loss, Outline};
pub use timeline::{AttemptSpan, CallSpan, StepSpan, Stretch, Timeline, TurnSpan};

/// Names one run for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(Ulid);

impl RunId {
    /// A new id.
    pub fn generate() -> Self {
        Self(Ulid::generate())
    }

    /// Reads the 26 characters of a ULID.
    pub fn parse(text: &str) -> Option<Self> {
        Ulid::from_string(text).ok().map(Self)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names one task within its run, counted from 1 in the order the machine asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// The run began.
    Began(Box<RunBegan>),
    /// A task was handed to the world; written before it is.
    TaskBegan {
        /// The task.
        task: TaskId,
        /// The step it belongs to, for readers: `build`, `each[2].test`, `all.left`, `call/child`.
        step: String,
        /// Which attempt of a step it is, counted from 1.
        attempt: u32,
        /// Whether it changes the world, and so must not simply be repeated.
        effect: Effect,
        /// When.
        at: SystemTime,
    },
    /// The world answered.
    TaskEnded {
        /// The task.
        task: TaskId,
        /// What it answered.
        outcome: TaskOutcome,
        /// When.
        at: SystemTime,
    },
    /// The run goes on after it had stopped.
    Resumed {
        /// From where.
        from: ResumeFrom,
        /// When.
        at: SystemTime,
    },
    /// The run was told to stop, by a signal.
    Cancelled {
        /// When.
        at: SystemTime,
    },
    /// The model of an agent has answered. Nothing follows from it: it is there to be read.
    Turn(RunTurn),
    /// The run is over.
    Finished(RunFinished),
}

/// One answer of the model behind an agent; the tool calls it asked for come after it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTurn {
    /// The agent's task.
    pub task: TaskId,
    /// Counted from 1 within the task.
    pub number: u32,
    /// When it was asked, as far as that can be seen.
    pub began: SystemTime,
    /// When it had answered.
    pub at: SystemTime,
    /// What it used, where that is known.
    pub usage: Option<Usage>,
    /// The beginning of what it said, without secrets.
    pub head: String,
}

/// Whether a task changes the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only looks or waits: it may be done again.
    None,
    /// A step: done again only when asked, or when the step may be retried.
    Step,
}

/// The beginning of a run: enough to go on without the files it began with.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBegan {
    /// The run.
    pub id: RunId,
    /// When.
    pub at: SystemTime,
    /// The workflow's name.
    pub workflow: String,
    /// The workflow's file and those of all it calls, the root first.
    pub sources: Vec<WorkflowSource>,
    /// What it was given. Secrets are named, not kept.
    pub inputs: Vec<(String, RecordedInput)>,
    /// Where it works.
    pub dir: PathBuf,
    /// What takes the place of every agent, if anything.
    pub provider: Option<String>,
    /// Properties of states that are taken as given: a state, and its results.
    pub presets: Vec<(String, Map<String, Value>)>,
    /// The one state that is run, when it is not the whole workflow.
    pub only: Option<String>,
    /// The version of awf.
    pub version: String,
}

/// A workflow file as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowSource {
    /// The name it is called by.
    pub name: String,
    /// The file, as the user named it.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// What is kept of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedInput {
    /// Its value.
    Value(Value),
    /// That there was one.
    Secret,
}

/// Where a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResumeFrom {
    /// Where it stopped; what was under way is done again only if it may be.
    Here,
    /// Where it stopped, and what was under way is done again.
    Again,
    /// At this state of the root workflow, whatever was under way.
    State(String),
}

/// What the world answered.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskOutcome {
    /// A step ended, well or badly.
    Step(Box<StepResult>),
    /// An expression, a list of items, a number: what was evaluated.
    Value(Value),
    /// It could not be evaluated.
    Failed(StepError),
    /// The wait is over.
    Elapsed,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    /// How.
    pub status: StepStatus,
    /// Its stdout, or its answer.
    pub output: String,
    /// Its stderr.
    pub stderr: String,
    /// Its exit code; 0 for what has none and went well, 1 for what went badly.
    pub exit_code: i32,
    /// Values it gave: an operation's data, the outputs of a called workflow.
    pub response: Map<String, Value>,
    /// Its answer as JSON, when that was asked for.
    pub json: Option<Value>,
    /// What it used.
    pub usage: Usage,
    /// The agent's session, to go on with.
    pub session: Option<String>,
    /// Tool calls it made: all, and those refused.
    pub calls: ToolCalls,
    /// How long it took.
    pub elapsed: Duration,
    /// What went wrong.
    pub error: Option<StepError>,
    /// Output kept under a name of its own.
    pub captured: Vec<(String, String)>,
}

/// Tool calls of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCalls {
    /// All of them.
    pub made: u64,
    /// Those that were refused.
    pub denied: u64,
    /// Tools of its own that the agent used past the proxy; not among the others.
    pub bypassed: u64,
}

impl ToolCalls {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            made: self.made.saturating_add(other.made),
            denied: self.denied.saturating_add(other.denied),
            bypassed: self.bypassed.saturating_add(other.bypassed),
        }
    }
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepStatus {
    /// Not yet begun.
    Pending,
    /// Under way.
    Running,
    /// Ended well.
    Completed,
    /// Ended badly.
    Failed,
    /// Stopped from outside.
    Cancelled,
    /// Under way when awf died.
    Interrupted,
}

impl StepStatus {
    /// Every status, for parsers and tests.
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Running,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
        Self::Interrupted,
    ];

    /// The word in templates, journals and events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }
}

/// Why a step failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepError {
    /// The stable code.
    pub code: Code,
    /// What went wrong.
    pub message: String,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFinished {
    /// How.
    pub status: RunStatus,
    /// What the process exits with.
    pub exit_code: u8,
    /// What a terminal state or a failure had to say.
    pub message: Option<String>,
    /// Why it failed.
    pub error: Option<StepError>,
    /// The state it ended in.
    pub state: String,
    /// When.
    pub at: SystemTime,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// Under way in a living process.
    Running,
    /// Ended well.
    Success,
    /// Ended badly.
    Failed,
    /// Stopped by a signal.
    Cancelled,
    /// Its process died.
    Interrupted,
}

impl RunStatus {
    /// Every status, for parsers and help.
    pub const ALL: [Self; 5] =
        [Self::Running, Self::Success, Self::Failed, Self::Cancelled, Self::Interrupted];

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// The word in lists and events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }
}

/// One line of `awf history`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// The run.
    pub id: RunId,
    /// The workflow.
    pub workflow: String,
    /// How it stands.
    pub status: RunStatus,
    /// When it began.
    pub began: SystemTime,
    /// When it ended, if it did.
    pub ended: Option<SystemTime>,
    /// What it exited with, if it ended.
    pub exit_code: Option<u8>,
}

/// Why a journal did not do as asked.
#[derive(Debug, thiserror::Error)]
pub enum RunJournalError {
    /// There is no such run.
    #[error("no run `{0}`")]
    NotFound(RunId),
    /// A living process is at it.
    #[error("run `{0}` is under way in another process")]
    Active(RunId),
    /// The journal is not what was written.
    #[error("the journal of run `{run}` is damaged at line {line}: {message}")]
    Damaged {
        /// The run.
        run: RunId,
        /// The line.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The disk refuses.
    #[error("cannot use the run journal `{path}`: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Keeps what happened in runs. An event is on disk when `append` returns: it survives the death of the process.
#[async_trait]
pub trait RunJournal: Send + Sync {
    /// Adds an event. The first append to a run takes it for this process until the process ends or `release`s it.
    async fn append(&self, run: RunId, event: &RunEvent) -> Result<(), RunJournalError>;
    /// All events of a run, in order. An unfinished last line is no event.
    async fn load(&self, run: RunId) -> Result<Vec<RunEvent>, RunJournalError>;
    /// Takes a run for this process, if it has the `known` events it was judged by and no more: somebody else may have gone
    /// on with it since they were read. `Active` if so.
    async fn take(&self, run: RunId, known: usize) -> Result<(), RunJournalError>;
    /// All runs, newest first.
    async fn list(&self) -> Result<Vec<RunSummary>, RunJournalError>;
    /// What a list says of one run.
    async fn summary(&self, run: RunId) -> Result<RunSummary, RunJournalError>;
    /// The events of a run without what its steps printed, as far as they can be read.
    async fn outline(&self, run: RunId) -> Result<Outline, RunJournalError>;
    /// Gives a run up.
    async fn release(&self, run: RunId);
}
