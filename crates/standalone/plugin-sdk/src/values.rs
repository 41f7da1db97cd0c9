//! JSON values by name, each as it was written: nothing is rounded, reordered or spaced anew on the way.

use std::collections::{BTreeMap, HashMap};

use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

use crate::Failure;

/// Values by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values(BTreeMap<String, Box<RawValue>>);

impl Values {
    /// As they came over the wire.
    pub(crate) fn from_wire(values: HashMap<String, Vec<u8>>) -> Self {
        Self(values.into_iter().map(|(name, bytes)| (name, raw(&bytes))).collect())
    }

    pub(crate) fn raw(&self, name: &str) -> Option<&RawValue> {
        self.0.get(name).map(Box::as_ref)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_ref()))
    }

    pub(crate) fn set(&mut self, name: &str, value: Box<RawValue>) {
        self.0.insert(name.to_owned(), value);
    }

    /// The value as a type of the caller's; what is absent is read as `null`, so that an `Option` takes it.
    pub(crate) fn get<T: DeserializeOwned>(&self, what: &str, name: &str) -> Result<T, Failure> {
        match self.raw(name) {
            Some(value) => serde_json::from_str(value.get())
                .map_err(|error| format!("{what} `{name}`: {error}").into()),
            None => serde_json::from_str("null")
                .map_err(|_| format!("{what} `{name}` is not given").into()),
        }
    }

    pub(crate) fn into_wire(self) -> HashMap<String, Vec<u8>> {
        self.0.into_iter().map(|(name, value)| (name, value.get().as_bytes().to_vec())).collect()
    }

    /// All of them as one object.
    pub(crate) fn into_object(self) -> Vec<u8> {
        serde_json::to_vec(&self.0).unwrap_or_else(|_| b"{}".to_vec())
    }
}

/// What is no JSON is taken for text, as the Go project does on both sides.
pub(crate) fn raw(bytes: &[u8]) -> Box<RawValue> {
    serde_json::from_slice(bytes).unwrap_or_else(|_| {
        let text = to_raw_value(&String::from_utf8_lossy(bytes));
        text.unwrap_or_else(|_| RawValue::NULL.to_owned())
    })
}

#[cfg(test)]
mod tests;
