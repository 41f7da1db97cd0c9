//! In which order states can run: a graph of every way a run may take, and of some that it may not.
//!
//! What the graph denies is impossible; what it permits is merely not ruled out. So a finding drawn from it is true.
//! Each state is two nodes, entered and left, in each of three modes.

use crate::check::{flow::edges::Edges, subject::Subject};

mod edges;

/// A point of a run.
pub(super) type Node = usize;

/// How a state is come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// From another state: its own ways count, and where it has none the run ends.
    Routed,
    /// As a part of a loop: its own ways count, and where it has none the next part follows.
    Body,
    /// As a branch: its own ways do not count.
    Branch,
}

pub(super) const MODES: [Mode; 3] = [Mode::Routed, Mode::Body, Mode::Branch];

/// Nodes of one state.
const NODES: usize = 2 * MODES.len();

/// The moment a state is entered.
pub(super) fn entered(place: usize, mode: Mode) -> Node {
    let mode = match mode {
        Mode::Routed => 0,
        Mode::Body => 1,
        Mode::Branch => 2,
    };
    place * NODES + 2 * mode
}

/// The moment a state is left, and its results are known.
pub(super) fn left(place: usize, mode: Mode) -> Node {
    entered(place, mode) + 1
}

pub(super) struct Flow {
    /// Only what a run can come to leads anywhere, or is led to.
    onward: Vec<Vec<Node>>,
    reached: Vec<bool>,
    end: Node,
}

impl Flow {
    pub(super) fn new(subject: &Subject<'_>) -> Self {
        let Edges { mut onward, end, anywhere, .. } = Edges::drawn(subject);
        let initial = subject.place(subject.workflow.initial.as_str());
        let start = initial.map_or(anywhere, |place| entered(place, Mode::Routed));
        let reached = reached(&onward, start, end);
        let is_reached = |node: Node| reached.get(node).copied().unwrap_or_default();
        for (node, targets) in onward.iter_mut().enumerate() {
            targets.retain(|target| is_reached(node) && is_reached(*target));
        }
        Self { onward, reached, end }
    }

    /// Whether a run can come to the node at all.
    pub(super) fn reaches(&self, node: Node) -> bool {
        self.reached.get(node).copied().unwrap_or_default()
    }

    /// How a state can be come to, if at all.
    pub(super) fn modes(&self, place: usize) -> impl Iterator<Item = Mode> {
        MODES.into_iter().filter(move |mode| self.reaches(entered(place, *mode)))
    }

    /// Every node that can be come to from these, themselves included.
    pub(super) fn from(&self, starts: &[Node]) -> Vec<bool> {
        spread(&self.onward, starts)
    }

    /// Whether the end can still be come to, by node.
    pub(super) fn can_end(&self) -> Vec<bool> {
        spread(&self.reversed(), &[self.end])
    }

    /// How much there is to look at.
    pub(super) fn size(&self) -> usize {
        self.onward.len() + self.onward.iter().map(Vec::len).sum::<usize>()
    }

    pub(super) fn onward(&self, node: Node) -> &[Node] {
        self.onward.get(node).map_or(&[], Vec::as_slice)
    }

    pub(super) fn reversed(&self) -> Vec<Vec<Node>> {
        let mut back = vec![Vec::new(); self.onward.len()];
        for (from, targets) in self.onward.iter().enumerate() {
            for to in targets {
                if let Some(sources) = back.get_mut(*to) {
                    sources.push(from);
                }
            }
        }
        back
    }
}

/// What a run can come to. A state that several loops share leads back only to those that were entered.
fn reached(edges: &[Vec<Node>], start: Node, end: Node) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        let leaves_unentered =
            node < end && node % 2 == 1 && !seen.get(node - 1).copied().unwrap_or_default();
        let Some(mark) = seen.get_mut(node).filter(|_| !leaves_unentered) else { continue };
        if !std::mem::replace(mark, true) {
            open.extend(edges.get(node).into_iter().flatten());
        }
    }
    seen
}

fn spread(edges: &[Vec<Node>], starts: &[Node]) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = starts.to_vec();
    while let Some(node) = open.pop() {
        let Some(mark) = seen.get_mut(node) else { continue };
        if !std::mem::replace(mark, true) {
            open.extend(edges.get(node).into_iter().flatten());
        }
    }
    seen
}
