//! What is heard of a run while it goes on.

use std::time::Duration;

use awf_core::{
    Code, RunEvent, RunFinished, RunId, StepError, StepResult, StepStatus, TaskOutcome, ToolCalls,
    Usage,
};
use awf_tools::CallNews;

/// News of a run. Texts are without secrets.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The run began, or goes on.
    RunBegan {
        /// The run.
        run: RunId,
        /// The workflow's name.
        workflow: String,
    },
    /// An attempt of a step began.
    StepBegan {
        /// The step: `build`, `each[2].test`, `all.left`, `call/child`.
        step: String,
        /// `command`, `agent`, `operation`.
        kind: &'static str,
        /// Counted from 1.
        attempt: u32,
        /// The agent, where it is one.
        provider: Option<String>,
    },
    /// A step says something; pieces in order.
    Output {
        /// The step.
        step: String,
        /// Where.
        stream: OutputStream,
        /// What.
        text: String,
    },
    /// A tool call of a step has ended.
    ToolCall {
        /// The step.
        step: String,
        /// The call.
        call: CallNews,
    },
    /// A step failed and will be tried again.
    Retrying {
        /// The step.
        step: String,
        /// The attempt that comes.
        attempt: u32,
        /// The wait before it.
        delay: Duration,
        /// What went wrong.
        error: Option<StepError>,
    },
    /// An attempt of a step ended. States with others beneath them are told only when they failed, and have no beginning.
    StepEnded {
        /// The step.
        step: String,
        /// How.
        status: StepStatus,
        /// Its exit code.
        exit_code: i32,
        /// How long it took.
        elapsed: Duration,
        /// Tool calls it made.
        calls: ToolCalls,
        /// What its agent used.
        usage: Usage,
        /// What went wrong.
        error: Option<StepError>,
    },
    /// A hook says something, or a step that was not run is named.
    Log {
        /// The step, or nothing for the workflow's own.
        step: Option<String>,
        /// What.
        text: String,
    },
    /// Something went wrong that does not end the run.
    Warning {
        /// The stable code.
        code: Code,
        /// What went wrong.
        message: String,
    },
    /// The run is over.
    RunEnded {
        /// How.
        finished: RunFinished,
        /// How long it took, or what of it was run here.
        elapsed: Duration,
        /// What all its steps came to, also those run before it went on.
        totals: Totals,
    },
}

/// What the steps of a run came to, every attempt counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// What agents used.
    pub usage: Usage,
    /// Tool calls.
    pub calls: ToolCalls,
}

impl Totals {
    /// Of what has happened so far.
    pub(super) fn of(events: &[RunEvent]) -> Self {
        events.iter().fold(Self::default(), |totals, event| match event {
            RunEvent::TaskEnded { outcome: TaskOutcome::Step(result), .. } => totals.with(result),
            RunEvent::Began(_)
            | RunEvent::TaskBegan { .. }
            | RunEvent::TaskEnded { .. }
            | RunEvent::Resumed { .. }
            | RunEvent::Cancelled { .. }
            | RunEvent::Turn(_)
            | RunEvent::Finished(_) => totals,
        })
    }

    /// And one more.
    pub(super) fn with(self, result: &StepResult) -> Self {
        Self { usage: self.usage.plus(result.usage), calls: self.calls.plus(result.calls) }
    }
}

/// Where a step says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output, an agent's answer, or what a plugin gave.
    Stdout,
    /// Standard error, or an agent's complaints.
    Stderr,
}
