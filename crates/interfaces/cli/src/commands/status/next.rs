//! What to do about a run that did not end well.

use awf_core::{RecordedInput, RunStatus, StepStatus, Timeline};

/// A command, and what to see to before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub(super) command: String,
    pub(super) before: Vec<String>,
}

/// `None`: there is nothing to do, or nothing to go on from.
pub(super) fn next(story: &Timeline<'_>) -> Option<Next> {
    let resume = format!("awf resume {}", story.began.id);
    // Hooks, such as `build:post`, are no states to begin at.
    let last = |wanted: &[StepStatus]| {
        let mut states = story.steps.iter().filter(|step| !step.name.contains(':'));
        states.rfind(|step| wanted.contains(&step.status()))
    };
    let mut before = Vec::new();
    let command = match story.status {
        RunStatus::Running | RunStatus::Success => return None,
        RunStatus::Interrupted | RunStatus::Cancelled => {
            match last(&[StepStatus::Interrupted, StepStatus::Cancelled]) {
                Some(step) => {
                    let look =
                        format!("see what `{}` did: it is run again from its start", step.name);
                    before.push(look);
                    format!("{resume} --from current")
                }
                None => resume,
            }
        }
        // A branch that was cancelled is not what it failed at.
        RunStatus::Failed => {
            format!("{resume} --from {}", state(last(&[StepStatus::Failed])?.name))
        }
    };
    before.extend(secrets(story));
    Some(Next { command, before })
}

/// The state of the root workflow a step belongs to: `each` for `each[2].test`, `call` for `call/child`.
fn state(step: &str) -> &str {
    step.split(['.', '[', '/']).next().unwrap_or(step)
}

fn secrets(story: &Timeline<'_>) -> Option<String> {
    let secret = |(name, input): &(String, RecordedInput)| match input {
        RecordedInput::Secret => Some(format!("`--input {name}=…`")),
        RecordedInput::Value(_) => None,
    };
    let secrets: Vec<_> = story.began.inputs.iter().filter_map(secret).collect();
    (!secrets.is_empty())
        .then(|| format!("secrets are not kept, give them again: {}", secrets.join(" ")))
}
