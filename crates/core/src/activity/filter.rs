//! Which records are asked for, and the page that answers.

use std::{fmt, time::SystemTime};

use crate::{
    activity::{ActivityId, ActivityRecord, Status},
    intent::Operation,
    tool::CallSurface,
};

/// Records on a page when nothing is said.
pub const PAGE_DEFAULT: usize = 50;
/// Records on a page at most.
pub const PAGE_MAX: usize = 100;

/// Which records are asked for. An absent field matches everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityFilter {
    /// This one record.
    pub id: Option<ActivityId>,
    /// Started at or after.
    pub since: Option<SystemTime>,
    /// Started before.
    pub until: Option<SystemTime>,
    /// Of this run.
    pub run: Option<String>,
    /// Of this step.
    pub step: Option<String>,
    /// Come in by this surface.
    pub surface: Option<CallSurface>,
    /// Of this server (`builtin`, a plugin, an upstream).
    pub server: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// With this operation, declared or derived.
    pub operation: Option<Operation>,
    /// In this state.
    pub status: Option<Status>,
    /// With this request id.
    pub request_id: Option<String>,
    /// Records on the page; see [`PAGE_MAX`].
    pub limit: usize,
    /// Continue after this place.
    pub cursor: Option<Cursor>,
}

impl ActivityFilter {
    /// Whether a record is asked for, its page aside. The index answers the same in SQL.
    pub fn matches(&self, record: &ActivityRecord) -> bool {
        let Self {
            id,
            since,
            until,
            run,
            step,
            surface,
            server,
            tool,
            operation,
            status,
            request_id,
            limit: _,
            cursor: _,
        } = self;
        let started = &record.started;
        same(id.as_ref(), Some(&started.id))
            && since.is_none_or(|since| started.at >= since)
            && until.is_none_or(|until| started.at < until)
            && same(run.as_ref(), started.run.as_ref())
            && same(step.as_ref(), started.step.as_ref())
            && same(surface.as_ref(), Some(&started.surface))
            && same(server.as_ref(), Some(&started.server))
            && same(tool.as_ref(), Some(&started.tool))
            && same(operation.as_ref(), started.intent.as_ref().map(|intent| &intent.operation))
            && same(status.as_ref(), Some(&record.status))
            && same(request_id.as_ref(), Some(&started.request_id))
    }
}

impl Default for ActivityFilter {
    fn default() -> Self {
        Self {
            id: None,
            since: None,
            until: None,
            run: None,
            step: None,
            surface: None,
            server: None,
            tool: None,
            operation: None,
            status: None,
            request_id: None,
            limit: PAGE_DEFAULT,
            cursor: None,
        }
    }
}

fn same<T: PartialEq>(wanted: Option<&T>, found: Option<&T>) -> bool {
    wanted.is_none() || wanted == found
}

/// Where a page ended: the id of its last record. Ids sort by time, so the next page holds smaller ids only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(pub ActivityId);

/// Records, newest first, and where to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityPage {
    /// The records.
    pub records: Vec<ActivityRecord>,
    /// Present when more records match.
    pub next: Option<Cursor>,
    /// What the log holds and cannot show.
    pub damage: Vec<Damage>,
}

/// A file of the log that is no longer as it was written. What stands before the damage is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub place: String,
    /// The byte from which on nothing is shown; `None` when there is no file any more.
    pub offset: Option<u64>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match self.offset {
            Some(offset) => {
                write!(
                    f,
                    "`{place}` is damaged from byte {offset} on; what stands behind is left out"
                )
            }
            None => write!(f, "`{place}` was deleted, and its calls are missing"),
        }
    }
}
