//! Ending one command, or everything: TERM, a grace, then KILL until nothing is left.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use rustix::process::{Pid, getpid};

use crate::{
    child::LONGEST_GRACE,
    tree::{self, Identity, Process, Tree},
    wire::Scope,
};

/// How long the kernel may take to bury what was killed, before it is called a survivor.
const BURIAL: Duration = Duration::from_secs(3);

/// How soon to look again after a kill, should no signal tell.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Whether the guard has any child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Some,
    Nothing,
}

/// One request to end something, on its way.
pub(super) struct Ending {
    ticket: Option<u64>,
    scope: Scope,
    /// The command's own process, if it ran when the ending began; its session has the same number.
    root: Option<Pid>,
    /// All that was found so far: what loses its parent on the way still belongs to it.
    known: HashSet<Identity>,
    phase: Phase,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Asked to end; looked for at `look`, killed at `until`.
    Asked {
        look: Instant,
        until: Instant,
    },
    /// Killed; looked for again at `look`, given up at `until`.
    Killed {
        look: Instant,
        until: Instant,
    },
    Done {
        survivors: u32,
    },
}

impl Ending {
    /// Asks what belongs to the scope to end, unless there is no grace.
    pub(super) fn begin(
        ticket: Option<u64>,
        scope: Scope,
        root: Option<Pid>,
        grace: Duration,
    ) -> Self {
        let look = Instant::now();
        let phase = Phase::Asked { look, until: look + grace.min(LONGEST_GRACE) };
        let mut ending = Self { ticket, scope, root, known: HashSet::new(), phase };
        if !grace.is_zero() {
            tree::terminate(&ending.look(&Tree::read()));
        }
        ending
    }

    pub(super) fn ticket(&self) -> Option<u64> {
        self.ticket
    }

    /// How many could not be ended; `None` while it is going on.
    pub(super) fn survivors(&self) -> Option<u32> {
        match self.phase {
            Phase::Done { survivors } => Some(survivors),
            Phase::Asked { .. } | Phase::Killed { .. } => None,
        }
    }

    /// When to look again at the latest; every death of a child of the guard is a reason to look earlier.
    pub(super) fn due(&self) -> Instant {
        match self.phase {
            Phase::Asked { look, .. } | Phase::Killed { look, .. } => look,
            Phase::Done { .. } => Instant::now(),
        }
    }

    pub(super) fn advance(&mut self, left: Left, now: Instant) {
        self.phase = match (left, self.phase) {
            (Left::Nothing, _) => Phase::Done { survivors: 0 },
            (Left::Some, Phase::Asked { until, .. }) if now < until => self.wait_for_end(until),
            (Left::Some, Phase::Asked { .. }) => self.kill(now, now + BURIAL),
            (Left::Some, Phase::Killed { until, .. }) => self.kill(now, until),
            (Left::Some, Phase::Done { survivors }) => Phase::Done { survivors },
        };
    }

    fn wait_for_end(&mut self, until: Instant) -> Phase {
        if self.nothing_left() {
            return Phase::Done { survivors: 0 };
        }
        Phase::Asked { look: until, until }
    }

    fn kill(&mut self, now: Instant, until: Instant) -> Phase {
        let found = tree::kill(|tree| self.look(tree)).len();
        if (found == 0 && self.nothing_left()) || now >= until {
            return Phase::Done { survivors: u32::try_from(found).unwrap_or(u32::MAX) };
        }
        Phase::Killed { look: now + LOOK_AGAIN, until }
    }

    /// Looks several times, for one that forks and ends all the time can slip through one look.
    fn nothing_left(&mut self) -> bool {
        match self.scope {
            // Something is left as long as the guard has a child, and that is known without looking.
            Scope::Everything => false,
            Scope::Command { .. } => (0..4).all(|_| self.look(&Tree::read()).is_empty()),
        }
    }

    /// The children of the guard that belong to the scope, and everything below them. An orphan is a child of
    /// the guard, so there is nowhere else to look.
    fn look(&mut self, tree: &Tree) -> Vec<Process> {
        let found = tree.below(tree.children(getpid()).filter(|child| self.covers(child)));
        self.known.extend(found.iter().map(Process::identity));
        found
    }

    fn covers(&self, child: &Process) -> bool {
        match &self.scope {
            Scope::Everything => true,
            Scope::Command { marker, .. } => {
                let in_session =
                    self.root.is_some_and(|root| root.as_raw_nonzero().get() == child.session);
                in_session
                    || self.known.contains(&child.identity())
                    || marker.is_in(&child.environ())
            }
        }
    }
}
