//! What is over since somebody last asked. Calls are numbered when they are seen to be over, so a number says what is new
//! where ids do not: an older call may end later.

use awf_core::{ActivityFilter, ActivityNews, Over, PAGE_MAX, Place};
use rusqlite::Connection;

use crate::{
    index::{
        Trouble,
        drift::Drift,
        search::{COLUMNS, SEGMENTS, Select, Wanted, found, read},
    },
    layout::Layout,
};

/// Calls that match and are over since `after`.
pub(super) fn news(
    connection: &Connection,
    layout: &Layout,
    filter: &ActivityFilter,
    after: Option<Place>,
) -> Result<ActivityNews, Trouble> {
    // Read before the rows: what is numbered meanwhile is for the next time.
    let now = newest(connection)?;
    let Some(after) = after else {
        return Ok(ActivityNews { place: now, ..ActivityNews::default() });
    };
    // A place from before there was a log is before everything in any index.
    if after != Place::default() && after.index != now.index {
        return Ok(ActivityNews { place: now, gap: true, ..ActivityNews::default() });
    }
    let limit = filter.limit.clamp(1, PAGE_MAX);
    let rows = found(connection, &select(filter, Drift::read(connection)?, (after, now), limit))?;
    let records = read(layout, rows.iter())?;
    let last = rows.last().and_then(|row| row.over).filter(|_| rows.len() == limit);
    let place = Place { number: last.unwrap_or(now.number), ..now };
    let numbered = rows.iter().filter_map(|row| row.over).zip(records);
    let calls = numbered.map(|(number, record)| Over { place: Place { number, ..now }, record });
    Ok(ActivityNews { calls: calls.collect(), place, gap: false })
}

fn newest(connection: &Connection) -> rusqlite::Result<Place> {
    let mut select = connection.prepare_cached(
        "SELECT (SELECT value FROM numbers WHERE what = 'index'), (SELECT value FROM numbers WHERE what = 'over')",
    )?;
    select.query_row((), |row| Ok(Place { index: row.get(0)?, number: row.get(1)? }))
}

/// Always by number: what is new is little, whatever else the filter asks.
fn select(
    filter: &ActivityFilter,
    drift: Drift,
    (after, now): (Place, Place),
    rows: usize,
) -> Select {
    let mut wanted = Wanted::by(filter, drift);
    wanted.number("over > ?", Some(after.number));
    wanted.number("over <= ?", Some(now.number));
    let before = format!("{COLUMNS} FROM calls INDEXED BY calls_over {SEGMENTS}");
    let mut select = wanted.select(&before, "ORDER BY over LIMIT ?");
    select.values.push(Box::new(rows));
    select
}
