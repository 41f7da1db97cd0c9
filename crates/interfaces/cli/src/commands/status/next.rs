//! What to do about a run that did not end well.

use awf_core::{RecordedInput, RunStatus, StepStatus};

use crate::commands::status::story::Story;

/// A command, and what to see to before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub(super) command: String,
    pub(super) before: Vec<String>,
}

/// `None`: there is nothing to do, or nothing to go on from.
pub(super) fn next(story: &Story<'_>) -> Option<Next> {
    let resume = format!("awf resume {}", story.began.id);
    let last = |status| story.steps.iter().rfind(|step| step.status == status);
    let mut before = Vec::new();
    let command = match story.status {
        RunStatus::Running | RunStatus::Success => return None,
        RunStatus::Interrupted => match last(StepStatus::Interrupted) {
            Some(step) => {
                before
                    .push(format!("see what `{}` did: it is run again from its start", step.name));
                format!("{resume} --from current")
            }
            None => resume,
        },
        RunStatus::Failed | RunStatus::Cancelled => {
            let step = last(StepStatus::Cancelled).or_else(|| last(StepStatus::Failed))?;
            format!("{resume} --from {}", state(step.name))
        }
    };
    before.extend(secrets(story));
    Some(Next { command, before })
}

/// The state of the root workflow a step belongs to: `each` for `each[2].test`, `call` for `call/child`.
fn state(step: &str) -> &str {
    step.split(['.', '[', '/']).next().unwrap_or(step)
}

fn secrets(story: &Story<'_>) -> Option<String> {
    let secret = |(name, input): &(String, RecordedInput)| match input {
        RecordedInput::Secret => Some(format!("`--input {name}=…`")),
        RecordedInput::Value(_) => None,
    };
    let secrets: Vec<_> = story.began.inputs.iter().filter_map(secret).collect();
    (!secrets.is_empty())
        .then(|| format!("secrets are not kept, give them again: {}", secrets.join(" ")))
}
