//! An activity record as other programs read it: the JSON shape of the specification, section 8. Stable once shipped.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    activity::{ActivityPage, ActivityRecord, Captured, Outcome},
    intent::{Declaration, Sensitivity, Variant, Warning},
    moment::rfc3339,
};

/// One page of records.
#[derive(Serialize)]
pub struct PageDocument<'a> {
    activities: Vec<RecordDocument<'a>>,
    next_cursor: Option<String>,
}

impl<'a> From<&'a ActivityPage> for PageDocument<'a> {
    fn from(page: &'a ActivityPage) -> Self {
        Self {
            activities: page.records.iter().map(RecordDocument::from).collect(),
            next_cursor: page.next.map(|cursor| cursor.0.to_string()),
        }
    }
}

/// One record.
#[derive(Serialize)]
pub struct RecordDocument<'a> {
    id: String,
    r#type: &'static str,
    source: &'static str,
    server_name: &'a str,
    tool_name: &'a str,
    status: &'static str,
    duration_ms: Option<u64>,
    timestamp: String,
    request_id: &'a str,
    run_id: Option<&'a str>,
    step: Option<&'a str>,
    session_id: Option<&'a str>,
    client: Option<ClientDocument<'a>>,
    arguments: CapturedDocument<'a>,
    response: Option<CapturedDocument<'a>>,
    response_truncated: bool,
    error_message: Option<&'a str>,
    trace_id: Option<&'a str>,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct ClientDocument<'a> {
    name: &'a str,
    version: &'a str,
}

/// A kept value: the JSON itself, or the beginning of its text when it was too long.
#[derive(Serialize)]
#[serde(untagged)]
enum CapturedDocument<'a> {
    Whole(&'a RawValue),
    Cut(&'a str),
}

#[derive(Serialize)]
struct Metadata<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<IntentDocument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_variant: Option<&'static str>,
    decision: DecisionDocument,
    warnings: Vec<WarningDocument<'a>>,
}

#[derive(Serialize)]
struct IntentDocument<'a> {
    operation_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_sensitivity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    origin: &'static str,
}

#[derive(Serialize)]
pub(crate) struct DecisionDocument {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

#[derive(Serialize)]
pub(crate) struct WarningDocument<'a> {
    code: &'a str,
    message: &'a str,
}

impl<'a> From<&'a ActivityRecord> for RecordDocument<'a> {
    fn from(record: &'a ActivityRecord) -> Self {
        let (started, ended) = (&record.started, record.ended.as_ref());
        let response = ended.and_then(|ended| ended.response.as_ref());
        Self {
            id: started.id.to_string(),
            r#type: "tool_call",
            source: started.surface.as_str(),
            server_name: &started.server,
            tool_name: &started.tool,
            status: record.status.as_str(),
            duration_ms: ended.map(|ended| ended.duration_ms),
            timestamp: rfc3339(started.at),
            request_id: &started.request_id,
            run_id: started.run.as_deref(),
            step: started.step.as_deref(),
            session_id: started.session.as_deref(),
            client: started
                .client
                .as_ref()
                .map(|client| ClientDocument { name: &client.name, version: &client.version }),
            arguments: (&started.arguments).into(),
            response: response.map(Into::into),
            response_truncated: matches!(response, Some(Captured::Cut { .. })),
            error_message: ended.and_then(|ended| ended.error.as_deref()),
            trace_id: started.trace_id.as_deref(),
            metadata: Metadata {
                intent: started.intent.as_ref().map(Into::into),
                tool_variant: started.variant.map(Variant::as_str),
                decision: started.outcome.into(),
                warnings: started.warnings.iter().map(Into::into).collect(),
            },
        }
    }
}

impl<'a> From<&'a Captured> for CapturedDocument<'a> {
    fn from(captured: &'a Captured) -> Self {
        match captured {
            Captured::Whole(raw) => Self::Whole(raw.as_raw()),
            Captured::Cut { head, .. } => Self::Cut(head),
        }
    }
}

impl<'a> From<&'a Declaration> for IntentDocument<'a> {
    fn from(declaration: &'a Declaration) -> Self {
        Self {
            operation_type: declaration.operation.as_str(),
            data_sensitivity: declaration.sensitivity.map(Sensitivity::as_str),
            reason: declaration.reason.as_deref(),
            origin: declaration.origin.as_str(),
        }
    }
}

impl From<Outcome> for DecisionDocument {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Allow => Self { outcome: "allow", code: None },
            Outcome::Warn => Self { outcome: "warn", code: None },
            Outcome::Deny(code) => Self { outcome: "deny", code: Some(code.as_str()) },
        }
    }
}

impl<'a> From<&'a Warning> for WarningDocument<'a> {
    fn from(warning: &'a Warning) -> Self {
        Self { code: warning.code, message: &warning.message }
    }
}
