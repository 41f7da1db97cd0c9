//! An agent's answer, read as the step asks for it; or why there is none.

use awf_core::{AgentFailure, AgentOutcome, Code, OutputFormat, StepError, StepResult, StepStatus};

use crate::{engine::patience::Ended, machine};

/// What a turn comes to.
pub(super) fn told(
    answer: Ended<Result<AgentOutcome, AgentFailure>>,
    format: OutputFormat,
) -> StepResult {
    match answer {
        Ended::Late(error) => machine::failed(error),
        Ended::Cancelled | Ended::ByItself(Err(AgentFailure::Cancelled)) => {
            machine::finished(StepStatus::Cancelled, 130)
        }
        Ended::ByItself(Ok(outcome)) => read(outcome, format),
        Ended::ByItself(Err(failure)) => {
            let exit_code = match &failure {
                AgentFailure::Failed { exit_code: Some(code), .. } if *code != 0 => *code,
                AgentFailure::Failed { .. }
                | AgentFailure::Start(_)
                | AgentFailure::Cancelled
                | AgentFailure::Unsupported(_)
                | AgentFailure::Missing { .. }
                | AgentFailure::Endless { .. }
                | AgentFailure::Mismatch(_)
                | AgentFailure::Unusable(_) => 1,
            };
            let usage = failure.usage();
            StepResult { exit_code, usage, ..machine::failed(fault(&failure)) }
        }
    }
}

/// Why there is no answer, as a step tells it.
pub(in crate::engine) fn fault(failure: &AgentFailure) -> StepError {
    let code = match failure {
        AgentFailure::Unsupported(_) => Code::AgentUnsupported,
        AgentFailure::Missing { .. } => Code::AgentMissing,
        AgentFailure::Endless { .. } => Code::ProxyInfiniteLoop,
        AgentFailure::Mismatch(_) => Code::ScriptMismatch,
        AgentFailure::Start(_) | AgentFailure::Failed { .. } | AgentFailure::Cancelled => {
            Code::AgentFailed
        }
        AgentFailure::Unusable(_) => Code::AgentUnusable,
    };
    StepError { code, message: failure.to_string() }
}

fn read(outcome: AgentOutcome, format: OutputFormat) -> StepResult {
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
