//! What was done, when, by whom, with which intent: events as they happen, records as they are read, and the log's port.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use async_trait::async_trait;
use ulid::{Generator, Overflow, Ulid};

use crate::{
    intent::{Declaration, Operation, RefusalCode, Variant, Warning},
    json::RawJson,
    tool::{CallSurface, ClientIdentity},
};

mod document;
mod export;
mod filter;
mod news;
mod retention;
mod summary;

pub(crate) use document::{DecisionDocument, WarningDocument};
pub use document::{PageDocument, RecordDocument};
pub use export::{EXPORT_PAGE, ExportFormat};
pub use filter::{ActivityFilter, ActivityPage, Cursor, Damage, PAGE_DEFAULT, PAGE_MAX};
pub use news::{ActivityNews, Over, Place};
pub use retention::Retention;
pub use summary::{
    ActivitySummary, Durations, SUMMARY_TOP, ServerCount, SummaryDocument, ToolCount,
};

/// The last id of this process.
static LAST: Mutex<Generator> = Mutex::new(Generator::new());

/// Names one call for good: sortable by time, unique across processes, and within one process in the order of making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivityId(Ulid);

impl ActivityId {
    /// A new id, larger than all that this process made before: within a millisecond, or when the clock goes back, it is
    /// the last one plus one.
    pub fn generate() -> Self {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let next = last.generate();
        Self(next.unwrap_or_else(Overflow::commit_overflow_increment))
    }

    /// Reads the 26 characters of a ULID.
    pub fn parse(text: &str) -> Option<Self> {
        Ulid::from_string(text).ok().map(Self)
    }
}

impl fmt::Display for ActivityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Something that happened to a call. A call's start is logged before it is dispatched, its end before it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityEvent {
    /// The call was taken up, or refused.
    Started(Box<CallStarted>),
    /// The call is over.
    Ended(Box<CallEnded>),
}

impl ActivityEvent {
    /// The call it belongs to.
    pub fn id(&self) -> ActivityId {
        match self {
            Self::Started(event) => event.id,
            Self::Ended(event) => event.id,
        }
    }

    /// When it happened.
    pub fn at(&self) -> SystemTime {
        match self {
            Self::Started(event) => event.at,
            Self::Ended(event) => event.at,
        }
    }
}

/// A call is taken up, or refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallStarted {
    /// The call.
    pub id: ActivityId,
    /// When.
    pub at: SystemTime,
    /// Ties record, answer and log line together.
    pub request_id: String,
    /// The surface it came in by.
    pub surface: CallSurface,
    /// The half before the colon; empty when the tool is unknown.
    pub server: String,
    /// The tool as called.
    pub tool: String,
    /// The variant, on the intent surface.
    pub variant: Option<Variant>,
    /// What was declared or derived; of a refused declaration what can be understood. Absent for a call by name that leads
    /// to no tool.
    pub intent: Option<Declaration>,
    /// What was decided.
    pub outcome: Outcome,
    /// What was let through but should be seen.
    pub warnings: Vec<Warning>,
    /// The arguments, redacted and capped.
    pub arguments: Captured,
    /// The run it belongs to.
    pub run: Option<String>,
    /// The step it belongs to.
    pub step: Option<String>,
    /// The connection it belongs to.
    pub session: Option<String>,
    /// The trace it belongs to.
    pub trace_id: Option<String>,
    /// The calling program.
    pub client: Option<ClientIdentity>,
}

impl CallStarted {
    /// What the call does, as far as known: what cannot be told counts as destructive.
    pub fn operation(&self) -> Operation {
        self.intent.as_ref().map_or(Operation::Destructive, |intent| intent.operation)
    }
}

/// A call is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEnded {
    /// The call.
    pub id: ActivityId,
    /// When.
    pub at: SystemTime,
    /// How.
    pub status: Status,
    /// How long it took, by the monotonic clock.
    pub duration_ms: u64,
    /// What it gave back, redacted and capped.
    pub response: Option<Captured>,
    /// What went wrong, in one line.
    pub error: Option<String>,
}

/// What was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It may go ahead.
    Allow,
    /// It may go ahead, with warnings.
    Warn,
    /// It may not.
    Deny(RefusalCode),
}

impl Outcome {
    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny(_) => "deny",
        }
    }

    /// Why it may not go ahead, if so.
    pub fn refusal(self) -> Option<RefusalCode> {
        match self {
            Self::Allow | Self::Warn => None,
            Self::Deny(code) => Some(code),
        }
    }
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Taken up; its process still runs.
    Started,
    /// Done.
    Success,
    /// Done, and the tool reports a failure, or the host broke.
    Error,
    /// Refused.
    Denied,
    /// Cancelled, or its process died before the end.
    Interrupted,
    /// An agent used a tool of its own, past the proxy that was to be its only source: seen, not judged.
    Bypassed,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 6] = [
        Self::Started,
        Self::Success,
        Self::Error,
        Self::Denied,
        Self::Interrupted,
        Self::Bypassed,
    ];

    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Success => "success",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Interrupted => "interrupted",
            Self::Bypassed => "bypassed",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A JSON value as it is kept: redacted, and cut when it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Captured {
    /// All of it.
    Whole(RawJson),
    /// The beginning of its text.
    Cut {
        /// As much as is kept.
        head: String,
        /// How long the text was, in bytes.
        full_bytes: usize,
    },
}

/// One call, as it is read back: its start, and its end if it had one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityRecord {
    /// How it began.
    pub started: CallStarted,
    /// Where it stands.
    pub status: Status,
    /// How it ended, unless it still runs or its process died.
    pub ended: Option<CallEnded>,
}

/// Why the log could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ActivityError {
    /// The event is not on disk.
    #[error("cannot write the activity journal at `{place}`: {reason}")]
    Write {
        /// The file or directory.
        place: String,
        /// What the system said.
        reason: String,
    },
    /// The log cannot be read.
    #[error("cannot read the activity log at `{place}`: {reason}")]
    Read {
        /// The file or directory.
        place: String,
        /// What the system said.
        reason: String,
    },
    /// A newer awf wrote it; it is left as it is.
    #[error(
        "the activity log at `{place}` was written by a newer awf: it has format {found}, this one knows up to {known}"
    )]
    Newer {
        /// The file.
        place: String,
        /// Its format.
        found: u32,
        /// The newest format this program knows.
        known: u32,
    },
}

/// Where events go and records come from.
#[async_trait]
pub trait ActivityLog: Send + Sync {
    /// Returns when the event would survive the death of this process.
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError>;
    /// Records that match, newest first.
    async fn query(&self, filter: &ActivityFilter) -> Result<ActivityPage, ActivityError>;
    /// How many records match, whatever the filter's page; by what they are asked about most.
    async fn summary(&self, filter: &ActivityFilter) -> Result<ActivitySummary, ActivityError>;
    /// Matching calls that are over since `after`: each is told once, none is left out. `None` is from now on, and tells
    /// none.
    async fn news(
        &self,
        filter: &ActivityFilter,
        after: Option<Place>,
    ) -> Result<ActivityNews, ActivityError>;
}

#[cfg(test)]
mod tests;
