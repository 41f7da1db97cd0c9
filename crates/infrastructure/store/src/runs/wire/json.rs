//! JSON values within an event. Each is read on its own: one as deep as a parser takes must not be too deep in here.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, value::RawValue};

/// A value on its way to the disk, or its text on the way back.
pub(super) enum Json<'a> {
    Value(&'a Value),
    Text(&'a RawValue),
}

impl Json<'_> {
    pub(super) fn read(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Value(value) => Ok((*value).clone()),
            Self::Text(text) => serde_json::from_str(text.get()),
        }
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::Text)
    }
}

/// Values by name.
#[derive(Serialize, Deserialize)]
pub(super) struct Object<'a>(#[serde(borrow)] BTreeMap<Cow<'a, str>, Json<'a>>);

impl<'a> From<&'a Map<String, Value>> for Object<'a> {
    fn from(map: &'a Map<String, Value>) -> Self {
        Self(map.iter().map(|(key, value)| (key.into(), Json::Value(value))).collect())
    }
}

impl Object<'_> {
    pub(super) fn read(&self) -> Result<Map<String, Value>, serde_json::Error> {
        self.0.iter().map(|(key, value)| Ok((key.to_string(), value.read()?))).collect()
    }
}
