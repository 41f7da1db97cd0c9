//! An agent's answer, read as the step asks for it.

use awf_core::{AgentOutcome, Code, OutputFormat, StepError, StepResult, StepStatus};

use crate::machine;

pub(super) fn read(outcome: AgentOutcome, format: OutputFormat) -> StepResult {
    let AgentOutcome { text, session, usage, model: _ } = outcome;
    let (output, json, error) = match format {
        OutputFormat::Raw => (text, None, None),
        OutputFormat::Text => (unfenced(&text).to_owned(), None, None),
        OutputFormat::Json => {
            let bare = unfenced(&text);
            match serde_json::from_str(bare) {
                Ok(json) => (bare.to_owned(), Some(json), None),
                Err(error) => {
                    let message = format!("the answer is not JSON: {error}");
                    (text, None, Some(StepError { code: Code::AgentFailed, message }))
                }
            }
        }
    };
    let ended = match error {
        Some(error) => machine::failed(error),
        None => machine::finished(StepStatus::Completed, 0),
    };
    StepResult { output, json, session, usage, ..ended }
}

/// What stands in the code block, when the whole answer is one.
fn unfenced(text: &str) -> &str {
    let trimmed = text.trim();
    let inner = trimmed
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .and_then(|rest| rest.split_once('\n'));
    match inner {
        // The first line is the word behind the fence.
        Some((word, inner)) if !word.contains('`') && !inner.contains("\n```") => inner.trim(),
        Some(_) | None => trimmed,
    }
}

#[cfg(test)]
mod tests;
