//! Calls of other workflows: each must exist, be given what it needs, and never lead back to a caller.

use std::collections::{HashMap, HashSet};

use awf_core::{
    CallState, Code, Diagnostic, InputSpec, Located, Severity, Span, StateKind, Tree, Workflow,
    shown,
};
use serde_json::Value;

use crate::check::{
    calls::library::{Library, Trouble},
    inputs::faults,
    namespaces,
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
        findings.extend(values(subject, call, &callee));
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
        | StateKind::Custom(_)
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

/// Values that stand in the file as they are must be what the called workflow takes.
fn values(subject: &Subject<'_>, call: &CallState, callee: &Workflow) -> Vec<Diagnostic> {
    let specs: HashMap<&str, &InputSpec> =
        callee.inputs.iter().map(|spec| (spec.name.as_str(), spec)).collect();
    let name = shown(call.workflow.as_str());
    let mut findings = Vec::new();
    for (key, tree) in &call.inputs {
        let (Some(spec), Some(value)) = (specs.get(key.as_str()), literal(tree)) else { continue };
        findings.extend(revealed(&name, spec, &value, tree.span()));
        let faults = faults(subject, spec, &value).into_iter();
        findings.extend(faults.map(|fault| {
            Diagnostic::new(fault.code, format!("workflow `{name}`: {}", fault.message))
                .at(tree.span().clone())
                .hinting("give a value that fits")
        }));
    }
    findings
}

/// A secret that stands in a file is none.
fn revealed(callee: &str, spec: &InputSpec, value: &Value, at: &Span) -> Option<Diagnostic> {
    let empty = value.is_null() || value.as_str() == Some("");
    (spec.secret && !empty).then(|| {
        let input = shown(spec.name.as_str());
        let message =
            format!("workflow `{callee}`: input `{input}` is secret, and its value stands here");
        let finding = Diagnostic::new(Code::InvalidInput, message)
            .at(at.clone())
            .hinting("hand on a secret input of this workflow, or a variable: `{{.env.NAME}}`");
        Diagnostic { severity: Severity::Warning, ..finding }
    })
}

/// The value, as far as it does not depend on the run. What is nothing counts as not given.
fn literal(tree: &Tree) -> Option<Value> {
    match tree {
        Tree::Text(text) => (!text.value.contains("{{")).then(|| Value::from(text.value.as_str())),
        Tree::Plain(plain) => Some(plain.value.clone()),
        Tree::List(..) | Tree::Map(..) => None,
    }
}

fn outputs(subject: &Subject<'_>, call: &CallState, callee: &Workflow) -> Vec<Diagnostic> {
    let known: HashSet<&str> = callee.states.iter().map(|state| state.name.as_str()).collect();
    let workflow = shown(call.workflow.as_str());
    let judge = |wanted: &Located<String>| {
        let path = wanted.value.strip_prefix("states.").unwrap_or(&wanted.value);
        let (state, property) = path.split_once('.').unwrap_or((path, "Output"));
        if !known.contains(state) {
            let message = format!("workflow `{workflow}` has no state `{}`", shown(state));
            let known = callee.states.iter().map(|state| state.name.as_str());
            return Some(subject.unknown(Code::MissingState, message, state, known));
        }
        (!namespaces::STATE_PROPERTIES.contains(&property)).then(|| {
            let message = format!("state `{}` has no `{}`", shown(state), shown(property));
            let known = namespaces::STATE_PROPERTIES.iter().copied();
            subject.unknown(Code::UndefinedReference, message, property, known)
        })
    };
    let wanted = call.outputs.iter().map(|(wanted, _)| wanted);
    wanted.filter_map(|wanted| Some(judge(wanted)?.at(wanted.span.clone()))).collect()
}

#[cfg(test)]
mod tests;
