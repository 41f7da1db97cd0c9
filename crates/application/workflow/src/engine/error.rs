//! Why there is no end of a run to speak of.

use awf_core::{RunJournalError, StepError};

/// Why a run did not come to an end, or not even to a beginning.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// What happens must be kept; when that fails nothing more is done.
    #[error("the run was stopped, for its journal cannot be written: {0}")]
    Journal(#[from] RunJournalError),
    /// The journal has no beginning.
    #[error("the journal has no first event")]
    NotBegun,
    /// The run has ended, and no state was named to begin at again.
    #[error("the run has ended")]
    Finished,
    /// Steps were under way, and nobody knows how far they came. Nothing was done.
    #[error("{} when the run was interrupted", under_way(.steps))]
    Interrupted {
        /// The steps.
        steps: Vec<InterruptedStep>,
    },
    /// Secrets are not kept, so a run that goes on must be given them again. Nothing was done.
    #[error("the run had the secret {} and goes on only with it", named(.inputs))]
    SecretMissing {
        /// The inputs.
        inputs: Vec<String>,
    },
    /// The machine waits for something nobody does: a fault of awf.
    #[error("the run has nothing left to wait for and did not end")]
    Stuck,
    /// An agent that the run needs cannot be had. Nothing was done.
    #[error("state `{state}`: {}", .error.message)]
    NoAgent {
        /// The state that needs it.
        state: String,
        /// Why not.
        error: StepError,
    },
    /// The state to begin at does not exist.
    #[error("the workflow has no state `{state}`")]
    UnknownState {
        /// What was asked for.
        state: String,
        /// The name that is nearest to it.
        nearest: Option<String>,
    },
}

/// A step that was under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptedStep {
    /// The step.
    pub step: String,
    /// Which attempt of it.
    pub attempt: u32,
}

fn named(inputs: &[String]) -> String {
    let names: Vec<String> = inputs.iter().map(|name| format!("`{name}`")).collect();
    format!("input{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

fn under_way(steps: &[InterruptedStep]) -> String {
    let names: Vec<String> = steps.iter().map(|step| format!("`{}`", step.step)).collect();
    match names.as_slice() {
        [one] => format!("step {one} was under way"),
        several => format!("steps {} were under way", several.join(", ")),
    }
}
