//! Rows of the index: a call's columns, and where its start and its end stand.

use std::collections::HashSet;

use awf_core::{CallStarted, Outcome, Status};
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::{
    index::{
        drift::Drift,
        follow::{End, Spot},
        kinds::Kinds,
    },
    wire::nanos,
};

/// What is known of the calls while the journal is read on.
pub(super) struct Entering {
    pub(super) kinds: Kinds,
    pub(super) drift: Drift,
    pub(super) ends: Vec<End>,
}

/// Notes a call. Should an id come twice, the first one counts.
pub(super) fn insert_start(
    transaction: &Transaction<'_>,
    entering: &mut Entering,
    spot: &Spot,
    started: &CallStarted,
) -> rusqlite::Result<()> {
    let status = match started.outcome {
        Outcome::Allow | Outcome::Warn => Status::Started,
        Outcome::Deny(_) => Status::Denied,
    };
    let kind = entering.kinds.of(transaction, started, status)?;
    let at = nanos(started.at);
    entering.drift.note(started.id, at);
    let mut insert = transaction.prepare_cached(
        "INSERT OR IGNORE INTO calls (id, started_at, run, step, kind, request_id,
             start_segment, start_offset, start_bytes, start_sum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        started.id.to_string(),
        at,
        started.run,
        started.step,
        kind,
        started.request_id,
        spot.segment,
        spot.offset,
        spot.bytes,
        spot.sum,
    ])?;
    Ok(())
}

/// The numbers of calls that are over, given in the order in which that is seen.
pub(super) struct Numbers {
    last: i64,
}

impl Numbers {
    pub(super) fn read(transaction: &Transaction<'_>) -> rusqlite::Result<Self> {
        let last =
            transaction
                .query_row("SELECT value FROM numbers WHERE what = 'over'", (), |row| row.get(0))?;
        Ok(Self { last })
    }

    fn next(&mut self) -> i64 {
        self.last += 1;
        self.last
    }

    pub(super) fn keep(self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let mut update = transaction
            .prepare_cached("UPDATE numbers SET value = ?1 WHERE what = 'over' AND value <> ?1")?;
        update.execute([self.last])?;
        Ok(())
    }
}

/// Notes how a call ended; should it end twice, the first one counts. The end of a call whose start could not be written
/// belongs to no record.
pub(super) fn insert_end(
    transaction: &Transaction<'_>,
    kinds: &mut Kinds,
    numbers: &mut Numbers,
    End { id, status, duration_ms, spot, .. }: &End,
) -> rusqlite::Result<()> {
    let id = id.to_string();
    let mut open =
        transaction.prepare_cached("SELECT kind FROM calls WHERE id = ? AND over IS NULL")?;
    let Some(kind) = open.query_row([&id], |row| row.get(0)).optional()? else { return Ok(()) };
    let kind = kinds.turned(transaction, kind, *status)?;
    let mut update = transaction.prepare_cached(
        "UPDATE calls SET kind = ?, took = ?, over = coalesce((SELECT over FROM kept WHERE kept.id = calls.id), ?),
             end_segment = ?, end_offset = ?, end_bytes = ?, end_sum = ?
         WHERE id = ?",
    )?;
    update.execute(params![
        kind,
        took(*duration_ms),
        numbers.next(),
        spot.segment,
        spot.offset,
        spot.bytes,
        spot.sum,
        id,
    ])?;
    Ok(())
}

/// A duration to its four highest bits: few enough of them to count calls by.
pub(super) fn took(duration_ms: u64) -> i64 {
    let low_bits = (u64::BITS - duration_ms.leading_zeros()).saturating_sub(4);
    i64::try_from(duration_ms >> low_bits << low_bits).unwrap_or(i64::MAX)
}

/// Forgets the calls of segments that were removed, and tells how many segments that were.
pub(super) fn forget_removed(transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
    const GONE: &str = "SELECT number FROM segments WHERE removed = 1 AND bytes > 0";
    let any: bool =
        transaction.query_row(&format!("SELECT EXISTS ({GONE})"), (), |row| row.get(0))?;
    if !any {
        return Ok(0);
    }
    transaction.execute(&format!("DELETE FROM calls WHERE start_segment IN ({GONE})"), ())?;
    transaction.execute(
        &format!(
            "UPDATE calls SET end_segment = NULL, end_offset = NULL, end_bytes = NULL, end_sum = NULL
             WHERE end_segment IN ({GONE})"
        ),
        (),
    )?;
    transaction.execute_batch(
        "DELETE FROM tally WHERE calls = 0;
         DELETE FROM kinds WHERE NOT EXISTS (SELECT 1 FROM calls WHERE kind = kinds.number);",
    )?;
    transaction.execute(
        "UPDATE segments SET bytes = 0, tail = x'', damaged_at = NULL WHERE removed = 1 AND bytes > 0",
        (),
    )
}

/// Calls that never ended, of writers that are gone, were interrupted; those that were refused are over all the same.
pub(super) fn note_interrupted(
    transaction: &Transaction<'_>,
    kinds: &mut Kinds,
    numbers: &mut Numbers,
    alive: &HashSet<String>,
) -> rusqlite::Result<()> {
    let mut select = transaction.prepare_cached(
        "SELECT id, writer, kind, status FROM calls INDEXED BY calls_over
             CROSS JOIN segments ON segments.number = start_segment CROSS JOIN kinds ON kinds.number = kind
         WHERE over IS NULL",
    )?;
    let open: Vec<(String, String, i64, String)> = select
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut update = transaction.prepare_cached(
        "UPDATE calls SET kind = ?,
             over = coalesce((SELECT over FROM kept WHERE kept.id = calls.id), ?)
         WHERE id = ?",
    )?;
    for (id, _, kind, status) in open.into_iter().filter(|(_, writer, ..)| !alive.contains(writer))
    {
        let kind = if status == Status::Started.as_str() {
            kinds.turned(transaction, kind, Status::Interrupted)?
        } else {
            kind
        };
        update.execute(params![kind, numbers.next(), id])?;
    }
    Ok(())
}
