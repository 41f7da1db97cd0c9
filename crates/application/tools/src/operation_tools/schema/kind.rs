//! The types an input may have.

use std::fmt;

use awf_core::{nearest, shown};
use serde_json::Value;

/// The type of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::operation_tools) enum Kind {
    /// The plugin says nothing.
    Any,
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
}

/// The words of JSON Schema.
const WORDS: [(&str, Kind); 6] = [
    ("string", Kind::String),
    ("integer", Kind::Integer),
    ("number", Kind::Number),
    ("boolean", Kind::Boolean),
    ("array", Kind::Array),
    ("object", Kind::Object),
];

impl Kind {
    /// What a plugin's word means: those of JSON Schema, and those of the languages plugins are written in.
    pub(in crate::operation_tools) fn read(word: &str) -> Result<Self, String> {
        let known = match word {
            "" => Some(Self::Any),
            "int" => Some(Self::Integer),
            "float" => Some(Self::Number),
            "bool" => Some(Self::Boolean),
            word => WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind),
        };
        known.ok_or_else(|| {
            let near = nearest(word, WORDS.map(|(word, _)| word));
            let advice = match near.as_slice() {
                [] => "use string, integer, number, boolean, array or object".to_owned(),
                [near, ..] => format!("did you mean `{near}`?"),
            };
            format!("its type `{}` is not known; {advice}", shown(word))
        })
    }

    /// The word of JSON Schema; none for any value.
    pub(super) fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|(_, kind)| *kind == self).map(|(word, _)| *word)
    }

    pub(in crate::operation_tools) fn holds(self, value: &Value) -> bool {
        match self {
            Self::Any => true,
            Self::String => value.is_string(),
            Self::Integer => is_integer(value),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    /// Whether a default that is text has to be read as JSON.
    pub(super) fn is_written_as_json(self) -> bool {
        match self {
            Self::Any | Self::String => false,
            Self::Integer | Self::Number | Self::Boolean | Self::Array | Self::Object => true,
        }
    }
}

/// As JSON Schema has it: an integer beyond 64 bits is held as a float, and is one all the same.
fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|float| float.fract() == 0.0)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word().unwrap_or("value"))
    }
}
