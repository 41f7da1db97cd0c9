//! What answers about runs look like, for the `OpenAPI` document alone: see `schema`.

#![expect(dead_code, reason = "these are read by the macro, never made")]

use serde::Serialize;
use utoipa::ToSchema;

use crate::openapi::schema::{Decision, OperationType, Status, Warning};

/// Where a run stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunStatus {
    Running,
    Success,
    Failed,
    Cancelled,
    Interrupted,
}

/// Where a step stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StepStatus {
    Pending,
    Running,
    Completed,
    Failed,
    Cancelled,
    Interrupted,
}

/// A page of runs, newest first.
#[derive(ToSchema)]
pub(crate) struct RunPage {
    runs: Vec<Run>,
    /// Where the next page begins; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// A run in a list.
#[derive(ToSchema)]
pub(crate) struct Run {
    id: String,
    workflow: String,
    status: RunStatus,
    #[schema(format = DateTime)]
    began: String,
    #[schema(required = true, format = DateTime)]
    ended: Option<String>,
    #[schema(required = true)]
    duration_ms: Option<u64>,
    #[schema(required = true)]
    exit_code: Option<u8>,
    /// Null where its journal cannot be read.
    #[schema(required = true)]
    steps: Option<u64>,
    #[schema(required = true)]
    tool_calls: Option<CallCounts>,
    #[schema(required = true)]
    loss: Option<Loss>,
}

/// A run as it went.
#[derive(ToSchema)]
pub(crate) struct RunTimeline {
    id: String,
    workflow: String,
    status: RunStatus,
    #[schema(format = DateTime)]
    began: String,
    #[schema(required = true, format = DateTime)]
    ended: Option<String>,
    duration_ms: u64,
    #[schema(required = true)]
    exit_code: Option<u8>,
    /// The state it ended in.
    #[schema(required = true)]
    state: Option<String>,
    #[schema(required = true)]
    message: Option<String>,
    #[schema(required = true)]
    error: Option<RunError>,
    /// The steps it stopped at.
    stopped_at: Vec<String>,
    directory: String,
    #[schema(required = true)]
    provider: Option<String>,
    awf_version: String,
    /// When it was under way.
    stretches: Vec<Stretch>,
    tool_calls: CallCounts,
    steps: Vec<Step>,
    /// Calls that belong to no step.
    other_calls: Vec<StepCall>,
    calls_left_out: u64,
    #[schema(required = true)]
    activity_error: Option<String>,
    #[schema(required = true)]
    loss: Option<Loss>,
}

/// A time in which a run was under way.
#[derive(ToSchema)]
pub(crate) struct Stretch {
    #[schema(format = DateTime)]
    began: String,
    duration_ms: u64,
}

/// A step of a run.
#[derive(ToSchema)]
pub(crate) struct Step {
    name: String,
    status: StepStatus,
    #[schema(format = DateTime)]
    began: String,
    duration_ms: u64,
    attempts: Vec<Attempt>,
}

/// One try of a step.
#[derive(ToSchema)]
pub(crate) struct Attempt {
    number: u32,
    status: StepStatus,
    #[schema(format = DateTime)]
    began: String,
    duration_ms: u64,
    #[schema(required = true)]
    exit_code: Option<i32>,
    #[schema(required = true)]
    error: Option<RunError>,
    #[schema(required = true)]
    usage: Option<Usage>,
    #[schema(required = true)]
    tool_calls: Option<CallCounts>,
    turns: Vec<Turn>,
    calls: Vec<StepCall>,
}

/// One turn of an agent.
#[derive(ToSchema)]
pub(crate) struct Turn {
    number: u32,
    #[schema(format = DateTime)]
    began: String,
    #[schema(format = DateTime)]
    answered: String,
    duration_ms: u64,
    #[schema(required = true)]
    usage: Option<Usage>,
    text: String,
}

/// A call of a step, in short; its record has the rest.
#[derive(ToSchema)]
pub(crate) struct StepCall {
    id: String,
    #[schema(required = true)]
    turn: Option<u32>,
    server_name: String,
    tool_name: String,
    status: Status,
    #[schema(required = true)]
    intent_type: Option<OperationType>,
    decision: Decision,
    warnings: Vec<Warning>,
    #[schema(format = DateTime)]
    began: String,
    #[schema(required = true)]
    duration_ms: Option<u64>,
    #[schema(required = true)]
    error_message: Option<String>,
    request_id: String,
}

/// What went wrong.
#[derive(ToSchema)]
pub(crate) struct RunError {
    code: String,
    message: String,
}

/// How many calls there were.
#[derive(ToSchema)]
pub(crate) struct CallCounts {
    made: u64,
    denied: u64,
    bypassed: u64,
}

/// What a model used.
#[derive(ToSchema)]
pub(crate) struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    estimated: bool,
    #[schema(required = true)]
    cost_usd: Option<f64>,
}

/// Why the end of a journal is not there.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Loss {
    /// From this line on.
    Damaged { line: u64, message: String },
    /// So many events are left out.
    TooLong { events: u64 },
}
