//! Whether a person stands behind a tool as it is now.

use crate::intent::{Refusal, RefusalCode};

/// Whether a tool may be called as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It is as it was when it was first seen, or as a person approved it.
    #[default]
    Approved,
    /// It was never approved, and is not what one trusts unseen.
    Unapproved(Unapproved),
    /// It says something else than when it was approved.
    Changed,
}

/// Why a tool is not trusted at first sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unapproved {
    /// It holds characters that nobody sees.
    HiddenText,
}

impl Standing {
    /// Why a tool of `server` is not offered, and what to do about it. It never repeats what the tool says of itself.
    pub fn objection(self, server: &str) -> Option<String> {
        let why = match self {
            Self::Approved => return None,
            Self::Unapproved(_) => "is not approved",
            Self::Changed => "changed since it was approved",
        };
        Some(format!("it {why}; a person can approve it: awf mcp approve {server}"))
    }

    /// The refusal of a call of `tool` (`server:tool`), a tool of `server`. It never repeats what the tool says of itself.
    pub(crate) fn refusal(self, tool: &str, server: &str) -> Option<Refusal> {
        let (code, why) = match self {
            Self::Approved => return None,
            Self::Unapproved(Unapproved::HiddenText) => (
                RefusalCode::ToolNotApproved,
                "is not approved: its definition holds characters that nobody sees",
            ),
            Self::Changed => (RefusalCode::ToolChanged, "changed since it was approved"),
        };
        let message = format!(
            "Tool '{tool}' {why}. A person can look at it and approve it: awf mcp approve {server}"
        );
        Some(Refusal { code, message })
    }
}
