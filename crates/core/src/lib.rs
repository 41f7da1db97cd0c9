//! awf-core: what things are and which rules bind them. No IO, no runtime, no clock but the one passed in.

mod activity;
mod agent;
mod annotations;
mod diagnostic;
mod escape;
mod intent;
mod json;
mod moment;
mod nearest;
mod one_of;
mod operation;
mod redact;
mod run;
mod script;
mod shown;
mod tool;
mod tool_set;
mod visible;
mod workflow;

pub use activity::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityId, ActivityLog, ActivityNews,
    ActivityPage, ActivityRecord, ActivitySummary, CallEnded, CallStarted, Captured, Cursor,
    Damage, Durations, EXPORT_PAGE, ExportFormat, Outcome, Over, PAGE_DEFAULT, PAGE_MAX,
    PageDocument, Place, RecordDocument, Retention, SUMMARY_TOP, ServerCount, Status,
    SummaryDocument, ToolCount,
};
pub use agent::{
    AgentFailure, AgentKind, AgentNews, AgentOutcome, AgentProvider, AgentRequest, AgentWatcher,
    Isolation, ModelAnswer, OnBypass, OptionFault, OwnToolEnd, OwnToolUse, Reach, StdioAccess,
    ToolAccess, Usage,
};
pub use annotations::{Annotations, Class, Hint};
pub use diagnostic::{Area, Code, Diagnostic, Severity, Span};
pub use intent::{
    AllowAll, CallIntent, Ceiling, Decision, Declaration, IntentPolicy, IntentValidator, Mode,
    Operation, Origin, Refusal, RefusalCode, Sensitivity, Statement, Strictness, TwoKeyValidator,
    Unannotated, Variant, Verdict, Warning, WarningCode, call_with, declare, judge, stricter,
    understood,
};
pub use json::{NotJson, RawJson, RawObject};
pub use moment::{elapsed, parse_moment, rfc3339};
pub use nearest::nearest;
pub use one_of::one_of;
pub use operation::{
    NoOperations, OperationCall, OperationFailure, OperationInput, OperationProvider,
    OperationResult, OperationSchema, PluginCatalog, PluginEntry, PluginOrigin, StepType,
    StepTypeCall, StepTypeResult,
};
pub use redact::{GivenBy, Redactor, capture, is_sensitive, secrets_in};
pub use run::{
    AttemptSpan, CallSpan, Effect, Loss, Outline, RecordedInput, ResumeFrom, RunBegan, RunDocument,
    RunEvent, RunFinished, RunId, RunJournal, RunJournalError, RunLineDocument, RunStatus,
    RunSummary, RunTimelineDocument, RunTurn, RunsDocument, Shortfall, StepError, StepResult,
    StepSpan, StepStatus, Stretch, TaskId, TaskOutcome, Timeline, ToolCalls, TurnSpan,
    WorkflowSource,
};
pub use script::{Expectation, Script, ScriptedCall, Turn};
pub use shown::shown;
pub use tool::{
    BadDefinition, BadToolName, CallContext, CallSurface, ClientIdentity, RequestId, Standing,
    ToolCall, ToolDefinition, ToolFailure, ToolName, ToolProvider, ToolResult, ToolSource,
    TraceContext, Unapproved,
};
pub use tool_set::{
    ExposedTool, Exposure, NameLimit, Naming, SourceTools, ToolAddress, ToolSet, ToolSetError,
    Unresolved, folded,
};
pub use visible::{visible, visible_json, visible_yaml};
pub use workflow::{
    AgentMode, AgentState, Backoff, CallState, Capture, CommandSource, CustomState, Encoding, Hook,
    InputRules, InputSpec, InputType, Limit, Located, Loop, LoopOver, McpProxy, OnFailure,
    OperationState, OutputFormat, Parallel, PluginTools, PromptSource, Retry, Skill, State,
    StateHooks, StateKind, StepTools, Strategy, Surface, Terminal, Text, TextOrigin, Transition,
    Tree, Workflow, WorkflowHooks,
};
