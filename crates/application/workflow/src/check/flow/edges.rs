//! Drawing the graph: every way out of a state, and every way through its parts.

use awf_core::{CommandSource, OnFailure, State, StateKind};

use crate::{
    check::{
        flow::{MODES, Mode, NODES, Node, entered, left},
        subject::{Subject, is_missing},
    },
    ways::{Cause, ends_silently, parts, ways},
};

pub(super) struct Edges<'s, 'a> {
    subject: &'s Subject<'a>,
    pub(super) onward: Vec<Vec<Node>>,
    /// The end of the run.
    pub(super) end: Node,
    /// What a name leads to that is no state: it could be any.
    pub(super) anywhere: Node,
    /// By the number of a state: the loops it is part of, by number, in order.
    loops: Vec<Vec<usize>>,
}

impl<'s, 'a> Edges<'s, 'a> {
    pub(super) fn drawn(subject: &'s Subject<'a>) -> Self {
        let count = subject.workflow.states.len();
        let (end, anywhere) = (count * NODES, count * NODES + 1);
        let onward = vec![Vec::new(); anywhere + 1];
        let mut edges = Self { subject, onward, end, anywhere, loops: vec![Vec::new(); count] };
        edges.find_loops();
        for (place, state) in subject.workflow.states.iter().enumerate() {
            for mode in MODES {
                edges.through(place, state, mode);
            }
            edges.out_of(place, state);
        }
        edges.add(anywhere, end);
        for place in 0..count {
            edges.add(anywhere, entered(place, Mode::Routed));
        }
        edges
    }

    fn find_loops(&mut self) {
        for (own, state) in self.subject.workflow.states.iter().enumerate() {
            if !matches!(state.kind, StateKind::Loop(_)) {
                continue;
            }
            for part in parts(state).iter().filter_map(|part| self.subject.place(part.as_str())) {
                if let Some(loops) = self.loops.get_mut(part) {
                    loops.push(own);
                }
            }
        }
    }

    /// From a state's beginning to its end, through its parts.
    fn through(&mut self, place: usize, state: &State, mode: Mode) {
        let (enter, leave) = (entered(place, mode), left(place, mode));
        self.add(enter, leave);
        let known: Vec<usize> =
            parts(state).iter().filter_map(|part| self.subject.place(part.as_str())).collect();
        if known.len() < parts(state).len() || is_unknown(state) {
            self.add(enter, self.anywhere);
        }
        match &state.kind {
            // One at a time is in order, so a branch can rely on those before it.
            StateKind::Parallel(parallel) if parallel.max_concurrent == Some(1) => {
                self.parts(&known, Mode::Branch, enter, leave);
                self.chain(&known, Mode::Branch);
            }
            StateKind::Parallel(_) => self.parts(&known, Mode::Branch, enter, leave),
            StateKind::Loop(_) => {
                self.parts(&known, Mode::Body, enter, leave);
                self.chain(&known, Mode::Body);
                if let (Some(first), Some(last)) = (known.first(), known.last()) {
                    self.add(left(*last, Mode::Body), entered(*first, Mode::Body));
                }
            }
            StateKind::Command(_)
            | StateKind::Agent(_)
            | StateKind::Operation(_)
            | StateKind::Custom(_)
            | StateKind::Call(_)
            | StateKind::Terminal(_) => {}
        }
    }

    /// Any part may be the last: a failure or a way elsewhere ends the others. The first of a loop is the first to run.
    fn parts(&mut self, parts: &[usize], mode: Mode, enter: Node, leave: Node) {
        for (nth, part) in parts.iter().enumerate() {
            if nth == 0 || mode != Mode::Body {
                self.add(enter, entered(*part, mode));
            }
            self.add(left(*part, mode), leave);
        }
    }

    fn chain(&mut self, parts: &[usize], mode: Mode) {
        for (one, next) in parts.iter().zip(parts.iter().skip(1)) {
            self.add(left(*one, mode), entered(*next, mode));
        }
    }

    /// The ways out of a state, and the end where it has none.
    fn out_of(&mut self, place: usize, state: &State) {
        let (routed, in_body) = (left(place, Mode::Routed), left(place, Mode::Body));
        for way in ways(state) {
            let to = self.subject.place(way.to.as_str());
            let next = to.map_or(self.anywhere, |to| entered(to, Mode::Routed));
            self.add(routed, next);
            // A way back to the loop goes on with it, as if it were not there; a transition begins its next iteration.
            if let Some(own) =
                to.filter(|to| self.loops.get(place).is_some_and(|loops| *loops == [*to]))
            {
                match way.cause {
                    Cause::When(_) | Cause::Always => self.begin_body(in_body, own),
                    Cause::Success | Cause::Failure => (),
                }
                continue;
            }
            match to.map(|to| (to, self.stays(place, to))) {
                Some((to, Stays::Always)) => self.add(in_body, entered(to, Mode::Body)),
                Some((to, Stays::Perhaps)) => {
                    self.add(in_body, entered(to, Mode::Body));
                    self.add(in_body, next);
                }
                Some((_, Stays::Never)) | None => self.add(in_body, next),
            }
        }
        let openly = matches!(state.kind, StateKind::Terminal(_))
            || matches!(state.on_failure, Some(OnFailure::End { .. }));
        if openly {
            self.add(in_body, self.end);
        }
        if openly || ends_silently(state) {
            self.add(routed, self.end);
        }
    }

    fn begin_body(&mut self, from: Node, own: usize) {
        let state = self.subject.workflow.states.get(own);
        let first = state.and_then(|state| parts(state).first());
        if let Some(first) = first.and_then(|first| self.subject.place(first.as_str())) {
            self.add(from, entered(first, Mode::Body));
        }
    }

    /// Whether a way from a part of a loop leads to another part, and so stays within the loop.
    fn stays(&self, from: usize, to: usize) -> Stays {
        let loops = |place: usize| self.loops.get(place).map_or(&[][..], Vec::as_slice);
        if loops(to).is_empty() {
            return Stays::Never;
        }
        let shared = |own: &usize| loops(to).binary_search(own).is_ok();
        if loops(from).iter().all(shared) { Stays::Always } else { Stays::Perhaps }
    }

    fn add(&mut self, from: Node, to: Node) {
        if let Some(targets) = self.onward.get_mut(from) {
            targets.push(to);
        }
    }
}

/// Whether what the state runs could not be read, which was told: it could be any state.
fn is_unknown(state: &State) -> bool {
    match &state.kind {
        StateKind::Command(CommandSource::Inline(command)) => {
            is_missing(state, &command.value, &command.span)
        }
        StateKind::Command(CommandSource::Script(_))
        | StateKind::Agent(_)
        | StateKind::Parallel(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => false,
    }
}

/// Whether a way stays within the loop its state is part of.
enum Stays {
    Always,
    /// It leads out of one loop, and perhaps into the body of another around it.
    Perhaps,
    Never,
}
