//! The words of an intent: operation, variant, sensitivity. Case matters, look-alikes are strangers.

use std::fmt;

/// What a call does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Looks.
    Read,
    /// Changes.
    Write,
    /// May destroy.
    Destructive,
}

impl Operation {
    /// Every operation, from harmless to harmful.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Destructive];

    /// The word used in declarations and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }

    /// Reads that word; case matters.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.as_str() == text)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which of the three `call_tool_*` tools a call came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant(pub Operation);

impl Variant {
    /// The three variants, from harmless to harmful.
    pub const ALL: [Self; 3] =
        [Self(Operation::Read), Self(Operation::Write), Self(Operation::Destructive)];

    /// The tool's name.
    pub fn as_str(self) -> &'static str {
        match self.0 {
            Operation::Read => "call_tool_read",
            Operation::Write => "call_tool_write",
            Operation::Destructive => "call_tool_destructive",
        }
    }

    /// Reads that name; case matters.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.as_str() == text)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How sensitive the caller says the data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sensitivity {
    /// Anyone may see it.
    Public,
    /// For the organisation.
    Internal,
    /// For few.
    Private,
    /// Not known.
    Unknown,
}

impl Sensitivity {
    /// Every level.
    pub const ALL: [Self; 4] = [Self::Public, Self::Internal, Self::Private, Self::Unknown];

    /// The word used in declarations and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Private => "private",
            Self::Unknown => "unknown",
        }
    }

    /// Reads that word; case matters.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }
}
