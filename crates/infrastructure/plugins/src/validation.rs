//! What a plugin finds wrong with a workflow.

use std::time::Duration;

use awf_core::RawJson;
use awf_plugin_sdk::wire::v1::{
    Severity, ValidateStepRequest, ValidateWorkflowRequest, ValidationIssue,
    validator_service_client::ValidatorServiceClient,
};

use crate::{
    PluginError,
    call::{ANSWER_LIMIT, Limit, request},
    running::Running,
};

/// The longest one workflow may take: somebody is waiting at a prompt.
const VALIDATION: Duration = Duration::from_secs(30);

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssueSeverity {
    /// The workflow shall not run.
    Error,
    /// It is likely not what was meant.
    Warning,
    /// Good to know.
    Info,
}

/// Something a plugin finds worth saying of a workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// How bad it is.
    pub severity: IssueSeverity,
    /// What it is.
    pub message: String,
    /// The step it is in.
    pub step: Option<String>,
    /// The field it is in.
    pub field: Option<String>,
}

/// Asks of the whole, then of each step. A plugin that validates nothing finds nothing.
pub(crate) async fn validate(
    running: &Running,
    workflow: &RawJson,
    steps: &[String],
) -> Result<Vec<Issue>, PluginError> {
    let client = ValidatorServiceClient::new(running.channel());
    let mut client = client.max_decoding_message_size(ANSWER_LIMIT);
    let limit = Limit::new(running.spec().timeout.min(VALIDATION));
    let workflow_json = workflow.get().as_bytes().to_vec();
    let message = ValidateWorkflowRequest { workflow_json: workflow_json.clone() };
    let asked = client.validate_workflow(request(message, limit, None));
    let said = running.ask("ValidateWorkflow", limit, asked).await?.unwrap_or_default();
    let mut issues: Vec<Issue> = said.issues.into_iter().map(|said| issue(said, None)).collect();
    for step in steps {
        let workflow_json = workflow_json.clone();
        let message = ValidateStepRequest { workflow_json, step_name: step.clone() };
        let asked = client.validate_step(request(message, limit, None));
        let Some(said) = running.ask("ValidateStep", limit, asked).await? else { break };
        issues.extend(said.issues.into_iter().map(|said| issue(said, Some(step))));
    }
    Ok(issues)
}

fn issue(said: ValidationIssue, asked_of: Option<&String>) -> Issue {
    let severity = match Severity::try_from(said.severity) {
        Ok(Severity::Warning) => IssueSeverity::Warning,
        Ok(Severity::Info) => IssueSeverity::Info,
        // What is not said, or not known here, is taken seriously.
        Ok(Severity::Error | Severity::Unspecified) | Err(_) => IssueSeverity::Error,
    };
    let filled = |text: String| (!text.is_empty()).then_some(text);
    let step = filled(said.step).or_else(|| asked_of.cloned());
    Issue { severity, message: said.message, step, field: filled(said.field) }
}

#[cfg(test)]
mod tests;
