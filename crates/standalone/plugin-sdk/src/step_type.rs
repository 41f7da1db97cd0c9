//! A type of step that workflows may use as `type: <plugin>.<name>`.

use std::{fmt, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{Failure, Reply, call::Surroundings, wire::v1::StepTypeInfo};

type Handler = dyn Fn(&Step) -> Result<Reply, Failure> + Send + Sync;

/// A type of step.
#[derive(Clone)]
pub struct StepType {
    name: String,
    description: String,
    handler: Arc<Handler>,
}

impl StepType {
    /// `handler` runs on a thread of its own, so it may wait. What it fails with, and a panic too, is the text of a
    /// step that ended with 1.
    pub fn new(
        name: &str,
        handler: impl Fn(&Step) -> Result<Reply, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), description: String::new(), handler: Arc::new(handler) }
    }

    /// What it does.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.description);
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn info(&self) -> StepTypeInfo {
        StepTypeInfo { name: self.name.clone(), description: self.description.clone() }
    }

    pub(crate) fn run(&self, step: &Step) -> Result<Reply, Failure> {
        (self.handler)(step)
    }
}

impl fmt::Debug for StepType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepType").field("info", &self.info()).finish_non_exhaustive()
    }
}

/// One step of a plugin's own type.
#[derive(Debug)]
pub struct Step {
    pub(crate) name: String,
    pub(crate) config: Box<RawValue>,
    pub(crate) inputs: Box<RawValue>,
    pub(crate) surroundings: Surroundings,
}

impl Step {
    /// What the workflow calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its `config`, as a type of yours. As `Box<RawValue>` it is what was written.
    pub fn config<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(self.config.get()).map_err(|error| format!("config: {error}").into())
    }

    /// The inputs of the workflow, as a type of yours. As `Box<RawValue>` they are what was written.
    pub fn inputs<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(self.inputs.get()).map_err(|error| format!("inputs: {error}").into())
    }

    /// A value from the plugin's `config`, as a type of yours.
    pub fn setting<T: DeserializeOwned>(&self, name: &str) -> Result<T, Failure> {
        self.surroundings.settings.get("setting", name)
    }

    /// A line for the log of the host.
    pub fn log(&self, line: &str) {
        self.surroundings.log.write(line);
    }
}
