//! Results of states: made by the machine for what has none of its own, and as templates see them.

use std::time::Duration;

use awf_core::{Code, StepError, StepResult, StepStatus, ToolCalls, Usage};
use serde_json::{Map, Value, json};

/// The exit code of what ran out of time.
pub(crate) const TIMED_OUT: i32 = 124;

/// A result without output.
pub(crate) fn finished(status: StepStatus, exit_code: i32) -> StepResult {
    StepResult {
        status,
        output: String::new(),
        stderr: String::new(),
        exit_code,
        response: Map::new(),
        json: None,
        usage: Usage::default(),
        session: None,
        calls: ToolCalls::default(),
        elapsed: Duration::ZERO,
        error: None,
        captured: Vec::new(),
    }
}

/// A failure without output.
pub(crate) fn failed(error: StepError) -> StepResult {
    let exit_code = if error.code == Code::CommandTimeout { TIMED_OUT } else { 1 };
    StepResult { error: Some(error), ..finished(StepStatus::Failed, exit_code) }
}

/// What went wrong, if anything did.
pub(super) fn fault(result: &StepResult) -> Option<StepError> {
    if result.status == StepStatus::Completed {
        return None;
    }
    Some(result.error.clone().unwrap_or_else(|| StepError {
        code: Code::CommandFailed,
        message: format!("exit code {}", result.exit_code),
    }))
}

/// The result as `states.<name>` in templates.
pub(super) fn view(result: &StepResult) -> Value {
    json!({
        "Output": result.output,
        "Stderr": result.stderr,
        "ExitCode": result.exit_code,
        "Status": result.status.as_str(),
        "Response": result.response,
        "JSON": result.json,
        "TokensUsed": result.usage.input_tokens.saturating_add(result.usage.output_tokens),
        "TokensInput": result.usage.input_tokens,
        "TokensOutput": result.usage.output_tokens,
        "TokensEstimated": result.usage.estimated,
    })
}
