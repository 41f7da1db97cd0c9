//! Counts calls without going through them: whole days are counted already, and only what a day does not tell is looked up.

use std::time::SystemTime;

use awf_core::{
    ActivityFilter, ActivitySummary, Durations, Operation, SUMMARY_TOP, ServerCount, Status,
    ToolCount,
};
use rusqlite::{Connection, OptionalExtension as _, Row, params_from_iter};

use crate::{
    index::{
        Trouble,
        drift::Drift,
        schema::{DAY, EVER},
        search::{Select, Wanted},
    },
    wire::{nanos, time},
};

/// What is counted, from the calls themselves.
const OF_CALLS: &str = "SELECT kind, coalesce(took, -1) AS took, 1 AS calls,
    started_at AS first, started_at AS last FROM calls";
/// The same, from what is counted already.
const OF_DAYS: &str = "SELECT kind, took, calls, first, last FROM tally";

/// Counts the calls that match.
pub(super) fn summary(
    connection: &Connection,
    filter: &ActivityFilter,
) -> Result<ActivitySummary, Trouble> {
    let drift = Drift::read(connection)?;
    let Select { sql, values } = select(filter, drift);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(&values))?;
    let (mut summary, mut took) = (ActivitySummary::default(), Vec::new());
    while let Some(row) = rows.next()? {
        enter(&mut summary, &mut took, row)?;
    }
    summary.durations = durations(&took);
    // Days may still tell of a first call that is no longer kept.
    let oldest = oldest(connection, drift)?;
    summary.first = summary.first.max(oldest.map(time).filter(|_| summary.total > 0));
    Ok(summary)
}

/// When the first of all calls began. The one with the smallest id tells how far it is worth looking.
fn oldest(connection: &Connection, drift: Drift) -> rusqlite::Result<Option<i64>> {
    let first = "SELECT started_at FROM calls ORDER BY id LIMIT 1";
    let Some(at) = connection.query_row(first, (), |row| row.get(0)).optional()? else {
        return Ok(None);
    };
    let beyond = drift.beyond(at);
    connection
        .query_row("SELECT min(started_at) FROM calls WHERE id < ?", [beyond], |row| row.get(0))
}

/// One statement, so that all numbers are of one moment.
pub(super) fn select(filter: &ActivityFilter, drift: Drift) -> Select {
    let Select { sql: parts, values } = parts(filter, drift);
    let sql = format!(
        "WITH counted AS MATERIALIZED (
            SELECT kind, took, sum(calls) AS calls, min(first) AS first, max(last) AS last
            FROM ({parts}) WHERE calls > 0 GROUP BY kind, took),
        found AS MATERIALIZED (
            SELECT server, tool, operation, status, calls, first, last
            FROM (SELECT kind, sum(calls) AS calls, min(first) AS first, max(last) AS last FROM counted GROUP BY kind) AS each
            CROSS JOIN kinds ON kinds.number = each.kind)
        SELECT 'span', min(first), max(last), coalesce(sum(calls), 0) FROM found
        UNION ALL SELECT 'status', status, NULL, sum(calls) FROM found GROUP BY status
        UNION ALL SELECT 'operation', operation, NULL, sum(calls) FROM found GROUP BY operation
        UNION ALL SELECT * FROM (SELECT 'server', server, NULL, sum(calls) AS calls FROM found
            GROUP BY server ORDER BY calls DESC, server LIMIT {SUMMARY_TOP})
        UNION ALL SELECT * FROM (SELECT 'tool', server, tool, sum(calls) AS calls FROM found
            GROUP BY server, tool ORDER BY calls DESC, server, tool LIMIT {SUMMARY_TOP})
        UNION ALL SELECT * FROM (SELECT 'took', took, NULL, sum(calls) FROM counted WHERE took >= 0
            GROUP BY took ORDER BY took)"
    );
    Select { sql, values }
}

/// Everything that matches, each call once: days that lie within the time asked for, their ragged ends, and calls that
/// still run.
fn parts(filter: &ActivityFilter, drift: Drift) -> Select {
    let Some((from, to)) = whole_days(filter) else {
        return Wanted::by(filter, drift).select(OF_CALLS, "");
    };
    let any_time = ActivityFilter { since: None, until: None, ..filter.clone() };
    let mut days = Wanted::by(&any_time, drift);
    match (from, to) {
        (None, None) => days.number("day = ?", Some(EVER)),
        (from, to) => {
            days.number("day >= ?", from.or(Some(EVER + 1)));
            days.number("day < ?", to);
        }
    }
    let mut all = days.select(OF_DAYS, "");
    let mut add = |index: &str, condition: &'static str, filter: &ActivityFilter| {
        let mut wanted = Wanted::by(filter, drift);
        wanted.always(condition);
        let Select { sql, values } = wanted.select(&format!("{OF_CALLS} {index}"), "");
        all.sql = format!("{} UNION ALL {sql}", all.sql);
        all.values.extend(values);
    };
    add("INDEXED BY calls_over", "over IS NULL", filter);
    // Their ids are a range, as their times are.
    let over = "+over IS NOT NULL";
    if let Some(from) = from {
        let until = Some(midnight(from));
        add("", over, &ActivityFilter { until, ..filter.clone() });
    }
    if let Some(to) = to {
        let since = Some(midnight(to));
        add("", over, &ActivityFilter { since, ..filter.clone() });
    }
    all
}

/// The first day that lies within the time asked for, and the first one after it that does not. `None` when there is none,
/// or when the filter asks for what days are not counted by.
fn whole_days(filter: &ActivityFilter) -> Option<(Option<i64>, Option<i64>)> {
    let ActivityFilter { id, run, step, request_id, cursor, since, until, .. } = filter;
    let by_day =
        id.is_none() && run.is_none() && step.is_none() && request_id.is_none() && cursor.is_none();
    let from = since.map(|since| nanos(since).saturating_add(DAY - 1).div_euclid(DAY));
    let to = until.map(|until| nanos(until).div_euclid(DAY));
    let some = from.zip(to).is_none_or(|(from, to)| from < to);
    (by_day && some).then_some((from, to))
}

fn midnight(day: i64) -> SystemTime {
    time(day.saturating_mul(DAY))
}

fn enter(
    summary: &mut ActivitySummary,
    took: &mut Vec<(u64, u64)>,
    row: &Row<'_>,
) -> Result<(), Trouble> {
    let (kind, count): (String, u64) = (row.get(0)?, row.get(3)?);
    match kind.as_str() {
        "span" => {
            summary.total = count;
            summary.first = row.get::<_, Option<i64>>(1)?.map(time);
            summary.last = row.get::<_, Option<i64>>(2)?.map(time);
        }
        "status" => {
            let status: String = row.get(1)?;
            let status = Status::parse(&status).ok_or(Trouble::Disagrees)?;
            summary.statuses.push((status, count));
        }
        "operation" => {
            let operation: String = row.get(1)?;
            summary.operations.push((Operation::parse(&operation), count));
        }
        "server" => summary.servers.push(ServerCount { server: row.get(1)?, count }),
        "tool" => {
            let (server, tool) = (row.get(1)?, row.get(2)?);
            summary.tools.push(ToolCount { server, tool, count });
        }
        _ => took.push((row.get(1)?, count)),
    }
    Ok(())
}

/// From durations and how many calls took each, the shortest first.
fn durations(took: &[(u64, u64)]) -> Option<Durations> {
    let total: u64 = took.iter().map(|(_, count)| count).sum();
    let at_least = |percent: u64| {
        let wanted = total.saturating_mul(percent).div_ceil(100);
        let mut seen = 0;
        let reached = took.iter().find(|(_, count)| {
            seen += count;
            seen >= wanted
        });
        reached.map(|(low, _)| middle(*low))
    };
    Some(Durations { p50: at_least(50)?, p95: at_least(95)? })
}

/// The middle of all durations that are counted under this one.
fn middle(low: u64) -> u64 {
    let low_bits = (u64::BITS - low.leading_zeros()).saturating_sub(4);
    low + (1_u64 << low_bits) / 2
}

#[cfg(test)]
mod tests;
