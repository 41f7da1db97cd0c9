//! An operation: what it takes and gives, and what does it.

use std::{fmt, sync::Arc};

use crate::{
    Call, Failure, Input, Kind, Reply,
    wire::v1::{Annotations, OperationSchema, OutputSchema},
};

type Handler = dyn Fn(&Call) -> Result<Reply, Failure> + Send + Sync;

/// Something a plugin does.
#[derive(Clone)]
pub struct Operation {
    name: String,
    description: String,
    inputs: Vec<Input>,
    outputs: Vec<OutputSchema>,
    annotations: Annotations,
    handler: Arc<Handler>,
}

impl Operation {
    /// `handler` runs on a thread of its own, so it may wait. What it fails with, and a panic too, is the answer to
    /// that call alone.
    pub fn new(
        name: &str,
        handler: impl Fn(&Call) -> Result<Reply, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            description: String::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            annotations: Annotations::default(),
            handler: Arc::new(handler),
        }
    }

    /// What it does, for a person and for a model.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.description);
        self
    }

    /// A value it takes.
    #[must_use]
    pub fn input(mut self, input: Input) -> Self {
        self.inputs.push(input);
        self
    }

    /// A value it gives.
    #[must_use]
    pub fn output(mut self, name: &str, kind: Kind, description: &str) -> Self {
        self.outputs.push(OutputSchema {
            name: name.to_owned(),
            r#type: kind.to_string(),
            description: description.to_owned(),
        });
        self
    }

    /// It changes nothing.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.annotations.read_only = Some(true);
        self
    }

    /// What it does may not be undone.
    #[must_use]
    pub fn destructive(mut self) -> Self {
        self.annotations.destructive = Some(true);
        self
    }

    /// Twice is the same as once.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.annotations.idempotent = Some(true);
        self
    }

    /// It reaches beyond this machine.
    #[must_use]
    pub fn open_world(mut self) -> Self {
        self.annotations.open_world = Some(true);
        self
    }

    /// All that is said of what it does, the denials as well.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn schema(&self) -> OperationSchema {
        let said = self.annotations != Annotations::default();
        OperationSchema {
            name: self.name.clone(),
            description: self.description.clone(),
            inputs: self.inputs.iter().map(|input| input.schema().clone()).collect(),
            outputs: self.outputs.clone(),
            annotations: said.then_some(self.annotations),
        }
    }

    /// Answers a call. What is declared to have a default has it, and what must be given is there.
    pub(crate) fn run(&self, mut call: Call) -> Result<Reply, Failure> {
        for input in &self.inputs {
            let name = &input.schema().name;
            if call.raw(name).is_some() {
                continue;
            }
            match input.fallback() {
                Some(value) => call.fill(name, value),
                None if input.schema().required => {
                    return Err(format!("input `{name}` is not given").into());
                }
                None => {}
            }
        }
        (self.handler)(&call)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation").field("schema", &self.schema()).finish_non_exhaustive()
    }
}
