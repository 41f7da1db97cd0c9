//! Which loops a state runs in.

use std::collections::BTreeSet;

use awf_core::{StateKind, Workflow};

use crate::check::subject::Subject;

/// For each state, by number, the loops and parallels that have it in them.
pub(super) struct Enclosing {
    around: Vec<Vec<Container>>,
}

#[derive(Clone, Copy)]
enum Container {
    Loop(usize),
    /// It has no `loop` of its own: what is around it counts.
    Parallel(usize),
}

impl Enclosing {
    pub(super) fn of(subject: &Subject<'_>) -> Self {
        let Workflow { states, .. } = subject.workflow;
        let mut around = vec![Vec::new(); states.len()];
        for (place, state) in states.iter().enumerate() {
            let (within, container) = match &state.kind {
                StateKind::Loop(cycle) => (&cycle.body, Container::Loop(place)),
                StateKind::Parallel(parallel) => (&parallel.branches, Container::Parallel(place)),
                StateKind::Command(_)
                | StateKind::Agent(_)
                | StateKind::Operation(_)
                | StateKind::Custom(_)
                | StateKind::Call(_)
                | StateKind::Terminal(_) => continue,
            };
            for inner in within.iter().filter_map(|name| subject.place(name.as_str())) {
                if let Some(containers) = around.get_mut(inner) {
                    containers.push(container);
                }
            }
        }
        Self { around }
    }

    /// The loops that `loop` may mean at a state; with `out`, that many times `Parent`.
    pub(super) fn loops(&self, place: usize, out: usize) -> BTreeSet<usize> {
        let innermost = self.nearest([place].into());
        (0..out).fold(innermost, |loops, _| self.nearest(loops))
    }

    fn nearest(&self, places: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut loops = BTreeSet::new();
        let mut seen = places.clone();
        let mut left: Vec<usize> = places.into_iter().collect();
        while let Some(place) = left.pop() {
            for container in self.around.get(place).into_iter().flatten() {
                match *container {
                    Container::Loop(place) => {
                        loops.insert(place);
                    }
                    Container::Parallel(place) if seen.insert(place) => left.push(place),
                    Container::Parallel(_) => {}
                }
            }
        }
        loops
    }
}
