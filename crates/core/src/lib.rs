//! awf-core: what things are and which rules bind them. No IO, no runtime, no clock but the one passed in.

mod activity;
mod annotations;
mod intent;
mod json;
mod shown;
mod tool;

pub use activity::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityId, ActivityLog, ActivityPage,
    ActivityRecord, CallEnded, CallStarted, Captured, Cursor, Outcome, PAGE_DEFAULT, PAGE_MAX,
    Status,
};
pub use annotations::{Annotations, Class, Hint};
pub use intent::{
    AllowAll, CallIntent, Ceiling, Decision, Declaration, IntentPolicy, IntentValidator, Mode,
    Operation, Origin, Refusal, RefusalCode, Sensitivity, Statement, Strictness, TwoKeyValidator,
    Unannotated, Variant, Verdict, Warning, WarningCode, call_with, declare, judge,
};
pub use json::{NotJson, RawJson, RawObject};
pub use shown::shown;
pub use tool::{
    BadDefinition, BadToolName, CallContext, CallSurface, ClientIdentity, ToolCall, ToolDefinition,
    ToolFailure, ToolName, ToolProvider, ToolResult, ToolSource, TraceContext,
};
