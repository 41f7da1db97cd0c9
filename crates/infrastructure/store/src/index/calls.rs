//! Rows of the index: a call's columns, and where its start and its end stand.

use std::collections::HashSet;

use awf_core::{CallStarted, Outcome, Status};
use rusqlite::{Transaction, params};

use crate::{
    index::follow::{End, Spot},
    wire::nanos,
};

/// Notes a call. Should an id come twice, the first one counts.
pub(super) fn insert_start(
    transaction: &Transaction<'_>,
    spot: &Spot,
    started: &CallStarted,
) -> rusqlite::Result<()> {
    let status = match started.outcome {
        Outcome::Allow | Outcome::Warn => Status::Started,
        Outcome::Deny(_) => Status::Denied,
    };
    let mut insert = transaction.prepare_cached(
        "INSERT OR IGNORE INTO calls (id, started_at, run, step, surface, server, tool, operation, status, request_id,
             start_segment, start_offset, start_bytes, start_sum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        started.id.to_string(),
        nanos(started.at),
        started.run,
        started.step,
        started.surface.as_str(),
        started.server,
        started.tool,
        started.intent.as_ref().map(|intent| intent.operation.as_str()),
        status.as_str(),
        started.request_id,
        spot.segment,
        spot.offset,
        spot.bytes,
        spot.sum,
    ])?;
    Ok(())
}

/// Notes how a call ended. The end of a call whose start could not be written belongs to no record.
pub(super) fn insert_end(
    transaction: &Transaction<'_>,
    End { id, status, spot }: &End,
) -> rusqlite::Result<()> {
    let mut update = transaction.prepare_cached(
        "UPDATE calls SET status = ?, end_segment = ?, end_offset = ?, end_bytes = ?, end_sum = ? WHERE id = ?",
    )?;
    update.execute(params![
        status.as_str(),
        spot.segment,
        spot.offset,
        spot.bytes,
        spot.sum,
        id.to_string(),
    ])?;
    Ok(())
}

/// Calls that never ended, of writers that are gone, were interrupted.
pub(super) fn note_interrupted(
    transaction: &Transaction<'_>,
    alive: &HashSet<String>,
) -> rusqlite::Result<()> {
    let mut select = transaction.prepare_cached(
        "SELECT DISTINCT writer FROM calls JOIN segments ON number = start_segment WHERE status = ?",
    )?;
    let writers: Vec<String> = select
        .query_map([Status::Started.as_str()], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for writer in writers.iter().filter(|writer| !alive.contains(*writer)) {
        transaction.execute(
            "UPDATE calls SET status = ? WHERE status = ? AND start_segment IN
                 (SELECT number FROM segments WHERE writer = ?)",
            params![Status::Interrupted.as_str(), Status::Started.as_str(), writer],
        )?;
    }
    Ok(())
}
