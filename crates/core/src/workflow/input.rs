//! What a workflow must be given.

use serde_json::Value;

use crate::workflow::Located;

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSpec {
    /// Its name.
    pub name: Located<String>,
    /// What it may be.
    pub kind: InputType,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it must be given, and not be empty.
    pub required: bool,
    /// Its value when none is given.
    pub default: Option<Located<Value>>,
    /// Never stored, never shown.
    pub secret: bool,
    /// What a value must be like.
    pub rules: InputRules,
}

/// What an input may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputType {
    /// Any text.
    #[default]
    String,
    /// A whole number.
    Integer,
    /// `true`, `yes`, `1`; `false`, `no`, `0`.
    Boolean,
}

impl InputType {
    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
        }
    }
}

/// What a value must be like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputRules {
    /// A regular expression that must match somewhere.
    pub pattern: Option<Located<String>>,
    /// The values there are.
    pub one_of: Option<Located<Vec<String>>>,
    /// The least number.
    pub min: Option<Located<i64>>,
    /// The greatest number.
    pub max: Option<Located<i64>>,
    /// It must name a file that exists.
    pub file_exists: bool,
    /// It must end in one of these, the dot included.
    pub file_extension: Option<Located<Vec<String>>>,
}
