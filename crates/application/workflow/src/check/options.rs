//! The `options` of agents: the provider must take each, and no key stands in the file.

use awf_core::{
    AgentKind, AgentState, Code, Diagnostic, Located, OptionFault, Reach, StateKind, Tree,
};
use serde_json::Value;

use crate::check::{providers::intercepts, subject::Subject};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for state in &subject.workflow.states {
        let StateKind::Agent(agent) = &state.kind else { continue };
        let kind = subject.agent_kind(agent);
        for (name, tree) in &agent.options {
            findings.extend(kind.and_then(|kind| refused(subject, agent, kind, name, tree)));
            findings.extend(revealed(name, tree));
        }
    }
    findings
}

fn refused(
    subject: &Subject<'_>,
    agent: &AgentState,
    kind: AgentKind,
    name: &Located<String>,
    tree: &Tree,
) -> Option<Diagnostic> {
    if kind == AgentKind::Scripted {
        return ignored(subject, name);
    }
    let reach = if intercepts(agent) { Reach::Exclusive } else { Reach::Additive };
    let value = literal(tree);
    let judged = (subject.surroundings.option)(kind, reach, name.as_str(), value.as_ref());
    let fault = judged.err()?;
    let (code, span) = match fault {
        OptionFault::Unknown { .. } => (Code::ParseUnknownField, &name.span),
        OptionFault::Value(_) => (Code::ParseInvalidValue, tree.span()),
        OptionFault::OwnTools { .. } => (Code::ConflictingFields, &name.span),
    };
    let mut finding = Diagnostic::new(code, fault.to_string()).at(span.clone());
    if let Some(hint) = fault.hint() {
        finding = finding.hinting(hint);
    }
    if let OptionFault::Unknown { known, .. } = fault {
        finding = subject.suggest(finding, name.as_str(), known);
    }
    Some(finding)
}

/// A script plays the part of any agent, so it takes the options of each where it was called in for a run; in a file
/// that means it, they are a mistake.
fn ignored(subject: &Subject<'_>, name: &Located<String>) -> Option<Diagnostic> {
    if subject.surroundings.provider.is_some() {
        return None;
    }
    let message = "a scripted agent takes no options";
    Some(Diagnostic::new(Code::ParseIgnoredKey, message).at(name.span.clone()))
}

/// A key that stands in a file is no secret: a plan shows it, and the journal of the run keeps it.
fn revealed(name: &Located<String>, tree: &Tree) -> Option<Diagnostic> {
    if name.as_str() != "api_key" {
        return None;
    }
    let value = literal(tree)?;
    if value.is_null() || value.as_str() == Some("") {
        return None;
    }
    let message = "`api_key` is secret, and its value stands here";
    Some(Diagnostic::new(Code::InvalidInput, message).at(tree.span().clone()).hinting(
        "use an input with `secret: true`, the variable `OPENAI_API_KEY`, or `agents.keys` of the user's configuration",
    ))
}

/// The value, as far as it does not depend on the run.
fn literal(tree: &Tree) -> Option<Value> {
    match tree {
        Tree::Text(text) => (!text.value.contains("{{")).then(|| Value::from(text.value.as_str())),
        Tree::Plain(plain) => Some(plain.value.clone()),
        Tree::List(items, _) => items.iter().map(literal).collect(),
        Tree::Map(entries, _) => {
            let entries = entries.iter();
            entries.map(|(key, item)| Some((key.value.clone(), literal(item)?))).collect()
        }
    }
}

#[cfg(test)]
mod tests;
