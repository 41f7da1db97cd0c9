//! Runs, counted.

use std::{fmt, time::Duration};

use awf_core::{RunStatus, RunSummary};
use serde::Serialize;

use crate::{commands::history::duration, moment};

/// How many runs stand how, and how long those that ended took. Stable once shipped.
///
/// ```json
/// {"total": 4, "success": 2, "failed": 1, "cancelled": 0, "interrupted": 1, "running": 0,
///  "duration_ms": {"shortest": 900, "mean": 1200, "longest": 1500}}
/// ```
/// `duration_ms` is `null` when no run has ended.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Stats {
    total: usize,
    success: usize,
    failed: usize,
    cancelled: usize,
    interrupted: usize,
    running: usize,
    #[serde(rename = "duration_ms")]
    durations: Option<Durations>,
}

/// In milliseconds.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Durations {
    shortest: u64,
    mean: u64,
    longest: u64,
}

impl Stats {
    pub(super) fn of(runs: &[RunSummary]) -> Self {
        let count = |status| runs.iter().filter(|run| run.status == status).count();
        Self {
            total: runs.len(),
            success: count(RunStatus::Success),
            failed: count(RunStatus::Failed),
            cancelled: count(RunStatus::Cancelled),
            interrupted: count(RunStatus::Interrupted),
            running: count(RunStatus::Running),
            durations: Durations::of(runs.iter().filter_map(duration)),
        }
    }
}

impl Durations {
    fn of(spans: impl Iterator<Item = Duration>) -> Option<Self> {
        let spans: Vec<u64> =
            spans.map(|span| u64::try_from(span.as_millis()).unwrap_or(u64::MAX)).collect();
        let sum = spans.iter().fold(0_u64, |sum, span| sum.saturating_add(*span));
        Some(Self {
            shortest: *spans.iter().min()?,
            mean: sum.checked_div(spans.len() as u64)?,
            longest: *spans.iter().max()?,
        })
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            ("Runs", self.total),
            ("  success", self.success),
            ("  failed", self.failed),
            ("  cancelled", self.cancelled),
            ("  interrupted", self.interrupted),
            ("  running", self.running),
        ];
        for (label, count) in counts {
            writeln!(f, "{:<15}{count}", format!("{label}:"))?;
        }
        let Some(Durations { shortest, mean, longest }) = self.durations else { return Ok(()) };
        for (label, millis) in [("Shortest", shortest), ("Mean", mean), ("Longest", longest)] {
            let span = moment::elapsed(Duration::from_millis(millis));
            writeln!(f, "{:<15}{span}", format!("{label}:"))?;
        }
        Ok(())
    }
}
