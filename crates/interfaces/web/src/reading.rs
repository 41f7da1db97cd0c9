//! A run as it can be looked at: its journal and its calls, bounded, with what is missing said.

use std::time::SystemTime;

use awf_core::{
    ActivityError, ActivityFilter, ActivityLog, ActivityRecord, Captured, Loss, Outline, PAGE_MAX,
    RunDocument, RunId, RunJournal, RunJournalError, RunSummary, RunTimelineDocument, Shortfall,
    Timeline,
};

/// Calls that are read, the newest.
const MOST_CALLS: usize = 1_000;
/// Bytes that are kept of the arguments and of the answer of a call. The record has more.
const KEPT: usize = 4 << 10;

/// A run, read.
pub struct RunReading {
    summary: RunSummary,
    outline: Outline,
    calls: Vec<ActivityRecord>,
    short: Shortfall,
    now: SystemTime,
}

impl RunReading {
    /// Reads a run. A log that cannot be read leaves the calls out, and says so.
    pub async fn of(
        run: RunId,
        journal: &dyn RunJournal,
        log: Option<&dyn ActivityLog>,
        now: SystemTime,
    ) -> Result<Self, RunJournalError> {
        let summary = journal.summary(run).await?;
        let outline = journal.outline(run).await?;
        let (calls, left_out, trouble) = match log {
            None => (Vec::new(), 0, Some("the activity log is switched off".to_owned())),
            Some(log) => match calls_of(run, log).await {
                Ok((calls, left_out)) => (calls, left_out, None),
                Err(error) => (Vec::new(), 0, Some(error.to_string())),
            },
        };
        let short = Shortfall { calls: left_out, log: trouble, loss: outline.loss.clone() };
        let reading = Self { summary, outline, calls, short, now };
        match reading.timeline() {
            Some(_) => Ok(reading),
            None => Err(headless(run)),
        }
    }

    /// The run as it went; `None` where its journal lacks its beginning, which [`Self::of`] has seen to.
    pub(crate) fn timeline(&self) -> Option<Timeline<'_>> {
        Timeline::of(&self.outline.events, &self.calls, self.summary.status, self.now)
    }

    pub(crate) fn short(&self) -> &Shortfall {
        &self.short
    }

    /// When it was read.
    pub(crate) fn now(&self) -> SystemTime {
        self.now
    }

    pub(crate) fn document(&self) -> Option<RunTimelineDocument<'_>> {
        Some(RunTimelineDocument::new(&self.timeline()?, &self.short))
    }
}

/// A run in a list, with what its journal has in numbers.
pub(crate) struct RunRow {
    pub(crate) summary: RunSummary,
    outline: Outline,
    now: SystemTime,
}

impl RunRow {
    /// Reads the journal of a run. One that cannot be read is a row all the same.
    pub(crate) async fn of(summary: RunSummary, journal: &dyn RunJournal, now: SystemTime) -> Self {
        let outline = match journal.outline(summary.id).await {
            Ok(outline) => outline,
            Err(error) => Outline { events: Vec::new(), loss: Some(loss(error)) },
        };
        Self { summary, outline, now }
    }

    pub(crate) fn timeline(&self) -> Option<Timeline<'_>> {
        Timeline::of(&self.outline.events, &[], self.summary.status, self.now)
    }

    pub(crate) fn loss(&self) -> Option<&Loss> {
        self.outline.loss.as_ref()
    }

    pub(crate) fn document(&self) -> RunDocument<'_> {
        RunDocument::of(&self.summary, self.timeline().as_ref(), self.loss())
    }
}

fn loss(error: RunJournalError) -> Loss {
    match error {
        RunJournalError::Damaged { line, message, .. } => Loss::Damaged { line, message },
        error @ (RunJournalError::NotFound(_)
        | RunJournalError::Active(_)
        | RunJournalError::Io { .. }) => Loss::Damaged { line: 1, message: error.to_string() },
    }
}

fn headless(run: RunId) -> RunJournalError {
    let message = "it does not begin with the beginning of a run".to_owned();
    RunJournalError::Damaged { run, line: 1, message }
}

/// The newest calls of a run, and how many more there are.
async fn calls_of(
    run: RunId,
    log: &dyn ActivityLog,
) -> Result<(Vec<ActivityRecord>, u64), ActivityError> {
    let mut filter =
        ActivityFilter { run: Some(run.to_string()), limit: PAGE_MAX, ..ActivityFilter::default() };
    let mut calls = Vec::new();
    loop {
        let page = log.query(&filter).await?;
        calls.extend(page.records.into_iter().map(brief));
        filter.cursor = page.next;
        match filter.cursor {
            None => return Ok((calls, 0)),
            Some(_) if calls.len() >= MOST_CALLS => break,
            Some(_) => {}
        }
    }
    let total = log.summary(&filter).await?.total;
    let left_out = total.saturating_sub(u64::try_from(calls.len()).unwrap_or(u64::MAX));
    Ok((calls, left_out))
}

/// A record with no more of its values than is shown.
fn brief(mut record: ActivityRecord) -> ActivityRecord {
    cut(&mut record.started.arguments);
    if let Some(response) = record.ended.as_mut().and_then(|ended| ended.response.as_mut()) {
        cut(response);
    }
    record
}

fn cut(captured: &mut Captured) {
    let (text, full_bytes) = match captured {
        Captured::Whole(raw) => (raw.get(), raw.get().len()),
        Captured::Cut { head, full_bytes } => (head.as_str(), *full_bytes),
    };
    if text.len() > KEPT {
        let head = text.get(..text.floor_char_boundary(KEPT)).unwrap_or_default().to_owned();
        *captured = Captured::Cut { head, full_bytes };
    }
}
