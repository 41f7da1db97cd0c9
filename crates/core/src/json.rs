//! JSON text kept exactly as it came.
//!
//! A proxy must not edit what it forwards: unknown fields, key order and integers beyond 2^53 survive only as long as
//! nobody parses and prints them again. Typed views are read from the text where they are needed.

use std::{collections::HashSet, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::value::{RawValue, to_raw_value};

use crate::shown::shown;

/// One well-formed JSON value, as text.
#[derive(Clone)]
pub struct RawJson(Text);

#[derive(Clone)]
enum Text {
    /// Somebody's text, found to be JSON.
    Checked(Box<RawValue>),
    /// Our own text, written as JSON: checking a megabyte again would cost as much as writing it.
    Written(String),
}

/// Why a text is not one JSON value.
#[derive(Debug, thiserror::Error)]
#[error("not valid JSON: {0}")]
pub struct NotJson(#[from] serde_json::Error);

impl RawJson {
    /// Takes one JSON value; whitespace around it is dropped, bytes after it are an error.
    pub fn parse(text: impl Into<String>) -> Result<Self, NotJson> {
        Ok(Self(Text::Checked(RawValue::from_string(text.into())?)))
    }

    /// Text this crate has just written as JSON.
    pub(crate) fn written(text: String) -> Self {
        Self(Text::Written(text))
    }

    /// The value `{}`.
    pub fn empty_object() -> Self {
        Self::from(serde_json::Value::Object(serde_json::Map::new()))
    }

    /// The text itself.
    pub fn get(&self) -> &str {
        match &self.0 {
            Text::Checked(raw) => raw.get(),
            Text::Written(text) => text,
        }
    }

    /// Hands out the value for a serializer that knows raw JSON.
    pub fn as_raw(&self) -> &RawValue {
        match &self.0 {
            Text::Checked(raw) => raw,
            Text::Written(text) => serde_json::from_str(text).unwrap_or(RawValue::NULL),
        }
    }

    /// Gives the text away without copying it.
    pub fn into_string(self) -> String {
        match self.0 {
            Text::Checked(raw) => Box::<str>::from(raw).into(),
            Text::Written(text) => text,
        }
    }
}

impl From<Box<RawValue>> for RawJson {
    fn from(raw: Box<RawValue>) -> Self {
        Self(Text::Checked(raw))
    }
}

impl From<serde_json::Value> for RawJson {
    fn from(value: serde_json::Value) -> Self {
        // Printing a `Value` cannot fail: its keys are strings and its numbers are finite.
        to_raw_value(&value).unwrap_or_else(|_| RawValue::NULL.to_owned()).into()
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// The members of one JSON object, in their order, each value as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawObject(Vec<(String, RawJson)>);

impl RawObject {
    /// Reads the top level of an object. A key given twice is an error: two readers could disagree on which one counts.
    pub fn read(raw: &RawJson) -> Result<Self, NotJson> {
        Ok(serde_json::from_str(raw.get())?)
    }

    /// The member `key`.
    pub fn get(&self, key: &str) -> Option<&RawJson> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Replaces the member `key` in its place, or appends it.
    pub fn set(&mut self, key: &str, value: RawJson) {
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The members as values that can be computed with; what no value can hold exactly is rounded.
    pub fn to_map(&self) -> serde_json::Map<String, serde_json::Value> {
        let value = |raw: &RawJson| serde_json::from_str(raw.get()).unwrap_or_default();
        self.0.iter().map(|(key, raw)| (key.clone(), value(raw))).collect()
    }

    /// Writes the object out.
    pub fn into_raw(self) -> RawJson {
        to_raw_value(&self).map_or_else(|_| RawJson::empty_object(), RawJson::from)
    }
}

impl FromIterator<(String, RawJson)> for RawObject {
    /// Of members with one key the last one counts.
    fn from_iter<I: IntoIterator<Item = (String, RawJson)>>(members: I) -> Self {
        let mut object = Self::default();
        members.into_iter().for_each(|(key, value)| object.set(&key, value));
        object
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for RawObject {
    fn from(map: serde_json::Map<String, serde_json::Value>) -> Self {
        Self(map.into_iter().map(|(key, value)| (key, value.into())).collect())
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value.as_raw())))
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = RawObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
        let mut members = Vec::new();
        // A set of its own: a hostile object of a million keys must not take a million scans.
        let mut keys = HashSet::new();
        while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
            if !keys.insert(key.clone()) {
                return Err(A::Error::custom(format_args!("duplicate key `{}`", shown(&key))));
            }
            members.push((key, RawJson::from(value)));
        }
        Ok(RawObject(members))
    }
}

#[cfg(test)]
mod tests;
