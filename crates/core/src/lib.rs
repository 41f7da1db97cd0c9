//! awf-core: what things are and which rules bind them. No IO, no runtime, no clock but the one passed in.

mod activity;
mod annotations;
mod diagnostic;
mod escape;
mod intent;
mod json;
mod nearest;
mod redact;
mod shown;
mod tool;
mod tool_set;

pub use activity::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityId, ActivityLog, ActivityPage,
    ActivityRecord, CallEnded, CallStarted, Captured, Cursor, Outcome, PAGE_DEFAULT, PAGE_MAX,
    Status,
};
pub use annotations::{Annotations, Class, Hint};
pub use diagnostic::{Area, Code, Diagnostic, Severity, Span};
pub use intent::{
    AllowAll, CallIntent, Ceiling, Decision, Declaration, IntentPolicy, IntentValidator, Mode,
    Operation, Origin, Refusal, RefusalCode, Sensitivity, Statement, Strictness, TwoKeyValidator,
    Unannotated, Variant, Verdict, Warning, WarningCode, call_with, declare, judge,
};
pub use json::{NotJson, RawJson, RawObject};
pub use nearest::nearest;
pub use redact::{Redactor, capture, is_sensitive};
pub use shown::shown;
pub use tool::{
    BadDefinition, BadToolName, CallContext, CallSurface, ClientIdentity, ToolCall, ToolDefinition,
    ToolFailure, ToolName, ToolProvider, ToolResult, ToolSource, TraceContext,
};
pub use tool_set::{
    ExposedTool, Exposure, NameLimit, SourceTools, ToolAddress, ToolSet, ToolSetError, Unresolved,
};
