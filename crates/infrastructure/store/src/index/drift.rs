//! How far the ids of calls are from their times. An id begins with the time at which it was made, and is never smaller than
//! the one before: when the clock is put back, ids stay ahead of it. As long as the widest gap is known, a range of
//! times is a range of ids, and needs no index of its own.

use awf_core::{ActivityFilter, ActivityId};
use rusqlite::{Connection, params};
use ulid::Ulid;

use crate::wire::nanos;

const MILLISECOND: i64 = 1_000_000;

/// The widest gaps between the times of all calls and those of their ids, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Drift {
    /// How far an id was ahead of its call.
    ahead: i64,
    /// How far an id was behind its call.
    behind: i64,
}

impl Drift {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut select = connection.prepare_cached(
            "SELECT (SELECT value FROM numbers WHERE what = 'ahead'), (SELECT value FROM numbers WHERE what = 'behind')",
        )?;
        select.query_row((), |row| Ok(Self { ahead: row.get(0)?, behind: row.get(1)? }))
    }

    /// Takes one more call into account.
    pub(super) fn note(&mut self, id: ActivityId, at: i64) {
        let made = Ulid::from_string(&id.to_string()).map_or(0, |id| id.timestamp_ms());
        let made = i64::try_from(made).unwrap_or(i64::MAX).saturating_mul(MILLISECOND);
        self.ahead = self.ahead.max(made.saturating_sub(at));
        self.behind = self.behind.max(at.saturating_sub(made));
    }

    pub(super) fn keep(self, connection: &Connection) -> rusqlite::Result<()> {
        let mut update = connection
            .prepare_cached("UPDATE numbers SET value = ?2 WHERE what = ?1 AND value <> ?2")?;
        update.execute(params!["ahead", self.ahead])?;
        update.execute(params!["behind", self.behind])?;
        Ok(())
    }

    /// No call that began at `since` or later has a smaller id.
    pub(super) fn first_id(self, filter: &ActivityFilter) -> Option<String> {
        filter.since.map(|since| id_at(nanos(since).saturating_sub(self.behind)))
    }

    /// Every call that began before `until` has a smaller id.
    pub(super) fn last_id(self, filter: &ActivityFilter) -> Option<String> {
        filter.until.map(|until| self.beyond(nanos(until)))
    }

    /// Every call that began at this time or before has a smaller id.
    pub(super) fn beyond(self, at: i64) -> String {
        id_at(at.saturating_add(self.ahead).saturating_add(MILLISECOND))
    }
}

/// The smallest id of a moment.
fn id_at(nanos: i64) -> String {
    let milliseconds = u64::try_from(nanos.div_euclid(MILLISECOND)).unwrap_or_default();
    Ulid::from_parts(milliseconds, 0).to_string()
}

#[cfg(test)]
mod tests;
