//! The ways that lead out of a state and the parts it is made of, as its author wrote them.

use awf_core::{Located, OnFailure, State, StateKind, Text};

/// A way from one state to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    /// When it is taken.
    pub(crate) cause: Cause<'a>,
    /// The state it leads to.
    pub(crate) to: &'a Located<String>,
}

/// When a way is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause<'a> {
    /// When this expression is true.
    When(&'a Text),
    /// Whatever happened.
    Always,
    /// After a success.
    Success,
    /// After a failure.
    Failure,
}

/// Every way out of a state, in the order they are tried. Nothing leads out of an end, whatever its author wrote.
pub(crate) fn ways(state: &State) -> Vec<Way<'_>> {
    if matches!(state.kind, StateKind::Terminal(_)) {
        return Vec::new();
    }
    let transitions = state.transitions.iter().map(|transition| Way {
        cause: transition.when.as_ref().map_or(Cause::Always, Cause::When),
        to: &transition.goto,
    });
    let success = on_complete(state).into_iter().chain(&state.on_success);
    let failure = match &state.on_failure {
        Some(OnFailure::Goto(to)) => Some(to),
        Some(OnFailure::End { .. }) | None => None,
    };
    transitions
        .chain(success.map(|to| Way { cause: Cause::Success, to }))
        .chain(failure.map(|to| Way { cause: Cause::Failure, to }))
        .collect()
}

/// Whether a success may lead nowhere, which is the end: a good one.
pub(crate) fn ends_silently(state: &State) -> bool {
    let leads_on = |way: &Way<'_>| match way.cause {
        Cause::Always | Cause::Success => true,
        Cause::When(_) | Cause::Failure => false,
    };
    !matches!(state.kind, StateKind::Terminal(_)) && !ways(state).iter().any(leads_on)
}

/// The states a state runs as its own: the branches of a parallel one, the body of a loop.
pub(crate) fn parts(state: &State) -> &[Located<String>] {
    match &state.kind {
        StateKind::Parallel(parallel) => &parallel.branches,
        StateKind::Loop(cycle) => &cycle.body,
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => &[],
    }
}

fn on_complete(state: &State) -> Option<&Located<String>> {
    match &state.kind {
        StateKind::Loop(cycle) => cycle.on_complete.as_ref(),
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Parallel(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => None,
    }
}
