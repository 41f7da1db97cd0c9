//! The journal of one process: events in, in order, never dropped, never waiting for another process's events.

use std::{
    collections::HashSet,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::SystemTime,
};

use awf_core::{ActivityError, ActivityEvent, ActivityId, Code, Operation, Outcome, Retention};

use crate::{
    durable::Durable,
    error::cannot_write,
    layout::{Layout, SegmentName},
    retention::{self, Full},
    segment::Segment,
    turn::Patience,
};

/// A buffer that grew beyond this for one long event is given back.
const BUFFER_KEPT: usize = 64 * 1024;

/// What an acknowledged event survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The death of this process, by any means.
    #[default]
    Process,
    /// For calls that change something, the loss of power too.
    Power,
}

/// Writes events. Nothing is touched on disk before the first one.
pub struct Journal {
    layout: Layout,
    durability: Durability,
    retention: Retention,
    /// When a segment is followed by the next one.
    full: Full,
    writer: SegmentName,
    state: Mutex<State>,
    /// How often what is beyond the limits could not be removed.
    untidied: Arc<AtomicU64>,
}

#[derive(Default)]
struct State {
    segment: Option<Segment>,
    buffer: Vec<u8>,
    /// Calls that change something and have not ended; kept for [`Durability::Power`] only.
    changing: HashSet<ActivityId>,
    /// For the locks of the next segment.
    patience: Patience,
    /// Removes what is beyond the limits.
    tidying: Option<JoinHandle<()>>,
}

/// An event that still has to reach the disk.
struct Pending {
    segment: Arc<Durable>,
    seq: u64,
}

impl Journal {
    /// A journal below `home`.
    pub fn open(home: &Path, durability: Durability) -> Self {
        Self {
            layout: Layout::new(home),
            durability,
            retention: Retention::default(),
            full: Full::of(&Retention::default()),
            writer: SegmentName::generate(),
            state: Mutex::default(),
            untidied: Arc::default(),
        }
    }

    /// The same, with limits: what is beyond them is removed when a segment is begun.
    #[must_use]
    pub fn keeping(mut self, retention: Retention) -> Self {
        (self.retention, self.full) = (retention, Full::of(&retention));
        self
    }

    /// Returns when the event would survive what [`Durability`] names.
    pub async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        let Some(Pending { segment, seq }) = self.write(event)? else { return Ok(()) };
        let sync = tokio::task::spawn_blocking(move || segment.sync(seq));
        sync.await.map_err(|error| cannot_write(self.layout.segments(), &error))?
    }

    /// Seals the current segment. A later event would begin a new one.
    pub fn close(&self) -> Result<(), ActivityError> {
        let (segment, tidying) = {
            let mut state = self.state();
            (state.segment.take(), state.tidying.take())
        };
        let there = segment.filter(Segment::is_in_place);
        let sealed = there.map_or(Ok(()), |segment| segment.seal(&self.layout));
        if let Some(tidying) = tidying {
            // What it could not remove is removed by whoever begins a segment next.
            tidying.join().ok();
        }
        sealed
    }

    fn write(&self, event: &ActivityEvent) -> Result<Option<Pending>, ActivityError> {
        let mut state = self.state();
        if let ActivityEvent::Started(_) = event {
            drop_lost(&mut state);
        }
        self.make_ready(&mut state, event.at())?;
        let State { segment, buffer, changing, .. } = &mut *state;
        let Some(segment) = segment else { return Ok(None) };
        let written = segment.append(event, buffer);
        buffer.shrink_to(BUFFER_KEPT);
        written?;
        let pending = match self.durability {
            Durability::Process => false,
            Durability::Power => changes(event, changing),
        };
        Ok(pending.then(|| Pending { segment: segment.durable(), seq: segment.seq() }))
    }

    /// Sees to a segment for the next event: the one at hand, unless it is full or spoilt.
    fn make_ready(&self, state: &mut State, now: SystemTime) -> Result<(), ActivityError> {
        let Some(segment) = &state.segment else {
            state.segment = Some(self.next_segment(state, now)?);
            return Ok(());
        };
        let spoilt = !segment.is_sound();
        if spoilt || self.full.is_reached(segment, now) {
            match self.next_segment(state, now) {
                // The new one is open before the old one is sealed: the calls in flight never look orphaned.
                Ok(next) => {
                    let old = state.segment.replace(next);
                    old.map_or(Ok(()), |old| old.seal(&self.layout)).ok();
                }
                Err(error) if spoilt => return Err(error),
                // No room for another file, or not our turn: the full one still takes events.
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn next_segment(&self, state: &mut State, now: SystemTime) -> Result<Segment, ActivityError> {
        let created = Segment::create(&self.layout, self.writer, state.patience);
        state.patience = if created.is_ok() { Patience::Fresh } else { Patience::Spent };
        let busy = state.tidying.as_ref().is_some_and(|tidying| !tidying.is_finished());
        if created.is_ok() && !self.retention.keeps_all() && !busy {
            let (layout, retention) = (self.layout.clone(), self.retention);
            let untidied = Arc::clone(&self.untidied);
            // Beside the call, so that no call waits for it, or fails for it.
            let tidying = move || {
                if let Err(error) = retention::enforce(&layout, &retention, now) {
                    tell_untidied(&untidied, &error);
                }
            };
            state.tidying = thread::Builder::new()
                .spawn(tidying)
                .inspect_err(|error| tell_untidied(&self.untidied, error))
                .ok();
        }
        created
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the state half changed in a way the next event would not notice.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // What cannot be sealed here is sealed by whoever queries next.
        self.close().ok();
    }
}

/// Lets go of a segment that somebody took away: no call is to go ahead with a record that nobody can read. It has no end,
/// so that its absence is found.
fn drop_lost(state: &mut State) {
    if let Some(lost) = state.segment.take_if(|segment| !segment.is_in_place()) {
        let path = lost.path().display();
        tracing::warn!(%path, "the activity journal was taken away while it was written; a new segment is begun");
    }
}

fn tell_untidied(untidied: &AtomicU64, error: &impl std::fmt::Display) {
    let times = untidied.fetch_add(1, Ordering::Relaxed) + 1;
    let code = Code::ActivityOverLimits.as_str();
    tracing::warn!(code, times, %error, "the activity log could not be kept within its limits");
}

/// Whether an event belongs to a call that changes something: its start before dispatch, and its end.
fn changes(event: &ActivityEvent, changing: &mut HashSet<ActivityId>) -> bool {
    match event {
        ActivityEvent::Started(started) => {
            let dispatched = match started.outcome {
                Outcome::Allow | Outcome::Warn => true,
                Outcome::Deny(_) => false,
            };
            let changes = dispatched && started.operation() != Operation::Read;
            if changes {
                changing.insert(started.id);
            }
            changes
        }
        ActivityEvent::Ended(ended) => changing.remove(&ended.id),
    }
}

#[cfg(test)]
impl Journal {
    /// A journal that begins a new segment with every event.
    pub(crate) fn with_tiny_segments(home: &Path) -> Self {
        let mut journal = Self::open(home, Durability::Process);
        journal.full.bytes = 1;
        journal
    }
}

#[cfg(test)]
mod tests;
