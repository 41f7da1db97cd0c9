//! Names of states: each must be a state of the workflow.

use awf_core::{
    Code, Diagnostic, Located, Loop, OnFailure, Parallel, State, StateKind, Workflow, shown,
};

use crate::check::unknown;

pub(super) fn check(workflow: &Workflow) -> Vec<Diagnostic> {
    let initial = named(workflow, "initial state", &workflow.initial);
    let of_states = workflow.states.iter().flat_map(|state| of_state(workflow, state));
    initial.into_iter().chain(of_states).collect()
}

fn of_state(workflow: &Workflow, state: &State) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut name = |role: &str, name: &Located<String>| {
        findings.extend(named(workflow, role, name));
    };
    for transition in &state.transitions {
        name("state", &transition.goto);
    }
    if let Some(next) = &state.on_success {
        name("state", next);
    }
    if let Some(OnFailure::Goto(next)) = &state.on_failure {
        name("state", next);
    }
    match &state.kind {
        StateKind::Parallel(Parallel { branches, .. }) => {
            branches.iter().for_each(|branch| name("branch", branch));
        }
        StateKind::Loop(cycle) => {
            let Loop { body, on_complete, .. } = cycle.as_ref();
            body.iter().for_each(|part| name("state", part));
            on_complete.iter().for_each(|next| name("state", next));
        }
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Operation(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => {}
    }
    findings
}

fn named(workflow: &Workflow, role: &str, name: &Located<String>) -> Option<Diagnostic> {
    if workflow.state(name.as_str()).is_some() {
        return None;
    }
    let message = format!("{role} `{}` does not exist", shown(name.as_str()));
    let known = workflow.states.iter().map(|state| state.name.as_str());
    Some(unknown(Code::MissingState, message, name.as_str(), known).at(name.span.clone()))
}
