//! What plugins themselves say: which operations they have, and what their validators find.

use awf_core::{
    Code, Diagnostic, OperationFailure, OperationSchema, PluginEntry, PluginOrigin, RawJson,
    Severity, Workflow, nearest, shown,
};
use awf_plugins::{Issue, IssueSeverity, PluginError};
use awf_workflow::validator_json;
use futures_util::future::join_all;

use crate::{environment::Environment, report::CommandError, wiring::Probe, workflows::Project};

/// The plugins of one project, asked.
pub(super) struct Witnesses {
    probe: Probe,
    /// Those that answered.
    present: Vec<String>,
}

impl Witnesses {
    /// Starts every plugin that is switched on. What it says it has is what the project's workflows are checked against,
    /// whatever was declared or locked.
    pub(super) async fn call(
        project: &mut Project,
        environment: &Environment,
    ) -> Result<(Self, Vec<Diagnostic>), CommandError> {
        let probe = Probe::open(project, &project.plugins, environment)?;
        let (mut present, mut findings) = (Vec::new(), Vec::new());
        let programs = project.plugins.plugins.iter_mut();
        let programs =
            programs.filter(|entry| entry.enabled && entry.origin != PluginOrigin::Included);
        // All at once: one that says nothing is waited for a while.
        let asked = programs.map(async |entry| {
            let said = probe.operations.inventory(&entry.name).await;
            (entry, said)
        });
        for (entry, said) in join_all(asked).await {
            match said {
                Ok(found) => {
                    findings.extend(strays(entry, &found.operations));
                    entry.operations = Some(found.operations);
                    entry.step_types = Some(found.step_types);
                    present.push(entry.name.clone());
                }
                Err(error) => findings.push(placed(trouble(&error), entry)),
            }
        }
        Ok((Self { probe, present }, findings))
    }

    /// What the validators find in a workflow.
    pub(super) async fn hear(&self, workflow: &Workflow) -> Vec<Diagnostic> {
        let json = RawJson::from(validator_json(workflow));
        let steps: Vec<String> =
            workflow.states.iter().map(|state| state.name.value.clone()).collect();
        let mut findings = Vec::new();
        for plugin in &self.present {
            match self.probe.operations.validate(plugin, &json, &steps).await {
                Ok(issues) => {
                    findings.extend(issues.iter().map(|issue| finding(plugin, issue, workflow)));
                }
                Err(error) => findings.push(trouble(&error).at(workflow.name.span.clone())),
            }
        }
        findings
    }

    /// Ends the plugins.
    pub(super) async fn dismiss(self) {
        self.probe.close().await;
    }
}

/// What the project says of operations that the plugin does not have. Where it was known before which there are, this was
/// told already.
fn strays(entry: &PluginEntry, found: &[OperationSchema]) -> Vec<Diagnostic> {
    let known = |name: &str| found.iter().any(|schema| schema.name == name);
    let strays = entry.annotations.iter().map(|(operation, _)| operation);
    let strays = strays.filter(|operation| entry.operations.is_none() && !known(operation));
    let told = strays.map(|operation| {
        let near = nearest(operation, found.iter().map(|schema| schema.name.as_str()));
        let (plugin, name) = (shown(&entry.name), shown(operation));
        let message = format!("`annotations`: plugin `{plugin}` has no operation `{name}`");
        let finding = placed(Diagnostic::new(Code::ConfigInvalid, message), entry);
        match near.first() {
            Some(near) => finding.hinting(format!("did you mean `{}`?", shown(near))),
            None => finding,
        }
    });
    told.collect()
}

/// Where the plugin is known from.
fn placed(finding: Diagnostic, entry: &PluginEntry) -> Diagnostic {
    match &entry.span {
        Some(span) => finding.at(span.clone()),
        None => finding,
    }
}

fn trouble(error: &PluginError) -> Diagnostic {
    Diagnostic::new(OperationFailure::from(error.clone()).code(), error.to_string())
}

fn finding(plugin: &str, issue: &Issue, workflow: &Workflow) -> Diagnostic {
    let state = issue.step.as_deref().and_then(|step| workflow.state(step));
    let span = state.map_or(&workflow.name.span, |state| &state.name.span).clone();
    let field = issue.field.as_deref().map(|field| format!(" (`{}`)", shown(field)));
    let message = format!(
        "plugin `{}`: {}{}",
        shown(plugin),
        shown(&issue.message),
        field.unwrap_or_default()
    );
    let severity = match issue.severity {
        IssueSeverity::Error => Severity::Error,
        // There is no milder word for what a person is to see.
        IssueSeverity::Warning | IssueSeverity::Info => Severity::Warning,
    };
    Diagnostic { severity, ..Diagnostic::new(Code::PluginFinding, message) }.at(span)
}
