//! A run as other programs read it.

use awf_core::{StepError, StepSpan, Timeline, ToolCalls};
use serde::Serialize;

use crate::{
    commands::status::{length, next::next},
    moment,
};

/// One run. Stable once shipped.
///
/// ```json
/// {"id": "01M7…", "workflow": "release", "status": "failed", "began": "2026-11-16T09:30:00.000Z",
///  "ended": "2026-11-16T09:30:01.500Z", "duration_ms": 1500, "resumed": 0, "exit_code": 3, "state": "broken",
///  "message": null, "error": {"code": "EXECUTION.COMMAND.FAILED", "message": "exited with 2"},
///  "directory": "/project", "provider": null, "awf_version": "0.1.0",
///  "steps": [{"name": "build", "status": "failed", "attempts": 2, "began": "2026-11-16T09:30:00.100Z",
///             "elapsed_ms": 1300, "exit_code": 2, "error": {"code": "…", "message": "…"},
///             "tool_calls": {"made": 0, "denied": 0, "bypassed": 0}}],
///  "next": "awf resume 01M7… --from build"}
/// ```
/// `ended`, `exit_code` and `state` are `null` until the run has ended. `duration_ms` reaches to the end, to the present
/// while the run is under way, and to the last that is known of a run that was interrupted. A step's `exit_code` is
/// `null` while it has none. `next` is the command to go on with, `null` where there is none.
#[derive(Serialize)]
pub(super) struct RunDocument<'a> {
    id: String,
    workflow: &'a str,
    status: &'static str,
    began: String,
    ended: Option<String>,
    duration_ms: u128,
    resumed: usize,
    exit_code: Option<u8>,
    state: Option<&'a str>,
    message: Option<&'a str>,
    error: Option<ErrorDocument<'a>>,
    directory: String,
    provider: Option<&'a str>,
    awf_version: &'a str,
    steps: Vec<StepDocument<'a>>,
    next: Option<String>,
}

#[derive(Serialize)]
struct StepDocument<'a> {
    name: &'a str,
    status: &'static str,
    attempts: u32,
    began: String,
    elapsed_ms: u128,
    exit_code: Option<i32>,
    error: Option<ErrorDocument<'a>>,
    tool_calls: CallsDocument,
}

#[derive(Serialize)]
struct ErrorDocument<'a> {
    code: &'static str,
    message: &'a str,
}

#[derive(Serialize)]
struct CallsDocument {
    made: u64,
    denied: u64,
    bypassed: u64,
}

impl<'a> From<&Timeline<'a>> for RunDocument<'a> {
    fn from(story: &Timeline<'a>) -> Self {
        let (began, finished) = (story.began, story.finished);
        Self {
            id: began.id.to_string(),
            workflow: &began.workflow,
            status: story.status.as_str(),
            began: moment::rfc3339(began.at),
            ended: finished.map(|end| moment::rfc3339(end.at)),
            duration_ms: length(story).as_millis(),
            resumed: story.stretches.len().saturating_sub(1),
            exit_code: finished.map(|end| end.exit_code),
            state: finished.map(|end| end.state.as_str()),
            message: finished.and_then(|end| end.message.as_deref()),
            error: finished.and_then(|end| end.error.as_ref()).map(ErrorDocument::from),
            directory: began.dir.display().to_string(),
            provider: began.provider.as_deref(),
            awf_version: &began.version,
            steps: story.steps.iter().map(StepDocument::from).collect(),
            next: next(story).map(|next| next.command),
        }
    }
}

impl<'a> From<&StepSpan<'a>> for StepDocument<'a> {
    fn from(step: &StepSpan<'a>) -> Self {
        let ToolCalls { made, denied, bypassed } = step.calls();
        let (span, last) = (step.span(), step.attempts.last());
        Self {
            name: step.name,
            status: step.status().as_str(),
            attempts: last.map_or(0, |last| last.number),
            began: moment::rfc3339(span.began),
            elapsed_ms: span.length().as_millis(),
            exit_code: last.and_then(|last| last.result).map(|result| result.exit_code),
            error: last.and_then(|last| last.error).map(ErrorDocument::from),
            tool_calls: CallsDocument { made, denied, bypassed },
        }
    }
}

impl<'a> From<&'a StepError> for ErrorDocument<'a> {
    fn from(error: &'a StepError) -> Self {
        Self { code: error.code.as_str(), message: &error.message }
    }
}
