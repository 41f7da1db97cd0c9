//! Calls of other workflows: each must exist, be given what it needs, and never lead back to a caller.

use std::collections::HashSet;

use awf_core::{CallState, Code, Diagnostic, StateKind, Workflow, shown};

use crate::check::{
    calls::library::{Library, Trouble},
    subject::{Subject, is_missing},
};

mod library;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut library = Library::new(subject.surroundings);
    let mut findings = Vec::new();
    for call in calls(subject.workflow) {
        let name = shown(call.workflow.as_str());
        let mut tell = |finding: Diagnostic| findings.push(finding.at(call.workflow.span.clone()));
        let Some(callee) = library.called(&subject.workflow.file, call.workflow.as_str()) else {
            let message = format!("there is no workflow `{name}`");
            tell(Diagnostic::new(Code::UnknownWorkflow, message));
            continue;
        };
        match library.descend(subject.workflow, &callee) {
            Ok(()) => {}
            Err(Trouble::Circle(names)) => {
                let names: Vec<String> =
                    names.iter().map(|name| format!("`{}`", shown(name))).collect();
                let message = format!("calling `{name}` never ends: {}", names.join(" → "));
                tell(
                    Diagnostic::new(Code::UnknownWorkflow, message)
                        .hinting("break the circle: one of them must do without the call"),
                );
            }
            Err(Trouble::TooDeep) => {
                let message = format!("calling `{name}` leads more than ten workflows deep");
                tell(Diagnostic::new(Code::CallTooDeep, message));
            }
        }
        findings.extend(inputs(subject, call, &callee));
        findings.extend(outputs(subject, call, &callee));
    }
    findings
}

fn calls(workflow: &Workflow) -> impl Iterator<Item = &CallState> {
    workflow.states.iter().filter_map(|state| match &state.kind {
        StateKind::Call(call) => {
            let name = &call.workflow;
            (!is_missing(state, name.as_str(), &name.span)).then_some(call)
        }
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Parallel(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Terminal(_) => None,
    })
}

fn inputs(subject: &Subject<'_>, call: &CallState, callee: &Workflow) -> Vec<Diagnostic> {
    let name = shown(call.workflow.as_str());
    let known: HashSet<&str> = callee.inputs.iter().map(|spec| spec.name.as_str()).collect();
    let given: HashSet<&str> = call.inputs.iter().map(|(key, _)| key.as_str()).collect();
    let strangers = call.inputs.iter().map(|(key, _)| key);
    let unknown = strangers.filter(|key| !known.contains(key.as_str())).map(|key| {
        let message = format!("workflow `{name}` has no input `{}`", shown(key.as_str()));
        let known = callee.inputs.iter().map(|spec| spec.name.as_str());
        subject.unknown(Code::InputUnknown, message, key.as_str(), known).at(key.span.clone())
    });
    let needed = callee.inputs.iter().filter(|spec| spec.required && spec.default.is_none());
    let missing = needed.filter(|spec| !given.contains(spec.name.as_str())).map(|spec| {
        let input = shown(spec.name.as_str());
        Diagnostic::new(Code::InputMissing, format!("workflow `{name}` is not given `{input}`"))
            .at(call.workflow.span.clone())
            .hinting(format!("add `{input}` under `inputs`"))
    });
    unknown.chain(missing).collect()
}

fn outputs(subject: &Subject<'_>, call: &CallState, callee: &Workflow) -> Vec<Diagnostic> {
    let known: HashSet<&str> = callee.states.iter().map(|state| state.name.as_str()).collect();
    let strangers = call.outputs.iter().map(|(state, _)| state);
    strangers
        .filter(|state| !known.contains(state.as_str()))
        .map(|state| {
            let (name, workflow) = (shown(state.as_str()), shown(call.workflow.as_str()));
            let message = format!("workflow `{workflow}` has no state `{name}`");
            let known = callee.states.iter().map(|state| state.name.as_str());
            subject
                .unknown(Code::MissingState, message, state.as_str(), known)
                .at(state.span.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests;
