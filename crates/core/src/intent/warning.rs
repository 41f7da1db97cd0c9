//! What is let through but should be seen: in the answer, in the record, in the log.

/// Something that was let through but should be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable word; see [`WarningCode`].
    pub code: &'static str,
    /// For a person.
    pub message: String,
}

impl Warning {
    /// A warning of one of awf's own kinds.
    pub fn new(code: WarningCode, message: String) -> Self {
        Self { code: code.as_str(), message }
    }
}

/// Every kind of warning a call can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningCode {
    /// A flat name was used inside the nested intent.
    IntentAlias,
    /// A key of the nested intent means nothing to awf.
    UnknownIntentKey,
    /// A hint of the tool is no boolean.
    MalformedHint,
    /// The tool is marked destructive and the variant is milder (permissive mode).
    ServerMismatch,
    /// The tool is marked as writing and was called to read.
    UnderstatedIntent,
    /// The tool is marked read-only and was called to write.
    OverstatedIntent,
    /// The activity journal cannot be written.
    JournalUnavailable,
    /// An agent used a tool of its own, past the proxy.
    Bypassed,
    /// The server says the tool is milder than it was when it was approved.
    ClassHeld,
    /// The tool's schema cannot be understood, so the arguments went unchecked.
    UncheckedArguments,
}

impl WarningCode {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::IntentAlias,
        Self::UnknownIntentKey,
        Self::MalformedHint,
        Self::ServerMismatch,
        Self::UnderstatedIntent,
        Self::OverstatedIntent,
        Self::JournalUnavailable,
        Self::Bypassed,
        Self::ClassHeld,
        Self::UncheckedArguments,
    ];

    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::IntentAlias => "INTENT_ALIAS",
            Self::UnknownIntentKey => "UNKNOWN_INTENT_KEY",
            Self::MalformedHint => "MALFORMED_HINT",
            Self::ServerMismatch => "SERVER_MISMATCH",
            Self::UnderstatedIntent => "UNDERSTATED_INTENT",
            Self::OverstatedIntent => "OVERSTATED_INTENT",
            Self::JournalUnavailable => "JOURNAL_UNAVAILABLE",
            Self::Bypassed => "BYPASSED",
            Self::ClassHeld => "CLASS_HELD",
            Self::UncheckedArguments => "UNCHECKED_ARGUMENTS",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }
}
