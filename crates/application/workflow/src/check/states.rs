//! Names of states: each must be a state of the workflow, and a session goes on from a step of an agent.

use awf_core::{AgentState, Code, Diagnostic, Located, State, StateKind, shown};

use crate::{
    check::subject::Subject,
    ways::{parts, ways},
};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::from_iter(named(subject, "initial state", &subject.workflow.initial));
    for state in &subject.workflow.states {
        findings.extend(ways(state).iter().filter_map(|way| named(subject, "state", way.to)));
        findings.extend(parts(state).iter().filter_map(|part| named(subject, "state", part)));
        findings.extend(continued(subject, state));
    }
    findings
}

fn named(subject: &Subject<'_>, role: &str, name: &Located<String>) -> Option<Diagnostic> {
    if subject.place(name.as_str()).is_some() {
        return None;
    }
    let message = format!("{role} `{}` does not exist", shown(name.as_str()));
    let finding =
        subject.unknown(Code::MissingState, message, name.as_str(), subject.state_names());
    Some(finding.at(name.span.clone()))
}

/// `continue_from` must name a step of an agent; whether that one can have run before is a question for the flow.
fn continued(subject: &Subject<'_>, state: &State) -> Option<Diagnostic> {
    let StateKind::Agent(agent) = &state.kind else { return None };
    let from = agent.continue_from.as_ref()?;
    let Some(earlier) = subject.state(from.as_str()) else {
        return named(subject, "state", from);
    };
    if let StateKind::Agent(other) = &earlier.kind {
        return elsewhere(subject, agent, other, from);
    }
    let kind = earlier.kind.as_str();
    let message = format!(
        "`continue_from` needs a step of an agent, and `{}` is of type `{kind}`",
        shown(from.as_str())
    );
    let agents = subject
        .workflow
        .states
        .iter()
        .filter(|other| matches!(other.kind, StateKind::Agent(_)) && other.name != state.name)
        .map(|other| other.name.as_str());
    Some(subject.unknown(Code::MissingState, message, from.as_str(), agents).at(from.span.clone()))
}

/// What was said to one provider is not known to another.
fn elsewhere(
    subject: &Subject<'_>,
    agent: &AgentState,
    earlier: &AgentState,
    from: &Located<String>,
) -> Option<Diagnostic> {
    let (own, other) = (subject.agent_kind(agent)?, subject.agent_kind(earlier)?);
    if own == other {
        return None;
    }
    let (own, other, state) = (own.as_str(), other.as_str(), shown(from.as_str()));
    let message =
        format!("the session of `{state}` is one of `{other}` and cannot go on in `{own}`");
    Some(Diagnostic::new(Code::ConflictingFields, message).at(from.span.clone()).hinting(
        "use the same provider in both, or hand on what was said: `{{.states.NAME.Output}}`",
    ))
}

#[cfg(test)]
mod tests;
