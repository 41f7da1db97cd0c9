//! What a caller says a call is for, and whether that may go ahead: the two decision tables of awf.
//!
//! Everything here is pure. Every surface (MCP, REST, CLI, workflow steps) asks the same [`IntentValidator`]; none has a
//! copy of the rules.

use std::fmt;

use crate::{
    json::RawJson,
    tool::{ToolCall, ToolDefinition},
};

mod declaration;
mod judgement;
mod refusal;
mod validator;

pub use declaration::declare;
pub use judgement::judge;
pub use refusal::{Refusal, RefusalCode};
pub use validator::{AllowAll, TwoKeyValidator};

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
    /// The tool's name.
    pub fn as_str(self) -> &'static str {
        match self.0 {
            Operation::Read => "call_tool_read",
            Operation::Write => "call_tool_write",
            Operation::Destructive => "call_tool_destructive",
        }
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

/// What a caller says about a call: nothing on the direct surface, a declaration on the intent surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallIntent {
    /// Called by name; the operation follows from the tool's annotations.
    Direct,
    /// Called through a variant, with whatever was stated beside it.
    Stated {
        /// The variant chosen.
        variant: Variant,
        /// The statement, as typed.
        statement: Box<Statement>,
    },
}

/// An intent as typed, in either or both of the accepted shapes. `None` is a key that was not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// The value of `intent`.
    pub nested: Option<RawJson>,
    /// The value of `intent_operation_type`.
    pub operation_type: Option<RawJson>,
    /// The value of `intent_data_sensitivity`.
    pub data_sensitivity: Option<RawJson>,
    /// The value of `intent_reason`.
    pub reason: Option<RawJson>,
}

/// An intent as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What the call does.
    pub operation: Operation,
    /// Where that was said.
    pub origin: Origin,
    /// How sensitive the data is, if stated.
    pub sensitivity: Option<Sensitivity>,
    /// Why, if stated.
    pub reason: Option<String>,
}

/// Where a declared operation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The nested `intent` object.
    Nested,
    /// The flat `intent_operation_type`.
    Flat,
    /// The variant alone (mode `inferred`).
    Inferred,
    /// The tool's annotations (direct surface).
    Derived,
}

impl Origin {
    /// Every origin.
    pub const ALL: [Self; 4] = [Self::Nested, Self::Flat, Self::Inferred, Self::Derived];

    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Flat => "flat",
            Self::Inferred => "inferred",
            Self::Derived => "derived",
        }
    }
}

/// `intent_declaration.mode`: whether the operation must be declared beside the variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// It must.
    #[default]
    TwoKey,
    /// It is inferred from the variant when absent.
    Inferred,
}

/// `intent_declaration.strict_server_validation`: what a destructive tool behind a milder variant means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Refuse.
    #[default]
    Strict,
    /// Warn and allow.
    Permissive,
}

/// `intent_declaration.unannotated`: what a tool without annotations counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unannotated {
    /// The caller is trusted; `call_with` says write.
    #[default]
    Trust,
    /// A writing tool.
    Write,
    /// A destructive tool.
    Destructive,
}

/// The whole `intent_declaration` block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntentPolicy {
    /// See [`Mode`].
    pub mode: Mode,
    /// See [`Strictness`].
    pub strictness: Strictness,
    /// See [`Unannotated`].
    pub unannotated: Unannotated,
}

/// Something that was let through but should be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable word.
    pub code: &'static str,
    /// For a person.
    pub message: String,
}

/// What becomes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It goes ahead.
    Allow(Declaration),
    /// It goes ahead, and the warnings are shown, logged and recorded.
    Warn(Declaration, Vec<Warning>),
    /// It does not.
    Deny(Refusal),
}

/// Judges calls. Synchronous and pure: same call, same tool, same answer.
pub trait IntentValidator: Send + Sync {
    /// The first half, before any tool is looked up: is the statement itself in order? `None` on the direct surface.
    fn declared(&self, call: &ToolCall) -> Result<Option<Declaration>, Refusal>;
    /// The whole judgement.
    fn decide(&self, call: &ToolCall, tool: &ToolDefinition) -> Decision;
}

#[cfg(test)]
mod tests;
