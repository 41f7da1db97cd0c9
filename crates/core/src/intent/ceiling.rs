//! `tools.allow`: the highest class of tool a surface offers at all.

use crate::{
    annotations::Class,
    intent::{Operation, Refusal, RefusalCode, Unannotated, call_with},
};

/// The highest class that is listed and callable. A tool above it is neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling(pub Operation);

impl Ceiling {
    /// Whether a tool of `class` stays at or below the ceiling.
    pub fn permits(self, class: Class, unannotated: Unannotated) -> bool {
        call_with(class, unannotated).0 <= self.0
    }

    /// The answer to a call of `tool`, which is above the ceiling.
    pub fn refusal(self, tool: &str) -> Refusal {
        Refusal {
            code: RefusalCode::AboveCeiling,
            message: format!("Tool '{tool}' is above `tools.allow: {}`", self.0),
        }
    }
}

impl Default for Ceiling {
    fn default() -> Self {
        Self(Operation::Destructive)
    }
}

#[cfg(test)]
mod tests;
