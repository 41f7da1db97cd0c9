//! Records as files that other programs take in: a JSON object per line, or a table for a spreadsheet. Both can be
//! written record by record, so that nobody has to hold them all.

use crate::{
    activity::{ActivityRecord, RecordDocument},
    intent::{RefusalCode, Sensitivity, Variant},
    moment::rfc3339,
    visible::{visible, visible_json},
};

mod csv;

/// Records on a page while all of them are gone through: each may hold 128 KiB.
pub const EXPORT_PAGE: usize = 25;

/// How records are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// One object per line, whole.
    Json,
    /// One row per record, without arguments and response: a cell of a spreadsheet does not hold them.
    Csv,
}

/// The columns of a row, in the words of the JSON.
const COLUMNS: [&str; 24] = [
    "id",
    "type",
    "source",
    "server_name",
    "tool_name",
    "status",
    "duration_ms",
    "timestamp",
    "request_id",
    "run_id",
    "step",
    "session_id",
    "client_name",
    "client_version",
    "intent_operation_type",
    "intent_data_sensitivity",
    "intent_reason",
    "intent_origin",
    "tool_variant",
    "decision",
    "decision_code",
    "warnings",
    "error_message",
    "trace_id",
];

impl ExportFormat {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Json, Self::Csv];

    /// The word it is asked for by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == text)
    }

    /// What stands before the first record.
    pub fn opening(self) -> String {
        match self {
            Self::Json => String::new(),
            Self::Csv => csv::row(COLUMNS),
        }
    }

    /// One record, its line end included.
    pub fn record(self, record: &ActivityRecord) -> String {
        match self {
            Self::Json => json_line(&RecordDocument::from(record)),
            Self::Csv => {
                let cells = cells(record).map(visible);
                csv::row(cells.iter().map(String::as_str))
            }
        }
    }
}

/// One record as one line. Arguments are kept as they were written, and may hold line breaks between their tokens.
fn json_line(document: &RecordDocument<'_>) -> String {
    // Fails for maps with keys that are no text; a record has none.
    let text = serde_json::to_string(document).unwrap_or_default();
    format!("{}\n", visible_json(text.replace(['\n', '\r'], " ")))
}

fn cells(record: &ActivityRecord) -> [String; COLUMNS.len()] {
    let (started, ended) = (&record.started, record.ended.as_ref());
    let (intent, client) = (started.intent.as_ref(), started.client.as_ref());
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let warnings: Vec<&str> = started.warnings.iter().map(|warning| warning.code).collect();
    [
        started.id.to_string(),
        "tool_call".to_owned(),
        started.surface.as_str().to_owned(),
        started.server.clone(),
        started.tool.clone(),
        record.status.as_str().to_owned(),
        ended.map(|ended| ended.duration_ms.to_string()).unwrap_or_default(),
        rfc3339(started.at),
        started.request_id.clone(),
        text(started.run.as_deref()),
        text(started.step.as_deref()),
        text(started.session.as_deref()),
        text(client.map(|client| client.name.as_str())),
        text(client.map(|client| client.version.as_str())),
        text(intent.map(|intent| intent.operation.as_str())),
        text(intent.and_then(|intent| intent.sensitivity).map(Sensitivity::as_str)),
        text(intent.and_then(|intent| intent.reason.as_deref())),
        text(intent.map(|intent| intent.origin.as_str())),
        text(started.variant.map(Variant::as_str)),
        started.outcome.as_str().to_owned(),
        text(started.outcome.refusal().map(RefusalCode::as_str)),
        warnings.join(" "),
        text(ended.and_then(|ended| ended.error.as_deref())),
        text(started.trace_id.as_deref()),
    ]
}

#[cfg(test)]
mod tests;
