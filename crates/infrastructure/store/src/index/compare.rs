//! Holds the index against one made anew from the journal: whether it hides a call, has one too many, or tells of one what
//! is not so. Nothing is changed.

use awf_core::ActivityError;
use rusqlite::Connection;

use crate::{
    error::cannot_read,
    index::{
        Trouble,
        follow::{Sealing, follow},
        is_spoilt,
        schema::{self, PATIENCE, VERSION},
    },
    layout::Layout,
};

/// Both as calls with all that is told of them, the numbers of segments and kinds replaced by what they stand for.
const VIEW: &str = "
    SELECT calls.id, started_at, run, step, request_id, server, tool, surface, operation, status, took, over,
        begun.name AS start_name, start_offset, start_bytes, start_sum, ended.name AS end_name, end_offset, end_bytes, end_sum
    FROM $.calls JOIN $.kinds ON kinds.number = kind JOIN $.segments AS begun ON begun.number = start_segment
        LEFT JOIN $.segments AS ended ON ended.number = end_segment";

/// Calls that stand in what the index has read, and that it does not have as they are. One that it holds to be under way may
/// have ended in what it has not read, or with its writer.
const HIDDEN: &str = "
    SELECT count(*) FROM fresh JOIN kept.segments AS begun ON begun.name = fresh.start_name
        LEFT JOIN kept.segments AS ended ON ended.name = fresh.end_name
    WHERE fresh.start_offset < begun.bytes AND NOT EXISTS (
        SELECT 1 FROM held WHERE held.id = fresh.id
            AND (held.started_at, held.run, held.step, held.request_id, held.server, held.tool, held.surface, held.operation)
                IS (fresh.started_at, fresh.run, fresh.step, fresh.request_id, fresh.server, fresh.tool, fresh.surface, fresh.operation)
            AND (held.start_name, held.start_offset, held.start_bytes, held.start_sum)
                IS (fresh.start_name, fresh.start_offset, fresh.start_bytes, fresh.start_sum)
            AND ((held.status, held.took, held.end_name, held.end_offset, held.end_bytes, held.end_sum)
                IS (fresh.status, fresh.took, fresh.end_name, fresh.end_offset, fresh.end_bytes, fresh.end_sum)
                OR (held.over IS NULL AND (fresh.end_name IS NULL OR fresh.end_offset >= coalesce(ended.bytes, 0)))))";

/// Calls that the journal does not have, unless they went with their segment since.
const ADDED: &str = "
    SELECT count(*) FROM held LEFT JOIN main.segments ON segments.name = held.start_name
    WHERE coalesce(removed, 0) = 0 AND NOT EXISTS (SELECT 1 FROM main.calls WHERE calls.id = held.id)";

/// Numbers of a summary that are not those of the calls beside them.
const MISCOUNTED: &str = "
    WITH counted AS (
        SELECT started_at / 86400000000000 AS day, kind, coalesce(took, -1) AS took, count(*) AS calls
            FROM kept.calls WHERE over IS NOT NULL GROUP BY 1, 2, 3
        UNION ALL SELECT -1000000, kind, coalesce(took, -1) AS took, count(*)
            FROM kept.calls WHERE over IS NOT NULL GROUP BY 2, 3),
    told AS (SELECT day, kind, took, calls FROM kept.tally WHERE calls <> 0)
    SELECT (SELECT count(*) FROM (SELECT * FROM counted EXCEPT SELECT * FROM told))
        + (SELECT count(*) FROM (SELECT * FROM told EXCEPT SELECT * FROM counted))";

/// In how many places the index is not what the journal says; none where there is no index, or one that the next query
/// makes anew.
pub(crate) fn strays(layout: &Layout) -> Result<u64, ActivityError> {
    if !layout.index().is_file() {
        return Ok(0);
    }
    match count(layout) {
        Ok(strays) => Ok(strays),
        Err(Trouble::Sql(error)) if !is_spoilt(&error) && !Trouble::is_closing(&error) => {
            Err(cannot_read(&layout.index(), &error))
        }
        Err(Trouble::Sql(_) | Trouble::Closed(_) | Trouble::Disagrees) => Ok(0),
        Err(Trouble::Journal(error)) => Err(error),
    }
}

fn count(layout: &Layout) -> Result<u64, Trouble> {
    let mut connection = schema::passing()?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute("ATTACH ? AS kept", [layout.index().to_string_lossy()])?;
    let version: u32 =
        connection.pragma_query_value(Some("kept"), "user_version", |row| row.get(0))?;
    if version != VERSION {
        return Ok(0);
    }
    let transaction = connection.transaction()?;
    for (name, of) in [("fresh", "main"), ("held", "kept")] {
        transaction
            .execute_batch(&format!("CREATE TEMP VIEW {name} AS {}", VIEW.replace('$', of)))?;
    }
    // Looked at before the journal is read: what is seen of the index from here on is older than that.
    let miscounted = number(&transaction, MISCOUNTED)?;
    follow(&transaction, layout, Sealing::Nothing)?;
    Ok(miscounted + number(&transaction, HIDDEN)? + number(&transaction, ADDED)?)
}

fn number(connection: &Connection, sql: &str) -> rusqlite::Result<u64> {
    connection.query_row(sql, (), |row| row.get(0))
}
