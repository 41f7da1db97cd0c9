//! What is named before it can be known: results of states that cannot have run yet.

use std::collections::BTreeMap;

use awf_core::{Code, Diagnostic, Span, StateKind, shown};

use crate::check::{
    fields::{Around, Moment, Site},
    flow::{Flow, Node, entered, left},
    subject::Subject,
    texts::Parsed,
};

/// Nodes looked at over a whole check. A file with more to ask is still checked by everything else.
const STEPS: usize = 50_000_000;

pub(super) fn check(subject: &Subject<'_>, flow: &Flow, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut steps = STEPS;
    for (named, uses) in uses(subject, flow, texts) {
        let starts: Vec<Node> = flow.modes(named).map(|mode| left(named, mode)).collect();
        let Some(steps_left) = steps.checked_sub(flow.size()) else { break };
        steps = steps_left;
        let known = flow.from(&starts);
        let too_early = uses.into_iter().filter(|used| {
            !used.nodes.iter().any(|node| known.get(*node).copied().unwrap_or_default())
        });
        findings.extend(too_early.map(|used| finding(subject, named, used)));
    }
    findings
}

/// A place where the result of a state is needed.
struct Use {
    by: Option<usize>,
    /// The result must be known at one of these; at none, it can never be.
    nodes: Vec<Node>,
    at: Span,
}

/// Every use of a state's result, by the number of that state. What stands in a state that is never reached is left
/// out, and so is what a template may never come to.
fn uses(subject: &Subject<'_>, flow: &Flow, texts: &[Parsed<'_>]) -> BTreeMap<usize, Vec<Use>> {
    let mut uses: BTreeMap<usize, Vec<Use>> = BTreeMap::new();
    for Parsed { field, references, .. } in texts {
        let Some((by, nodes)) = needed_at(flow, field.site) else { continue };
        for reference in references.iter().filter(|reference| reference.certain) {
            let [root, state, ..] = reference.path.as_slice() else { continue };
            let Some(named) = subject.place(state).filter(|_| root == "states") else { continue };
            let at = field.text.span_of(reference.at.clone());
            uses.entry(named).or_default().push(Use { by, nodes: nodes.clone(), at });
        }
    }
    for (place, state) in subject.workflow.states.iter().enumerate() {
        let StateKind::Agent(agent) = &state.kind else { continue };
        let Some(from) = &agent.continue_from else { continue };
        let Some(named) = subject.place(from.as_str()) else { continue };
        let Some((by, nodes)) = needed_at(flow, Site::State(place, Moment::Before)) else {
            continue;
        };
        uses.entry(named).or_default().push(Use { by, nodes, at: from.span.clone() });
    }
    uses
}

/// The state and the moments at which a text is evaluated; `None` where nothing can be said.
fn needed_at(flow: &Flow, site: Site) -> Option<(Option<usize>, Vec<Node>)> {
    let (place, moment) = match site {
        Site::State(place, moment) => (place, moment),
        Site::Run(Around::Start) => return Some((None, Vec::new())),
        Site::Run(Around::End | Around::Error | Around::Cancel) => return None,
    };
    let modes = flow.modes(place);
    let nodes: Vec<Node> = match moment {
        Moment::Before => modes.map(|mode| entered(place, mode)).collect(),
        Moment::Iterating | Moment::After => modes.map(|mode| left(place, mode)).collect(),
    };
    (!nodes.is_empty()).then_some((Some(place), nodes))
}

fn finding(subject: &Subject<'_>, named: usize, used: Use) -> Diagnostic {
    let name = |place: usize| {
        let state = subject.workflow.states.get(place);
        shown(state.map(|state| state.name.as_str()).unwrap_or_default())
    };
    let Some(by) = used.by else {
        let message = format!("state `{}` has not run when the run starts", name(named));
        return Diagnostic::new(Code::ForwardReference, message).at(used.at);
    };
    let message = if by == named {
        format!("state `{}` names its own result before it has one", name(by))
    } else {
        format!("state `{}` cannot have run before `{}`", name(named), name(by))
    };
    let finding = Diagnostic::new(Code::ForwardReference, message).at(used.at);
    if by != named && at_once(subject, by, named) {
        return finding.hinting("branches of a parallel state run at once; name a state before it");
    }
    finding
}

/// Whether both are branches of one parallel state.
fn at_once(subject: &Subject<'_>, one: usize, other: usize) -> bool {
    subject.workflow.states.iter().any(|state| match &state.kind {
        StateKind::Parallel(parallel) => {
            let has = |place| {
                parallel.branches.iter().any(|name| subject.place(name.as_str()) == Some(place))
            };
            has(one) && has(other)
        }
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => false,
    })
}

#[cfg(test)]
mod tests;
