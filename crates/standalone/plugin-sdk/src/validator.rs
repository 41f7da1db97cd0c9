//! What a validator is shown, and what it finds.

use std::collections::BTreeMap;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use crate::{
    Failure,
    call::Surroundings,
    wire::v1::{Severity, ValidationIssue},
};

pub(crate) type WorkflowHandler = dyn Fn(&Workflow) -> Result<Vec<Issue>, Failure> + Send + Sync;
pub(crate) type StepHandler = dyn Fn(&Workflow, &str) -> Result<Vec<Issue>, Failure> + Send + Sync;

/// A workflow that is looked at before it runs.
#[derive(Debug)]
pub struct Workflow {
    pub(crate) json: Box<RawValue>,
    pub(crate) surroundings: Surroundings,
}

/// One of its steps, as far as any validator looks.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct WorkflowStep {
    /// What the workflow calls it.
    #[serde(skip)]
    pub name: String,
    /// Its type.
    #[serde(rename = "Type", alias = "type")]
    pub kind: String,
    /// What it is for.
    #[serde(rename = "Description", alias = "description")]
    pub description: String,
    /// All that is said of it.
    #[serde(skip)]
    pub json: Value,
}

/// Keys are written as Go writes a struct; small letters are taken as well.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Outline {
    #[serde(rename = "Steps", alias = "steps", alias = "states")]
    steps: BTreeMap<String, Value>,
}

impl Workflow {
    /// The workflow as a type of yours. As `Box<RawValue>` it is what was written.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(self.json.get()).map_err(|error| format!("workflow: {error}").into())
    }

    /// Its steps, in the order of their names.
    pub fn steps(&self) -> Result<Vec<WorkflowStep>, Failure> {
        let Outline { steps } = self.read()?;
        let step = |(name, json): (String, Value)| {
            let step = WorkflowStep::deserialize(&json);
            let step = step.map_err(|error| format!("step `{name}`: {error}"))?;
            Ok(WorkflowStep { name, json, ..step })
        };
        steps.into_iter().map(step).collect()
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

/// Something found in a workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue(ValidationIssue);

impl Issue {
    /// The workflow must not run.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message.into())
    }

    /// The workflow may run, and somebody should look.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message.into())
    }

    /// Good to know.
    pub fn info(message: impl Into<String>) -> Self {
        Self::new(Severity::Info, message.into())
    }

    fn new(severity: Severity, message: String) -> Self {
        Self(ValidationIssue { severity: severity.into(), message, ..Default::default() })
    }

    /// The step it is about.
    #[must_use]
    pub fn step(mut self, name: &str) -> Self {
        name.clone_into(&mut self.0.step);
        self
    }

    /// The key it is about.
    #[must_use]
    pub fn field(mut self, name: &str) -> Self {
        name.clone_into(&mut self.0.field);
        self
    }

    pub(crate) fn into_wire(self) -> ValidationIssue {
        self.0
    }
}
