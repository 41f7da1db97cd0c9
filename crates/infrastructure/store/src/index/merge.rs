//! Calls of several kinds, newest first: each kind's calls lie in order in the index, so that the newest of all kinds is
//! always the newest of one of them. Nothing is sorted, and no more is read than the page holds and one for each kind.

use std::collections::{BinaryHeap, VecDeque};

use rusqlite::{Connection, Statement, ToSql, params, params_from_iter};

use crate::index::{
    Trouble,
    search::{COLUMNS, Found, SEGMENTS, Wanted},
};

/// With more kinds than this (a caller may make up names) the calls are gone through, newest first.
const MOST: usize = 4_096;
/// How many calls of a kind are fetched at once when the page turns out to need more of them.
const CHUNK: usize = 16;

/// The newest calls of a kind, from one id to below another.
const NEWEST: &str = "SELECT id FROM calls INDEXED BY calls_kind
    WHERE kind = ? AND id < ? AND id >= ? ORDER BY id DESC LIMIT ?";

/// Calls of one kind, ordered by the newest that was not given yet.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    newest: String,
    kind: i64,
    rest: VecDeque<String>,
    /// Whether there may be more than `rest`.
    cut: bool,
}

/// The page, by the kinds that are wanted; `None` when there are too many of them.
pub(super) fn merged(
    connection: &Connection,
    wanted: &Wanted,
    rows: usize,
) -> Result<Option<Vec<Found>>, Trouble> {
    let mut select =
        connection.prepare_cached(&format!("{} LIMIT {}", wanted.kinds_select(), MOST + 1))?;
    let kinds: Vec<i64> = select
        .query_map(params_from_iter(wanted.kind_values()), |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if kinds.len() > MOST {
        return Ok(None);
    }
    let first = rows / kinds.len().max(1) + 1;
    let mut newest = connection.prepare_cached(NEWEST)?;
    let mut runs = BinaryHeap::new();
    for kind in kinds {
        runs.extend(fetch(&mut newest, wanted, kind, wanted.below(), first)?);
    }
    let mut found = Vec::new();
    let sql = format!("{COLUMNS} FROM calls {SEGMENTS} {} AND id = ?", wanted.clause_of_times());
    let mut look = connection.prepare_cached(&sql)?;
    while found.len() < rows
        && let Some(Run { newest: id, kind, mut rest, cut }) = runs.pop()
    {
        match rest.pop_front() {
            Some(next) => runs.push(Run { newest: next, kind, rest, cut }),
            None if cut => runs.extend(fetch(&mut newest, wanted, kind, &id, CHUNK)?),
            None => {}
        }
        let values = wanted.time_values().map(|value| value as &dyn ToSql);
        let mut hit = look.query(params_from_iter(values.chain([&id as &dyn ToSql])))?;
        if let Some(row) = hit.next()? {
            found.push(Found::read(row)?);
        }
    }
    Ok(Some(found))
}

/// The newest calls of a kind below an id.
fn fetch(
    newest: &mut Statement<'_>,
    wanted: &Wanted,
    kind: i64,
    below: &str,
    limit: usize,
) -> Result<Option<Run>, Trouble> {
    let mut rest: VecDeque<String> = newest
        .query_map(params![kind, below, wanted.from(), limit], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let cut = rest.len() == limit;
    Ok(rest.pop_front().map(|newest| Run { newest, kind, rest, cut }))
}
