//! What requests and answers look like, for the `OpenAPI` document alone. The answers themselves are written by the core,
//! which knows nothing of `OpenAPI`; a test holds real answers against these, field by field.

#![expect(dead_code, reason = "these are read by the macro, never made")]

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Where a call stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Started,
    Success,
    Error,
    Denied,
    Interrupted,
    Bypassed,
}

/// What a call does.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OperationType {
    Read,
    Write,
    Destructive,
}

/// The way a call came in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    Mcp,
    Cli,
    Api,
    Workflow,
}

/// What a tool says of its effects.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Class {
    Read,
    Write,
    Destructive,
    Unannotated,
}

/// The tool that calls tools of a class.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "as they are called")]
pub(crate) enum Variant {
    CallToolRead,
    CallToolWrite,
    CallToolDestructive,
}

/// How records are written down.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExportFormat {
    Json,
    Csv,
}

/// A page of records, newest first.
#[derive(ToSchema)]
pub(crate) struct ActivityPage {
    activities: Vec<ActivityRecord>,
    /// Where the next page begins; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// One call.
#[derive(ToSchema)]
pub(crate) struct ActivityRecord {
    /// A ULID.
    id: String,
    /// Always `tool_call`.
    r#type: String,
    source: Source,
    server_name: String,
    tool_name: String,
    status: Status,
    #[schema(required = true)]
    duration_ms: Option<u64>,
    #[schema(format = DateTime)]
    timestamp: String,
    request_id: String,
    #[schema(required = true)]
    run_id: Option<String>,
    #[schema(required = true)]
    step: Option<String>,
    #[schema(required = true)]
    session_id: Option<String>,
    #[schema(required = true)]
    client: Option<Client>,
    /// As they were given, redacted; a text with their beginning where they were too long.
    arguments: Value,
    /// As it was answered, redacted; a text with its beginning where it was too long; null without an answer.
    response: Value,
    response_truncated: bool,
    #[schema(required = true)]
    error_message: Option<String>,
    #[schema(required = true)]
    trace_id: Option<String>,
    metadata: Metadata,
}

/// The calling program.
#[derive(ToSchema)]
pub(crate) struct Client {
    name: String,
    version: String,
}

/// What was declared and decided.
#[derive(ToSchema)]
pub(crate) struct Metadata {
    /// Absent when the declaration itself was refused.
    #[schema(nullable = false)]
    intent: Option<Intent>,
    /// Absent for calls by name.
    #[schema(nullable = false)]
    tool_variant: Option<Variant>,
    decision: Decision,
    warnings: Vec<Warning>,
}

/// What a call is for.
#[derive(ToSchema)]
pub(crate) struct Intent {
    operation_type: OperationType,
    #[schema(nullable = false)]
    data_sensitivity: Option<Sensitivity>,
    #[schema(nullable = false)]
    reason: Option<String>,
    origin: Origin,
}

/// How sensitive the data is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sensitivity {
    Public,
    Internal,
    Private,
    Unknown,
}

/// Where an intent comes from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    Nested,
    Flat,
    Inferred,
    Derived,
}

/// Whether a call may go ahead.
#[derive(ToSchema)]
pub(crate) struct Decision {
    outcome: Outcome,
    /// Of a refusal.
    #[schema(nullable = false)]
    code: Option<String>,
}

/// What was decided.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Allow,
    Warn,
    Deny,
}

/// What was let through but should be seen.
#[derive(ToSchema)]
pub(crate) struct Warning {
    code: String,
    message: String,
}

/// Many calls in a few numbers.
#[derive(ToSchema)]
pub(crate) struct ActivitySummary {
    total: u64,
    #[schema(required = true, format = DateTime)]
    first_timestamp: Option<String>,
    #[schema(required = true, format = DateTime)]
    last_timestamp: Option<String>,
    /// Calls by status, every status included.
    by_status: BTreeMap<String, u64>,
    /// Calls by operation type; `none` are those whose declaration was refused.
    by_intent_type: BTreeMap<String, u64>,
    top_servers: Vec<ServerCount>,
    top_tools: Vec<ToolCount>,
    #[schema(required = true)]
    duration_ms: Option<Durations>,
}

/// How often a server was called.
#[derive(ToSchema)]
pub(crate) struct ServerCount {
    server_name: String,
    count: u64,
}

/// How often a tool was called.
#[derive(ToSchema)]
pub(crate) struct ToolCount {
    server_name: String,
    tool_name: String,
    count: u64,
}

/// How long calls took, in milliseconds.
#[derive(ToSchema)]
pub(crate) struct Durations {
    p50: u64,
    p95: u64,
}

/// What can be called, and what cannot and why.
#[derive(ToSchema)]
pub(crate) struct ToolList {
    /// How many match, listed or not.
    total: u64,
    tools: Vec<Tool>,
    blocked: Vec<BlockedTool>,
    unavailable: Vec<UnavailableServer>,
}

/// A tool that can be called.
#[derive(ToSchema)]
pub(crate) struct Tool {
    /// `server:tool`, as a call takes it.
    name: String,
    server: String,
    description: String,
    /// The JSON Schema of its arguments.
    #[schema(rename = "inputSchema")]
    input_schema: Value,
    /// As its server gives them.
    annotations: BTreeMap<String, Value>,
    class: Class,
    call_with: Variant,
    /// How well it matches the query; 1 without one.
    score: f64,
}

/// A tool that nobody may call as it is.
#[derive(ToSchema)]
pub(crate) struct BlockedTool {
    name: String,
    reason: String,
}

/// A server that could not be asked.
#[derive(ToSchema)]
pub(crate) struct UnavailableServer {
    server: String,
    reason: String,
}

/// One call of one of the four tools.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolCall {
    /// `retrieve_tools`, `call_tool_read`, `call_tool_write` or `call_tool_destructive`.
    tool_name: String,
    /// Its arguments, as over MCP.
    #[schema(nullable = false)]
    arguments: Option<BTreeMap<String, Value>>,
}

/// The result of a tool, as MCP has it; more members may be there.
#[derive(ToSchema)]
pub(crate) struct ToolResult {
    content: Vec<Value>,
    /// Whether the tool itself reports an error.
    #[schema(rename = "isError", nullable = false)]
    is_error: Option<bool>,
}

/// Why there is no other answer (RFC 9457).
#[derive(ToSchema)]
pub(crate) struct Problem {
    r#type: String,
    title: String,
    status: u16,
    detail: String,
    /// Stable: what programs look at.
    code: String,
    /// Of a refused call.
    #[schema(nullable = false)]
    details: Option<BTreeMap<String, Value>>,
    /// Of a call that has a record.
    #[schema(nullable = false)]
    request_id: Option<String>,
}
