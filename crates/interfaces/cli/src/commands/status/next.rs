//! What to do about a run that did not end well.

use awf_core::{RunStatus, StepStatus};

use crate::commands::status::story::Story;

/// A command, and what to see to before.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub(super) command: String,
    pub(super) first: Option<String>,
}

/// `None`: there is nothing to do, or nothing to go on from.
pub(super) fn next(story: &Story<'_>) -> Option<Next> {
    let resume = format!("awf resume {}", story.began.id);
    let last = |status| story.steps.iter().rfind(|step| step.status == status);
    match story.status {
        RunStatus::Running | RunStatus::Success => None,
        RunStatus::Interrupted => Some(match last(StepStatus::Interrupted) {
            Some(step) => Next {
                command: format!("{resume} --from current"),
                first: Some(format!(
                    "see what `{}` did: it is run again from its start",
                    step.name
                )),
            },
            None => Next { command: resume, first: None },
        }),
        RunStatus::Failed | RunStatus::Cancelled => {
            let step = last(StepStatus::Cancelled).or_else(|| last(StepStatus::Failed))?;
            Some(Next { command: format!("{resume} --from {}", state(step.name)), first: None })
        }
    }
}

/// The state of the root workflow a step belongs to: `each` for `each[2].test`, `call` for `call/child`.
fn state(step: &str) -> &str {
    step.split(['.', '[', '/']).next().unwrap_or(step)
}
