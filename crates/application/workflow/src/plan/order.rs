//! The states in the order a run would reach them if all went well; then those that only other ways lead to.

use std::collections::{HashMap, VecDeque};

use awf_core::{State, StateKind, Workflow};

use crate::ways::{Cause, parts, ways};

/// A state, and how it is come to.
pub(super) struct Reached<'a> {
    pub(super) state: &'a State,
    /// The parallel state or loop that runs it as its own.
    pub(super) within: Option<&'a State>,
}

impl Reached<'_> {
    /// The ways of a branch do not count, nor those of an end.
    pub(super) fn leads_on(&self) -> bool {
        let ends = matches!(self.state.kind, StateKind::Terminal(_));
        !ends && !self.within.is_some_and(|owner| matches!(owner.kind, StateKind::Parallel(_)))
    }
}

/// Every state that can be reached, each once. Parts follow their owner.
pub(super) fn reached(workflow: &Workflow) -> Vec<Reached<'_>> {
    let mut walk = Walk {
        unseen: workflow.states.iter().map(|state| (state.name.as_str(), state)).collect(),
        next: VecDeque::new(),
        later: VecDeque::new(),
    };
    let first = walk.take(workflow.initial.as_str(), None);
    walk.next.extend(first);
    let mut order = Vec::new();
    while let Some(reached) = walk.next.pop_front().or_else(|| walk.later.pop_front()) {
        walk.onward(&reached);
        order.push(reached);
    }
    order
}

struct Walk<'a> {
    unseen: HashMap<&'a str, &'a State>,
    /// Where a success leads.
    next: VecDeque<Reached<'a>>,
    /// Where only a failure or a condition leads.
    later: VecDeque<Reached<'a>>,
}

impl<'a> Walk<'a> {
    fn onward(&mut self, reached: &Reached<'a>) {
        let owner = reached.state;
        let parts = parts(owner).iter();
        let parts: Vec<Reached<'a>> =
            parts.filter_map(|part| self.take(part.as_str(), Some(owner))).collect();
        if reached.leads_on() {
            for way in ways(owner) {
                // Whoever leaves a loop is no longer within it.
                let found = self.take(way.to.as_str(), None);
                match way.cause {
                    Cause::Success | Cause::Always => self.next.extend(found),
                    Cause::Failure | Cause::When(_) => self.later.extend(found),
                }
            }
        }
        for part in parts.into_iter().rev() {
            self.next.push_front(part);
        }
    }

    fn take(&mut self, name: &str, within: Option<&'a State>) -> Option<Reached<'a>> {
        self.unseen.remove(name).map(|state| Reached { state, within })
    }
}
