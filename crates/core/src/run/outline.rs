//! A run's journal without what its steps printed: small enough to be shown, however much that was. What cannot be read
//! is told, and not what was before it given up.

use crate::run::{RunBegan, RunEvent, RunFinished, StepError, StepResult, TaskOutcome};

/// Bytes of a message that are kept.
const MESSAGE: usize = 4 << 10;

/// Events of a run, bare.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// In order, from the first.
    pub events: Vec<RunEvent>,
    /// Why these are not all.
    pub loss: Option<Loss>,
}

/// Why the end of a journal is not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It cannot be read from here on; a newer awf may have written it.
    Damaged {
        /// The line.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// There are too many events.
    TooLong {
        /// As many are left out.
        events: usize,
    },
}

impl RunEvent {
    /// The event without what was printed, given and found out.
    #[must_use]
    pub fn bare(self) -> Self {
        match self {
            Self::Began(began) => Self::Began(Box::new(RunBegan {
                sources: Vec::new(),
                inputs: Vec::new(),
                presets: Vec::new(),
                ..*began
            })),
            Self::TaskEnded { task, outcome, at } => {
                Self::TaskEnded { task, outcome: bare(outcome), at }
            }
            Self::Finished(finished) => Self::Finished(RunFinished {
                message: finished.message.map(brief),
                error: finished.error.map(bare_error),
                ..finished
            }),
            other @ (Self::TaskBegan { .. }
            | Self::Resumed { .. }
            | Self::Cancelled { .. }
            | Self::Turn(_)) => other,
        }
    }
}

fn bare(outcome: TaskOutcome) -> TaskOutcome {
    match outcome {
        TaskOutcome::Step(result) => TaskOutcome::Step(Box::new(StepResult {
            output: String::new(),
            stderr: String::new(),
            response: serde_json::Map::new(),
            json: None,
            session: None,
            captured: Vec::new(),
            error: result.error.map(bare_error),
            ..*result
        })),
        TaskOutcome::Value(_) => TaskOutcome::Value(serde_json::Value::Null),
        TaskOutcome::Failed(error) => TaskOutcome::Failed(bare_error(error)),
        TaskOutcome::Elapsed => TaskOutcome::Elapsed,
    }
}

fn bare_error(error: StepError) -> StepError {
    StepError { message: brief(error.message), ..error }
}

fn brief(mut text: String) -> String {
    if text.len() > MESSAGE {
        text.truncate(text.floor_char_boundary(MESSAGE));
        text.push('…');
    }
    text
}
