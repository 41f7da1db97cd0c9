//! What a caller says a call is for, and whether that may go ahead: the two decision tables of awf.
//!
//! Everything here is pure. Every surface (MCP, REST, CLI, workflow steps) asks the same [`IntentValidator`]; none has a
//! copy of the rules.

use crate::{
    json::RawJson,
    tool::{ToolCall, ToolDefinition},
};

mod ceiling;
mod declaration;
mod judgement;
mod refusal;
mod validator;
mod warning;
mod words;

pub use ceiling::Ceiling;
pub use declaration::{declare, understood};
pub use judgement::{Verdict, call_with, judge, stricter};
pub use refusal::{Refusal, RefusalCode};
pub use validator::{AllowAll, TwoKeyValidator};
pub use warning::{Warning, WarningCode};
pub use words::{Operation, Sensitivity, Variant};

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
    /// Why the arguments beside it could not be read, where they could not. Judged after everything else.
    pub misread: Option<String>,
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
    /// What is kept of a refused call's intent: what can be understood of its statement, or what the tool says of itself.
    /// `None` for a call by name that leads to no tool.
    fn understood(&self, call: &ToolCall, tool: Option<&ToolDefinition>) -> Option<Declaration>;
}

#[cfg(test)]
mod tests;
