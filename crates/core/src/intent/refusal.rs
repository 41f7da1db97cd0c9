//! Why a call does not go ahead: a stable code and the literal message a model reads.

use std::fmt;

/// A refused call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The stable code.
    pub code: RefusalCode,
    /// The message, as specified.
    pub message: String,
}

/// Every reason awf refuses a call for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalCode {
    /// No name, or not `server:tool`.
    InvalidName,
    /// The intent is not an object, or a part of it has the wrong type.
    InvalidIntent,
    /// No intent at all.
    MissingIntent,
    /// An intent without an operation type.
    MissingOperationType,
    /// An operation type outside the three.
    InvalidOperationType,
    /// A sensitivity outside the four.
    InvalidSensitivity,
    /// A reason of more than 1000 characters.
    ReasonTooLong,
    /// The operation type contradicts the variant.
    IntentMismatch,
    /// Two places say different things.
    IntentConflict,
    /// No such server.
    UnknownServer,
    /// No such tool.
    UnknownTool,
    /// The tool's annotations contradict the variant.
    ServerMismatch,
    /// The tool's class is above `tools.allow`.
    AboveCeiling,
    /// The activity journal cannot be written, so nothing may be changed.
    JournalUnavailable,
    /// Nobody approved this tool yet.
    ToolNotApproved,
    /// The tool changed after it was approved.
    ToolChanged,
    /// The arguments do not fit the tool.
    InvalidArguments,
}

impl RefusalCode {
    /// Every code.
    pub const ALL: [Self; 17] = [
        Self::InvalidName,
        Self::InvalidIntent,
        Self::MissingIntent,
        Self::MissingOperationType,
        Self::InvalidOperationType,
        Self::InvalidSensitivity,
        Self::ReasonTooLong,
        Self::IntentMismatch,
        Self::IntentConflict,
        Self::UnknownServer,
        Self::UnknownTool,
        Self::ServerMismatch,
        Self::AboveCeiling,
        Self::JournalUnavailable,
        Self::ToolNotApproved,
        Self::ToolChanged,
        Self::InvalidArguments,
    ];

    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidName => "INVALID_NAME",
            Self::InvalidIntent => "INVALID_INTENT",
            Self::MissingIntent => "MISSING_INTENT",
            Self::MissingOperationType => "MISSING_OPERATION_TYPE",
            Self::InvalidOperationType => "INVALID_OPERATION_TYPE",
            Self::InvalidSensitivity => "INVALID_SENSITIVITY",
            Self::ReasonTooLong => "REASON_TOO_LONG",
            Self::IntentMismatch => "INTENT_MISMATCH",
            Self::IntentConflict => "INTENT_CONFLICT",
            Self::UnknownServer => "UNKNOWN_SERVER",
            Self::UnknownTool => "UNKNOWN_TOOL",
            Self::ServerMismatch => "SERVER_MISMATCH",
            Self::AboveCeiling => "ABOVE_CEILING",
            Self::JournalUnavailable => "JOURNAL_UNAVAILABLE",
            Self::ToolNotApproved => "TOOL_NOT_APPROVED",
            Self::ToolChanged => "TOOL_CHANGED",
            Self::InvalidArguments => "INVALID_ARGUMENTS",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
