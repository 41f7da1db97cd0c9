//! A plugin: what it offers, and how it is served.

use std::{
    error::Error,
    fmt,
    io::{self, Write as _},
    process::ExitCode,
    sync::Arc,
};

use tonic::service::Routes;

use crate::{
    Issue, Operation, StepType, Workflow,
    server::{self, Peer, ServeError},
    validator::{StepHandler, WorkflowHandler},
    wire::Handshake,
};

/// Why a handler gives nothing: any error, or text by `.into()`.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What a plugin offers.
#[derive(Clone)]
pub struct Plugin {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) operations: Vec<Operation>,
    pub(crate) step_types: Vec<StepType>,
    pub(crate) validator: Option<Arc<WorkflowHandler>>,
    pub(crate) step_validator: Option<Arc<StepHandler>>,
}

impl Plugin {
    /// A plugin that offers nothing yet.
    pub fn new(name: &str, version: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            description: String::new(),
            operations: Vec::new(),
            step_types: Vec::new(),
            validator: None,
            step_validator: None,
        }
    }

    /// What it is for.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.description);
        self
    }

    /// Something it does.
    #[must_use]
    pub fn operation(mut self, operation: Operation) -> Self {
        self.operations.push(operation);
        self
    }

    /// A type of step it brings along.
    #[must_use]
    pub fn step_type(mut self, step_type: StepType) -> Self {
        self.step_types.push(step_type);
        self
    }

    /// Looks at workflows before they run.
    #[must_use]
    pub fn validator(
        mut self,
        handler: impl Fn(&Workflow) -> Result<Vec<Issue>, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.validator = Some(Arc::new(handler));
        self
    }

    /// Looks at one step of a workflow, by its name.
    #[must_use]
    pub fn step_validator(
        mut self,
        handler: impl Fn(&Workflow, &str) -> Result<Vec<Issue>, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.step_validator = Some(Arc::new(handler));
        self
    }

    /// Serves the host that started this process, until it says that it is enough. To be called from `main`, once.
    pub fn serve(self) -> ExitCode {
        self.serve_as(Handshake::to_string, |routes| routes)
    }

    /// Serves, but not as plugins do: `line` makes the first line, and `wrap` stands between the services and the
    /// wire. For programs that try what a host endures.
    pub fn serve_as<S: Peer>(
        self,
        line: impl FnOnce(&Handshake) -> String,
        wrap: impl FnOnce(Routes) -> S,
    ) -> ExitCode {
        match server::serve(self, line, wrap) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                // Nobody is left to be told when this fails.
                writeln!(io::stderr(), "{error}").ok();
                ExitCode::FAILURE
            }
        }
    }

    /// The words for what it offers, as manifests say them.
    pub(crate) fn capabilities(&self) -> Vec<String> {
        let validates = self.validator.is_some() || self.step_validator.is_some();
        let offered = [
            (!self.operations.is_empty(), "operations"),
            (!self.step_types.is_empty(), "step_types"),
            (validates, "validators"),
        ];
        offered.iter().filter(|(has, _)| *has).map(|(_, word)| (*word).to_owned()).collect()
    }

    /// Names are how a host calls; two of one name would hide one of them.
    pub(crate) fn check(&self) -> Result<(), ServeError> {
        let operations: Vec<&str> = self.operations.iter().map(Operation::name).collect();
        let step_types: Vec<&str> = self.step_types.iter().map(StepType::name).collect();
        for (what, names) in [("operation", operations), ("step type", step_types)] {
            for (at, name) in names.iter().enumerate() {
                if names.iter().take(at).any(|earlier| earlier == name) {
                    return Err(ServeError::Twice { what, name: (*name).to_owned() });
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("name", &self.name)
            .field("version", &self.version)
            .field("operations", &self.operations)
            .field("step_types", &self.step_types)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
