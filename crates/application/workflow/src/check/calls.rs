//! Calls of other workflows: each must exist, be given what it needs, and never lead back to a caller.

use awf_core::{CallState, Code, Diagnostic, StateKind, Workflow, shown};

use crate::check::{
    calls::library::{Library, Trouble},
    subject::Subject,
};

mod library;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut library = Library::new(subject.surroundings);
    let mut findings = Vec::new();
    for call in calls(subject.workflow) {
        let name = shown(call.workflow.as_str());
        let mut tell = |code, message| {
            findings.push(Diagnostic::new(code, message).at(call.workflow.span.clone()));
        };
        let Some(callee) = library.called(&subject.workflow.file, call.workflow.as_str()) else {
            tell(Code::UnknownWorkflow, format!("there is no workflow `{name}`"));
            continue;
        };
        match library.descend(subject.workflow, &callee) {
            Ok(()) => {}
            Err(Trouble::Circle(names)) => {
                let names: Vec<String> =
                    names.iter().map(|name| format!("`{}`", shown(name))).collect();
                let message = format!("calling `{name}` never ends: {}", names.join(" → "));
                tell(Code::UnknownWorkflow, message);
            }
            Err(Trouble::TooDeep) => {
                let message = format!("calling `{name}` leads more than ten workflows deep");
                tell(Code::CallTooDeep, message);
            }
        }
        findings.extend(inputs(subject, call, &callee));
        findings.extend(outputs(subject, call, &callee));
    }
    findings
}

fn calls(workflow: &Workflow) -> impl Iterator<Item = &CallState> {
    workflow.states.iter().filter_map(|state| match &state.kind {
        StateKind::Call(call) => Some(call),
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
    let known = || callee.inputs.iter().map(|spec| spec.name.as_str());
    let strangers = call.inputs.iter().map(|(key, _)| key);
    let strangers = strangers.filter(|key| !known().any(|known| known == key.as_str()));
    let unknown = strangers.map(|key| {
        let message = format!("workflow `{name}` has no input `{}`", shown(key.as_str()));
        subject.unknown(Code::InputUnknown, message, key.as_str(), known()).at(key.span.clone())
    });
    let given = |input: &str| call.inputs.iter().any(|(key, _)| key.as_str() == input);
    let lacking = callee.inputs.iter().filter(|spec| spec.required && spec.default.is_none());
    let missing = lacking.filter(|spec| !given(spec.name.as_str())).map(|spec| {
        let input = shown(spec.name.as_str());
        Diagnostic::new(Code::InputMissing, format!("workflow `{name}` is not given `{input}`"))
            .at(call.workflow.span.clone())
            .hinting(format!("add `{input}` under `inputs`"))
    });
    unknown.chain(missing).collect()
}

fn outputs(subject: &Subject<'_>, call: &CallState, callee: &Workflow) -> Vec<Diagnostic> {
    let states = call.outputs.iter().map(|(state, _)| state);
    states
        .filter(|state| callee.state(state.as_str()).is_none())
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
