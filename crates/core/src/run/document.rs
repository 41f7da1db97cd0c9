//! Runs as other programs read them: a row of a list, and a timeline. Stable once shipped.

use std::time::Duration;

use serde::Serialize;

use crate::{
    activity::{ActivityRecord, DecisionDocument, WarningDocument},
    agent::Usage,
    intent::Operation,
    moment::rfc3339,
    run::{
        AttemptSpan, CallSpan, Loss, RunSummary, StepError, StepSpan, Stretch, Timeline, ToolCalls,
        TurnSpan,
    },
};

/// What every list says of a run. `ended`, `duration_ms` and `exit_code` are `null` until it has ended.
#[derive(Serialize)]
pub struct RunLineDocument<'a> {
    id: String,
    workflow: &'a str,
    status: &'static str,
    began: String,
    ended: Option<String>,
    duration_ms: Option<u64>,
    exit_code: Option<u8>,
}

impl<'a> From<&'a RunSummary> for RunLineDocument<'a> {
    fn from(run: &'a RunSummary) -> Self {
        let span = |until| Stretch { began: run.began, until };
        Self {
            id: run.id.to_string(),
            workflow: &run.workflow,
            status: run.status.as_str(),
            began: rfc3339(run.began),
            ended: run.ended.map(rfc3339),
            duration_ms: run.ended.map(|ended| millis(span(ended).length())),
            exit_code: run.exit_code,
        }
    }
}

/// A run in a list, with what its journal tells in numbers. They are `null` where it cannot be read at all.
#[derive(Serialize)]
pub struct RunDocument<'a> {
    #[serde(flatten)]
    line: RunLineDocument<'a>,
    steps: Option<usize>,
    tool_calls: Option<CallsDocument>,
    loss: Option<LossDocument<'a>>,
}

impl<'a> RunDocument<'a> {
    /// A run, and what of its journal could be read.
    pub fn of(
        run: &'a RunSummary,
        timeline: Option<&Timeline<'_>>,
        loss: Option<&'a Loss>,
    ) -> Self {
        Self {
            line: run.into(),
            steps: timeline.map(|timeline| timeline.steps.len()),
            tool_calls: timeline.map(|timeline| timeline.calls().into()),
            loss: loss.map(Into::into),
        }
    }
}

/// One page of runs.
#[derive(Serialize)]
pub struct RunsDocument<'a> {
    /// Newest first.
    pub runs: Vec<RunDocument<'a>>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
}

/// What of a run is not in its timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortfall {
    /// Calls that were left out, the oldest.
    pub calls: u64,
    /// Why there are none, where the activity log could not be read.
    pub log: Option<String>,
    /// Why the end of its journal is not shown.
    pub loss: Option<Loss>,
}

/// A run as it went.
#[derive(Serialize)]
pub struct RunTimelineDocument<'a> {
    id: String,
    workflow: &'a str,
    status: &'static str,
    began: String,
    ended: Option<String>,
    duration_ms: u64,
    exit_code: Option<u8>,
    state: Option<&'a str>,
    message: Option<&'a str>,
    error: Option<ErrorDocument<'a>>,
    stopped_at: Vec<&'a str>,
    directory: String,
    provider: Option<&'a str>,
    awf_version: &'a str,
    stretches: Vec<StretchDocument>,
    tool_calls: CallsDocument,
    steps: Vec<StepDocument<'a>>,
    other_calls: Vec<CallDocument<'a>>,
    calls_left_out: u64,
    activity_error: Option<&'a str>,
    loss: Option<LossDocument<'a>>,
}

#[derive(Serialize)]
struct StretchDocument {
    began: String,
    duration_ms: u64,
}

#[derive(Serialize)]
struct StepDocument<'a> {
    name: &'a str,
    status: &'static str,
    began: String,
    duration_ms: u64,
    attempts: Vec<AttemptDocument<'a>>,
}

#[derive(Serialize)]
struct AttemptDocument<'a> {
    number: u32,
    status: &'static str,
    began: String,
    duration_ms: u64,
    exit_code: Option<i32>,
    error: Option<ErrorDocument<'a>>,
    usage: Option<UsageDocument>,
    tool_calls: Option<CallsDocument>,
    turns: Vec<TurnDocument<'a>>,
    calls: Vec<CallDocument<'a>>,
}

#[derive(Serialize)]
struct TurnDocument<'a> {
    number: u32,
    began: String,
    answered: String,
    duration_ms: u64,
    usage: Option<UsageDocument>,
    text: &'a str,
}

#[derive(Serialize)]
struct CallDocument<'a> {
    id: String,
    turn: Option<u32>,
    server_name: &'a str,
    tool_name: &'a str,
    status: &'static str,
    intent_type: Option<&'static str>,
    decision: DecisionDocument,
    warnings: Vec<WarningDocument<'a>>,
    began: String,
    duration_ms: Option<u64>,
    error_message: Option<&'a str>,
    request_id: &'a str,
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

#[derive(Serialize)]
struct UsageDocument {
    input_tokens: u64,
    output_tokens: u64,
    estimated: bool,
    cost_usd: Option<f64>,
}

/// Why the end of a journal is not there: the line that cannot be read, or how many events are left out.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum LossDocument<'a> {
    Damaged { line: usize, message: &'a str },
    TooLong { events: usize },
}

impl<'a> RunTimelineDocument<'a> {
    /// The timeline, and what is not in it.
    pub fn new(timeline: &Timeline<'a>, short: &'a Shortfall) -> Self {
        let (began, finished) = (timeline.began, timeline.finished);
        let whole = Stretch { began: began.at, until: timeline.until };
        Self {
            id: began.id.to_string(),
            workflow: &began.workflow,
            status: timeline.status.as_str(),
            began: rfc3339(began.at),
            ended: finished.map(|end| rfc3339(end.at)),
            duration_ms: millis(whole.length()),
            exit_code: finished.map(|end| end.exit_code),
            state: finished.map(|end| end.state.as_str()),
            message: finished.and_then(|end| end.message.as_deref()),
            error: finished.and_then(|end| end.error.as_ref()).map(Into::into),
            stopped_at: timeline.stopped_at(),
            directory: began.dir.display().to_string(),
            provider: began.provider.as_deref(),
            awf_version: &began.version,
            stretches: timeline.stretches.iter().map(|stretch| (*stretch).into()).collect(),
            tool_calls: timeline.calls().into(),
            steps: timeline.steps.iter().map(Into::into).collect(),
            other_calls: timeline.stray.iter().map(|record| CallDocument::from(*record)).collect(),
            calls_left_out: short.calls,
            activity_error: short.log.as_deref(),
            loss: short.loss.as_ref().map(Into::into),
        }
    }
}

impl<'a> From<&StepSpan<'a>> for StepDocument<'a> {
    fn from(step: &StepSpan<'a>) -> Self {
        let (began, duration_ms) = span(step.span());
        let attempts = step.attempts.iter().map(Into::into).collect();
        Self { name: step.name, status: step.status().as_str(), began, duration_ms, attempts }
    }
}

impl<'a> From<&AttemptSpan<'a>> for AttemptDocument<'a> {
    fn from(attempt: &AttemptSpan<'a>) -> Self {
        let (began, duration_ms) = span(attempt.span);
        let result = attempt.result;
        Self {
            number: attempt.number,
            status: attempt.status.as_str(),
            began,
            duration_ms,
            exit_code: result.map(|result| result.exit_code),
            error: attempt.error.map(Into::into),
            usage: result.map(|result| result.usage).and_then(used),
            tool_calls: result.map(|result| result.calls.into()),
            turns: attempt.turns.iter().map(Into::into).collect(),
            calls: attempt.calls.iter().map(Into::into).collect(),
        }
    }
}

impl<'a> From<&TurnSpan<'a>> for TurnDocument<'a> {
    fn from(turn: &TurnSpan<'a>) -> Self {
        let (began, duration_ms) = span(turn.span);
        Self {
            number: turn.turn.number,
            began,
            answered: rfc3339(turn.turn.at),
            duration_ms,
            usage: turn.turn.usage.map(Into::into),
            text: &turn.turn.head,
        }
    }
}

impl<'a> From<&CallSpan<'a>> for CallDocument<'a> {
    fn from(span: &CallSpan<'a>) -> Self {
        Self { turn: span.turn, ..span.record.into() }
    }
}

impl<'a> From<&'a ActivityRecord> for CallDocument<'a> {
    fn from(record: &'a ActivityRecord) -> Self {
        let (started, ended) = (&record.started, record.ended.as_ref());
        Self {
            id: started.id.to_string(),
            turn: None,
            server_name: &started.server,
            tool_name: &started.tool,
            status: record.status.as_str(),
            intent_type: started.intent.as_ref().map(|intent| Operation::as_str(intent.operation)),
            decision: started.outcome.into(),
            warnings: started.warnings.iter().map(Into::into).collect(),
            began: rfc3339(started.at),
            duration_ms: ended.map(|ended| ended.duration_ms),
            error_message: ended.and_then(|ended| ended.error.as_deref()),
            request_id: &started.request_id,
        }
    }
}

impl From<Stretch> for StretchDocument {
    fn from(stretch: Stretch) -> Self {
        let (began, duration_ms) = span(stretch);
        Self { began, duration_ms }
    }
}

impl<'a> From<&'a StepError> for ErrorDocument<'a> {
    fn from(error: &'a StepError) -> Self {
        Self { code: error.code.as_str(), message: &error.message }
    }
}

impl From<ToolCalls> for CallsDocument {
    fn from(calls: ToolCalls) -> Self {
        let ToolCalls { made, denied, bypassed } = calls;
        Self { made, denied, bypassed }
    }
}

impl From<Usage> for UsageDocument {
    fn from(usage: Usage) -> Self {
        let Usage { input_tokens, output_tokens, estimated, cost } = usage;
        Self { input_tokens, output_tokens, estimated, cost_usd: cost }
    }
}

impl<'a> From<&'a Loss> for LossDocument<'a> {
    fn from(loss: &'a Loss) -> Self {
        match loss {
            Loss::Damaged { line, message } => Self::Damaged { line: *line, message },
            Loss::TooLong { events } => Self::TooLong { events: *events },
        }
    }
}

/// A command uses nothing of what an agent does.
fn used(usage: Usage) -> Option<UsageDocument> {
    (usage != Usage::default()).then(|| usage.into())
}

fn span(stretch: Stretch) -> (String, u64) {
    (rfc3339(stretch.began), millis(stretch.length()))
}

fn millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}
