//! What is named before it can be known: results of states that cannot have run yet.

use std::{collections::BTreeMap, ops::Range, rc::Rc};

use awf_core::{Code, Diagnostic, Span, StateKind, Text, shown};

use crate::{
    check::{
        fields::{Around, Moment, Site},
        flow::{Flow, Node, entered, left},
        subject::Subject,
        texts::Parsed,
    },
    ways::parts,
};

/// Nodes looked at over a whole check. A file with more to ask is still checked by everything else.
const STEPS: usize = 20_000_000;
/// Findings at most.
const TOLD: usize = 200;

pub(super) fn check(subject: &Subject<'_>, flow: &Flow, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let affordable = STEPS / flow.size().max(1);
    let uses = uses(subject, flow, texts).into_iter().take(affordable);
    let too_early = uses.flat_map(|(named, uses)| {
        let known = flow.from(&flow.modes(named).map(|mode| left(named, mode)).collect::<Vec<_>>());
        let is_known = move |node: &Node| known.get(*node).copied().unwrap_or_default();
        let unknown = uses.into_iter().filter(move |used| !used.nodes.iter().any(&is_known));
        unknown.map(move |used| (named, used))
    });
    let branches = Branches::new(subject);
    too_early.take(TOLD).map(|(named, used)| finding(subject, &branches, named, &used)).collect()
}

/// A place where the result of a state is needed.
struct Use<'t> {
    by: Option<usize>,
    /// The result must be known at one of these; at none, it can never be.
    nodes: Rc<[Node]>,
    at: At<'t>,
}

/// Where a use stands. The place within a text is found when it is needed: that takes time.
enum At<'t> {
    Part(&'t Text, Range<usize>),
    Whole(&'t Span),
}

impl At<'_> {
    fn span(&self) -> Span {
        match self {
            Self::Part(text, part) => text.span_of(part.clone()),
            Self::Whole(span) => (*span).clone(),
        }
    }
}

/// Every use of a state's result, by the number of that state. What stands in a state that is never reached is left
/// out, and so is what a template may never come to.
fn uses<'t>(
    subject: &Subject<'t>,
    flow: &Flow,
    texts: &'t [Parsed<'t>],
) -> BTreeMap<usize, Vec<Use<'t>>> {
    let mut uses: BTreeMap<usize, Vec<Use<'t>>> = BTreeMap::new();
    for Parsed { field, references, .. } in texts {
        let Some((by, nodes)) = needed_at(flow, field.site) else { continue };
        for reference in references.iter().filter(|reference| reference.certain) {
            let [root, state, ..] = reference.path.as_slice() else { continue };
            let Some(named) = subject.place(state).filter(|_| root == "states") else { continue };
            let at = At::Part(field.text, reference.at.clone());
            uses.entry(named).or_default().push(Use { by, nodes: nodes.clone(), at });
        }
    }
    for (place, state) in subject.workflow.states.iter().enumerate() {
        let StateKind::Agent(agent) = &state.kind else { continue };
        let Some(from) = &agent.continue_from else { continue };
        let Some(named) = subject.place(from.as_str()) else { continue };
        if let Some((by, nodes)) = needed_at(flow, Site::State(place, Moment::Before)) {
            uses.entry(named).or_default().push(Use { by, nodes, at: At::Whole(&from.span) });
        }
    }
    uses
}

/// The state and the moments at which a text is evaluated; `None` where nothing can be said.
fn needed_at(flow: &Flow, site: Site) -> Option<(Option<usize>, Rc<[Node]>)> {
    let (place, moment) = match site {
        Site::State(place, moment) => (place, moment),
        Site::Run(Around::Start) => return Some((None, Rc::default())),
        Site::Run(Around::End | Around::Error | Around::Cancel) => return None,
    };
    let modes = flow.modes(place);
    let nodes: Rc<[Node]> = match moment {
        Moment::Before => modes.map(|mode| entered(place, mode)).collect(),
        Moment::Iterating | Moment::After => modes.map(|mode| left(place, mode)).collect(),
    };
    (!nodes.is_empty()).then_some((Some(place), nodes))
}

fn finding(subject: &Subject<'_>, branches: &Branches, named: usize, used: &Use<'_>) -> Diagnostic {
    let name = |place: usize| {
        let state = subject.workflow.states.get(place);
        shown(state.map(|state| state.name.as_str()).unwrap_or_default())
    };
    let tell =
        |message: String| Diagnostic::new(Code::ForwardReference, message).at(used.at.span());
    match used.by {
        None => tell(format!("state `{}` has not run when the run starts", name(named))),
        Some(by) if by == named => {
            tell(format!("state `{}` names its own result before it has one", name(by)))
        }
        Some(by) => {
            let finding =
                tell(format!("state `{}` cannot have run before `{}`", name(named), name(by)));
            if branches.at_once(by, named) {
                let hint = "branches of a parallel state run at once; name a state before it";
                return finding.hinting(hint);
            }
            finding
        }
    }
}

/// By the number of a state: the parallel states it is a branch of, by number, in order.
struct Branches(Vec<Vec<usize>>);

impl Branches {
    fn new(subject: &Subject<'_>) -> Self {
        let states = &subject.workflow.states;
        let mut owners = vec![Vec::new(); states.len()];
        for (own, state) in states.iter().enumerate() {
            if !matches!(state.kind, StateKind::Parallel(_)) {
                continue;
            }
            for branch in parts(state).iter().filter_map(|name| subject.place(name.as_str())) {
                if let Some(owners) = owners.get_mut(branch) {
                    owners.push(own);
                }
            }
        }
        Self(owners)
    }

    fn at_once(&self, one: usize, other: usize) -> bool {
        let owners = |place: usize| self.0.get(place).map_or(&[][..], Vec::as_slice);
        owners(one).iter().any(|owner| owners(other).binary_search(owner).is_ok())
    }
}

#[cfg(test)]
mod tests;
