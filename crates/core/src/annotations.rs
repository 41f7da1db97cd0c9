//! What a tool says about its own effects, and the class that follows (decision D4).

use std::fmt;

use serde_json::Value;

/// The four MCP hints, as the tool gave them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The tool changes nothing.
    pub read_only: Hint,
    /// The tool may destroy something.
    pub destructive: Hint,
    /// Calling it twice equals calling it once.
    pub idempotent: Hint,
    /// It reaches beyond this machine.
    pub open_world: Hint,
}

/// One hint. Anything but a boolean counts as absent, and is worth a warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// Not given, or null.
    #[default]
    Absent,
    /// Given.
    Set(bool),
    /// Given, but not as a boolean.
    Malformed,
}

/// What a tool's annotations make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Marked destructive, whatever else it says.
    Destructive,
    /// Marked read-only.
    Read,
    /// Marked as not read-only.
    Write,
    /// Says nothing.
    Unannotated,
}

impl Class {
    /// Every class, the mildest first. Where one that says nothing belongs is for the settings to say: see
    /// [`stricter`](crate::stricter).
    pub const ALL: [Self; 4] = [Self::Read, Self::Unannotated, Self::Write, Self::Destructive];

    /// The word in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Read => "read",
            Self::Write => "write",
            Self::Unannotated => "unannotated",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == text)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Annotations {
    /// Reads the hints of a tool object's `annotations`.
    pub fn read(object: Option<&Value>) -> Self {
        let hint = |key: &str| match object.and_then(|o| o.get(key)) {
            None | Some(Value::Null) => Hint::Absent,
            Some(Value::Bool(set)) => Hint::Set(*set),
            Some(_) => Hint::Malformed,
        };
        Self {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            idempotent: hint("idempotentHint"),
            open_world: hint("openWorldHint"),
        }
    }

    /// The class the hints make: destructive wins over everything.
    pub fn class(&self) -> Class {
        match (self.destructive, self.read_only) {
            (Hint::Set(true), _) => Class::Destructive,
            (_, Hint::Set(true)) => Class::Read,
            (_, Hint::Set(false)) => Class::Write,
            (Hint::Absent | Hint::Malformed | Hint::Set(false), Hint::Absent | Hint::Malformed) => {
                Class::Unannotated
            }
        }
    }

    /// The names of hints that were given but are no booleans.
    pub fn malformed(&self) -> Vec<&'static str> {
        [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ]
        .into_iter()
        .filter(|(_, hint)| *hint == Hint::Malformed)
        .map(|(name, _)| name)
        .collect()
    }
}

#[cfg(test)]
mod tests;
