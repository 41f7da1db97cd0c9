//! States no way leads to, and states no way leads out of.

use awf_core::{Code, Diagnostic, shown};

use crate::check::{
    flow::{Flow, MODES, Node, entered},
    subject::Subject,
};

/// Names listed at most; the rest is counted.
const LISTED: usize = 5;

pub(super) fn check(subject: &Subject<'_>, flow: &Flow) -> Vec<Diagnostic> {
    let mut findings = unreachable(subject, flow);
    findings.extend(cycles(subject, flow));
    findings
}

fn unreachable(subject: &Subject<'_>, flow: &Flow) -> Vec<Diagnostic> {
    let states = subject.workflow.states.iter().enumerate();
    states
        .filter(|(place, _)| flow.modes(*place).next().is_none())
        .map(|(_, state)| {
            let message = format!("no way leads to state `{}`", shown(state.name.as_str()));
            Diagnostic::new(Code::UnreachableState, message).at(state.name.span.clone())
        })
        .collect()
}

/// Sets of states that lead to each other and to nothing else, least of all to an end.
fn cycles(subject: &Subject<'_>, flow: &Flow) -> Vec<Diagnostic> {
    let can_end = flow.can_end();
    let stuck: Vec<bool> =
        can_end.iter().enumerate().map(|(node, ends)| !ends && flow.reaches(node)).collect();
    if !stuck.contains(&true) {
        return Vec::new();
    }
    sinks(flow, &stuck).into_iter().filter_map(|nodes| cycle(subject, &nodes)).collect()
}

fn cycle(subject: &Subject<'_>, nodes: &[Node]) -> Option<Diagnostic> {
    let inside =
        |place: usize| MODES.iter().any(|mode| nodes.binary_search(&entered(place, *mode)).is_ok());
    let states: Vec<_> = subject
        .workflow
        .states
        .iter()
        .enumerate()
        .filter(|(place, _)| inside(*place))
        .map(|(_, state)| state)
        .collect();
    let first = states.first()?;
    let listed: Vec<String> = states
        .iter()
        .take(LISTED)
        .map(|state| format!("`{}`", shown(state.name.as_str())))
        .collect();
    let message = match (states.len(), states.len().saturating_sub(LISTED)) {
        (1, _) => format!("state {} leads back to itself without a way out", listed.join("")),
        (_, 0) => {
            format!("states {} lead back to themselves without a way out", listed.join(", "))
        }
        (_, more) => format!(
            "states {} and {more} more lead back to themselves without a way out",
            listed.join(", ")
        ),
    };
    Some(Diagnostic::new(Code::CycleDetected, message).at(first.name.span.clone()))
}

/// The strongly connected sets among `chosen` that nothing leads out of, each sorted (Kosaraju, the graph reversed
/// first, so that such sets come up before all that leads to them).
fn sinks(flow: &Flow, chosen: &[bool]) -> Vec<Vec<Node>> {
    let order = finished_last_first(&flow.reversed(), chosen);
    let mut owner: Vec<Option<Node>> = vec![None; chosen.len()];
    let mut sinks = Vec::new();
    for root in order {
        let mut members = Vec::new();
        let mut closed = true;
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let Some(owner) = owner.get_mut(node) else { continue };
            if let Some(other) = *owner {
                closed &= other == root;
                continue;
            }
            *owner = Some(root);
            members.push(node);
            open.extend(flow.onward(node));
        }
        if closed && !members.is_empty() {
            members.sort_unstable();
            sinks.push(members);
        }
    }
    sinks
}

/// The chosen nodes, each after all that it leads to has been seen, in reverse.
fn finished_last_first(edges: &[Vec<Node>], chosen: &[bool]) -> Vec<Node> {
    let mut seen: Vec<bool> = chosen.iter().map(|chosen| !chosen).collect();
    let mut order = Vec::new();
    for root in 0..edges.len() {
        let mut path = vec![(root, false)];
        while let Some((node, finished)) = path.pop() {
            if finished {
                order.push(node);
                continue;
            }
            let Some(mark) = seen.get_mut(node) else { continue };
            if !std::mem::replace(mark, true) {
                path.push((node, true));
                path.extend(edges.get(node).into_iter().flatten().map(|next| (*next, false)));
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests;
