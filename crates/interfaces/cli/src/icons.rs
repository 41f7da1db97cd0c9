//! The operation of a call as a person sees it: a sign and a word, never the sign alone.

use awf_core::Operation;

/// Whether there is a sign before the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icons {
    Shown,
    Hidden,
}

impl Icons {
    pub(crate) fn from_flag(no_icons: bool) -> Self {
        if no_icons { Self::Hidden } else { Self::Shown }
    }

    /// The operation as seed-length words: `read`, `write`, `destr`.
    pub(crate) fn operation(self, operation: Option<Operation>) -> String {
        match operation {
            Some(Operation::Read) => self.word("📖 ", "read"),
            Some(Operation::Write) => self.word("✏  ", "write"),
            Some(Operation::Destructive) => self.word("⚠  ", "destr"),
            None => self.word("   ", "-"),
        }
    }

    /// A call that was not let through.
    pub(crate) fn denied(self) -> String {
        self.word("✗  ", "DENY")
    }

    /// A call that nobody was asked about.
    pub(crate) fn past(self) -> String {
        self.word("‼  ", "PAST")
    }

    fn word(self, icon: &str, word: &str) -> String {
        match self {
            Self::Shown => format!("{icon}{word}"),
            Self::Hidden => word.to_owned(),
        }
    }
}
