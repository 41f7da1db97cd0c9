//! One use of an operation, as its handler sees it.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{Failure, log::Log, values::Values};

/// What a handler may know beside its own inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) settings: Arc<Values>,
    pub(crate) log: Log,
}

/// One use of an operation.
#[derive(Debug)]
pub struct Call {
    inputs: Values,
    surroundings: Surroundings,
}

impl Call {
    pub(crate) fn new(inputs: Values, surroundings: Surroundings) -> Self {
        Self { inputs, surroundings }
    }

    /// An input as a type of yours; an `Option` takes one that is not given.
    pub fn input<T: DeserializeOwned>(&self, name: &str) -> Result<T, Failure> {
        self.inputs.get("input", name)
    }

    /// An input exactly as it was written, to the last digit. [`RawValue::get`] is its text.
    pub fn raw(&self, name: &str) -> Option<&RawValue> {
        self.inputs.raw(name)
    }

    /// Every input, exactly as it was written, in the order of their names.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.inputs.iter()
    }

    /// A value from the plugin's `config`, as a type of yours.
    pub fn setting<T: DeserializeOwned>(&self, name: &str) -> Result<T, Failure> {
        self.surroundings.settings.get("setting", name)
    }

    /// A line for the log of the host.
    pub fn log(&self, line: &str) {
        self.surroundings.log.write(line);
    }

    pub(crate) fn fill(&mut self, name: &str, value: Box<RawValue>) {
        self.inputs.set(name, value);
    }
}
