//! Where a moment lies on the timeline. The time in which a run lay still is left out: hours between two stretches would
//! leave no room for either.

use std::time::{Duration, SystemTime};

use awf_core::{Stretch, Timeline};

/// How wide a timeline is, in units of its pictures.
pub(super) const WIDTH: u64 = 1_000;
/// The least width of a bar: what is short is seen all the same.
const LEAST: u64 = 4;

/// The time of a run, stretch after stretch.
pub(super) struct Axis {
    stretches: Vec<Stretch>,
    total: Duration,
}

/// A piece of the axis, in its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) x: u64,
    pub(super) width: u64,
}

impl Axis {
    pub(super) fn of(timeline: &Timeline<'_>) -> Self {
        let stretches = timeline.stretches.clone();
        let total = stretches.iter().map(|stretch| stretch.length()).sum();
        Self { stretches, total }
    }

    /// How long the run was under way.
    pub(super) fn total(&self) -> Duration {
        self.total
    }

    /// How long the run had been under way at this moment.
    pub(super) fn since_begin(&self, at: SystemTime) -> Duration {
        let passed = self.stretches.iter().map(|stretch| {
            let until = at.min(stretch.until);
            until.duration_since(stretch.began).unwrap_or_default()
        });
        passed.sum()
    }

    /// Where a span lies.
    pub(super) fn piece(&self, span: Stretch) -> Piece {
        let (from, to) = (self.place(span.began), self.place(span.until));
        let width = to.saturating_sub(from).max(LEAST);
        Piece { x: from.min(WIDTH.saturating_sub(width)), width }
    }

    /// Where the run was resumed.
    pub(super) fn breaks(&self) -> impl Iterator<Item = u64> {
        self.stretches.iter().skip(1).map(|stretch| self.place(stretch.began))
    }

    fn place(&self, at: SystemTime) -> u64 {
        let total = self.total.as_micros().max(1);
        let passed = self.since_begin(at).as_micros();
        u64::try_from(passed * u128::from(WIDTH) / total).unwrap_or(WIDTH).min(WIDTH)
    }
}

#[cfg(test)]
mod tests;
