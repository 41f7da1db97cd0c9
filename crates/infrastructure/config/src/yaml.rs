//! A file as a tree whose every part knows its place. Bounded in size, in depth and in what its aliases grow to.

use awf_core::{Span, TextOrigin, shown};
use serde_json::{Map, Value};

mod build;
mod scalar;
mod source;

pub(crate) use build::parse_tree;

/// A place in the file: lines and columns from 1, columns in characters, the end just past the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) end_line: usize,
    pub(crate) end_column: usize,
}

impl Place {
    /// The first character: for what is wrong with the file as a whole.
    pub(crate) const START: Self = Self { line: 1, column: 1, end_line: 1, end_column: 2 };

    /// The same place, in a named file.
    pub(crate) fn in_file(self, file: &str) -> Span {
        Span {
            file: file.to_owned(),
            line: self.line,
            column: self.column,
            end_line: self.end_line,
            end_column: self.end_column,
        }
    }
}

/// One value of the file.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Where it is; of a value over several lines its first, unless only the whole can be marked.
    pub(crate) place: Place,
    pub(crate) value: NodeValue,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum NodeValue {
    Scalar(Scalar),
    List(Vec<Node>),
    /// In the order of the file; keys are unique.
    Map(Vec<Entry>),
}

/// A scalar, as text.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    /// After YAML has read it.
    pub(crate) text: String,
    /// Without quotes: it may be a number, a boolean or nothing.
    pub(crate) plain: bool,
    /// Where its characters are, if they stand in the file as they are.
    pub(crate) origin: Option<TextOrigin>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_place: Place,
    pub(crate) value: Node,
}

impl Node {
    /// The scalar, unless the value is a list, a mapping or nothing.
    pub(crate) fn scalar(&self) -> Option<&Scalar> {
        match &self.value {
            NodeValue::Scalar(scalar) if !scalar.is_null() => Some(scalar),
            NodeValue::Scalar(_) | NodeValue::List(_) | NodeValue::Map(_) => None,
        }
    }

    /// Whether there is a key and nothing behind it.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.value, NodeValue::Scalar(scalar) if scalar.is_null())
    }

    /// The value as JSON.
    pub(crate) fn json(&self) -> Value {
        match &self.value {
            NodeValue::Scalar(scalar) => scalar.json(),
            NodeValue::List(items) => Value::Array(items.iter().map(Self::json).collect()),
            NodeValue::Map(entries) => Value::Object(
                entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.json()))
                    .collect::<Map<_, _>>(),
            ),
        }
    }

    /// What the value is, in a message.
    pub(crate) fn described(&self) -> String {
        match &self.value {
            NodeValue::List(_) => "a list".to_owned(),
            NodeValue::Map(_) => "a mapping".to_owned(),
            NodeValue::Scalar(scalar) => match scalar.json() {
                Value::Null => "nothing".to_owned(),
                Value::Bool(value) => format!("the boolean `{value}`"),
                Value::Number(_) => format!("the number `{}`", shown(&scalar.text)),
                Value::String(_) | Value::Array(_) | Value::Object(_) => {
                    format!("the text `{}`", shown(&scalar.text))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests;
