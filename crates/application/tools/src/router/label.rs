//! What a call is called in the record, the span, the log line and the answer.

use std::fmt;

use awf_core::{Redactor, ToolDefinition, shown};

/// A name that leads nowhere is looked at this far, in bytes.
const LONGEST_NAME: usize = 4096;

/// What a call is called in everything awf writes about it.
pub(super) struct Label {
    pub(super) server: String,
    pub(super) tool: String,
    pub(super) source: String,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.server.as_str() {
            "" => f.write_str(&self.tool),
            server => write!(f, "{server}:{}", self.tool),
        }
    }
}

impl Label {
    pub(super) fn of_tool(tool: &ToolDefinition) -> Self {
        let source = tool.source();
        Self {
            server: source.namespace().to_owned(),
            tool: tool.name().to_string(),
            source: source.to_string(),
        }
    }

    /// A name that may lead nowhere: made printable, and without secrets that were put in its place.
    pub(super) fn of_name(name: &str, redactor: &Redactor) -> Self {
        // Redacted before it is split or cut: half a secret is no longer recognised.
        let start = name.get(..name.floor_char_boundary(LONGEST_NAME)).unwrap_or_default();
        let clean = redactor.text(start);
        let (server, tool) = clean.split_once(':').unwrap_or(("", &clean));
        Self { server: shown(server), tool: shown(tool), source: "unknown".to_owned() }
    }
}
