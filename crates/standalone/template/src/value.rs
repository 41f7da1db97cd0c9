//! What values are to both languages: their text, their kind, how they compare, what is inside them.

mod number;

use std::{borrow::Cow, cmp::Ordering, ops::Deref, sync::Arc};

use serde_json::Value;

pub(crate) use number::Number;

/// The longest text, in bytes, that may read like a number or a boolean.
const LONGEST_SCALAR: usize = 256;

/// A value on its way through an evaluation: one of the scope, or one that was made. Cheap to copy.
#[derive(Debug, Clone)]
pub(crate) enum Held<'s> {
    Lent(&'s Value),
    Made(Arc<Value>),
}

impl Held<'_> {
    pub(crate) fn made(value: impl Into<Value>) -> Self {
        Self::Made(Arc::new(value.into()))
    }

    pub(crate) const fn null() -> Self {
        Self::Lent(&Value::Null)
    }

    /// The value under a key of a map, or at a place of a list that `key` is the number of.
    pub(crate) fn key(&self, key: &str) -> Option<Self> {
        match &**self {
            Value::Object(_) => self.part(|value| value.get(key)),
            Value::Array(_) => self.place(key.parse().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }

    /// The element at a place of a list.
    pub(crate) fn place(&self, place: usize) -> Option<Self> {
        self.part(|value| value.as_array()?.get(place))
    }

    fn part(&self, find: impl Fn(&Value) -> Option<&Value>) -> Option<Self> {
        match self {
            Self::Lent(value) => find(value).map(Held::Lent),
            Self::Made(value) => find(value).cloned().map(Self::made),
        }
    }

    /// How many bytes were copied to have this value, which was found inside another.
    pub(crate) fn copied(&self) -> usize {
        match self {
            Self::Lent(_) => 0,
            Self::Made(value) => weight(value),
        }
    }

    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Lent(value) => value.clone(),
            Self::Made(value) => Arc::unwrap_or_clone(value),
        }
    }
}

impl Deref for Held<'_> {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Self::Lent(value) => value,
            Self::Made(value) => value,
        }
    }
}

/// A value as text: null is empty, whole numbers have no fraction, lists and maps are JSON.
pub(crate) fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
        Value::Number(value) => Cow::Owned(Number::new(value).to_string()),
        Value::String(value) => Cow::Borrowed(value),
        Value::Array(_) | Value::Object(_) => Cow::Owned(value.to_string()),
    }
}

/// What kind of value it is, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

/// The boolean a value is meant as: itself, or the text `true` or `false`.
pub(crate) fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) => match short(text)?.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A text that may read like something else, without the white space around it. A long one does not, and is not looked
/// at again and again.
fn short(text: &str) -> Option<&str> {
    (text.len() <= LONGEST_SCALAR).then(|| text.trim())
}

/// Whether two values are equal. Inputs and outputs are text, so a text next to a number or a boolean is compared as
/// what it reads like. Two texts are compared as they are: `1.0` is not `1`.
pub(crate) fn equals(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(_), Value::Number(_) | Value::String(_))
        | (Value::String(_), Value::Number(_)) => {
            compare_numbers(left, right) == Some(Ordering::Equal)
        }
        (Value::Bool(_), Value::String(_)) | (Value::String(_), Value::Bool(_)) => {
            boolean(left) == boolean(right)
        }
        _ => left == right,
    }
}

/// The order of two values: as numbers if both read like numbers, otherwise as texts. Null has none, and that is no
/// error; other pairs are, and the error says so.
pub(crate) fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(None),
        (Value::String(a), Value::String(b)) => {
            Ok(compare_numbers(left, right).or_else(|| Some(a.cmp(b))))
        }
        _ => compare_numbers(left, right)
            .map(Some)
            .ok_or_else(|| format!("{} and {} have no order", kind(left), kind(right))),
    }
}

fn compare_numbers(left: &Value, right: &Value) -> Option<Ordering> {
    Number::meant(left)?.partial_cmp(&Number::meant(right)?)
}

/// How many characters, elements or keys. Null has none; booleans and numbers have no length.
pub(crate) fn length(value: &Value) -> Result<usize, String> {
    match value {
        Value::Null => Ok(0),
        Value::String(text) => Ok(text.chars().count()),
        Value::Array(items) => Ok(items.len()),
        Value::Object(map) => Ok(map.len()),
        Value::Bool(_) | Value::Number(_) => Err(format!("{} has no length", kind(value))),
    }
}

/// About how many bytes a comparison with this value reads.
pub(crate) fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 16 + weight(item)).sum(),
        Value::Object(map) => map.iter().map(|(key, item)| 16 + key.len() + weight(item)).sum(),
    }
}

#[cfg(test)]
mod tests;
