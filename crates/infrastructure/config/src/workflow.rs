//! Workflow files: as typed first, then as meant, with everything that is wrong told at its place.

use awf_core::{Diagnostic, Workflow};
use serde_json::Value;

use crate::{
    reader::{Findings, Shape as _, WORKFLOW},
    schema,
    yaml::parse_tree,
};

mod meant;
mod typed;

use typed::WorkflowTyped;
pub(crate) use typed::{PluginToolsTyped, Size};

/// What a workflow file means, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedWorkflow {
    /// There when it can be checked further, even if something was found. What could not be read is left out, or is
    /// the least that can stand in its place: only a file without errors may be run.
    pub workflow: Option<Workflow>,
    /// What is wrong, in the order of the file.
    pub findings: Vec<Diagnostic>,
}

/// Reads a workflow. `file` is what the user called it.
pub fn parse_workflow(file: &str, text: &str) -> ParsedWorkflow {
    let mut findings = Findings::new(file, &WORKFLOW, "the workflow");
    let typed =
        parse_tree(text, &mut findings).and_then(|tree| WorkflowTyped::read(&tree, &mut findings));
    let workflow = typed.and_then(|typed| meant::workflow(typed, file, &mut findings));
    ParsedWorkflow { workflow, findings: findings.sorted() }
}

/// The JSON Schema of workflow files: what it refuses, `parse_workflow` refuses.
pub fn workflow_schema() -> Value {
    schema::document::<WorkflowTyped>("awf workflow")
}

#[cfg(test)]
mod tests;
