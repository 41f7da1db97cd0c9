//! Ways that no run takes: those after a transition that is always followed.

use awf_core::{Code, Diagnostic, OnFailure, Severity, Span, State, shown};

use crate::{
    check::subject::Subject,
    ways::{Cause, ways},
};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.workflow.states.iter().flat_map(never_taken).collect()
}

/// Transitions are tried before everything else, after a failure too.
fn never_taken(state: &State) -> Vec<Diagnostic> {
    let mut ways = ways(state).into_iter();
    let Some(always) = ways.find(|way| matches!(way.cause, Cause::Always)) else {
        return Vec::new();
    };
    let last = match &state.on_failure {
        Some(OnFailure::End { message, .. }) => Some(&message.span),
        Some(OnFailure::Goto(_)) | None => None,
    };
    let tell = |span: &Span| Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::new(
            Code::InvalidTransition,
            format!(
                "no run comes to this: the transition to `{}` before it has no condition",
                shown(always.to.as_str())
            ),
        )
        .at(span.clone())
        .hinting("give that transition a `when`, or remove what follows")
    };
    ways.map(|way| &way.to.span).chain(last).map(tell).collect()
}

#[cfg(test)]
mod tests;
