//! Answers a filter: finds rows in the index, reads the records from the journal.

use std::{collections::HashMap, fs::File, io, os::unix::fs::FileExt as _};

use awf_core::{
    ActivityEvent, ActivityFilter, ActivityPage, ActivityRecord, Cursor, PAGE_MAX, Status,
};
use rusqlite::{Connection, Row, ToSql};

use crate::{
    chain::{self, Hash},
    error::cannot_read,
    index::Trouble,
    layout::{Layout, SegmentName},
    wire::{nanos, read_event},
};

const COLUMNS: &str = "SELECT status,
        started_in.name, start_offset, start_bytes, start_sum,
        ended_in.name, end_offset, end_bytes, end_sum
    FROM calls
    JOIN segments AS started_in ON started_in.number = start_segment
    LEFT JOIN segments AS ended_in ON ended_in.number = end_segment";

/// A statement and what to bind to it.
pub(super) struct Select {
    pub(super) sql: String,
    pub(super) values: Vec<Box<dyn ToSql>>,
}

/// Finds the page a filter asks for.
pub(super) fn search(
    connection: &Connection,
    layout: &Layout,
    filter: &ActivityFilter,
) -> Result<ActivityPage, Trouble> {
    let limit = filter.limit.clamp(1, PAGE_MAX);
    // One more than fits tells whether there is another page.
    let Select { sql, values } = select(filter, limit + 1);
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement
        .query_map(rusqlite::params_from_iter(&values), Found::read)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut segments = Segments { layout, open: HashMap::new() };
    let records = rows
        .iter()
        .take(limit)
        .map(|found| segments.record(found))
        .collect::<Result<Vec<_>, _>>()?;
    let next = records.last().filter(|_| rows.len() > limit).map(|last| Cursor(last.started.id));
    Ok(ActivityPage { records, next })
}

/// The statement for a filter. Only what is asked for is in it, so that each column's index can be used.
pub(super) fn select(filter: &ActivityFilter, rows: usize) -> Select {
    let ActivityFilter {
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
        cursor,
    } = filter;
    let text = |text: &String| -> Box<dyn ToSql> { Box::new(text.clone()) };
    let conditions: [(&str, Option<Box<dyn ToSql>>); 12] = [
        ("id = ?", id.map(|id| Box::new(id.to_string()) as _)),
        ("id < ?", cursor.map(|Cursor(id)| Box::new(id.to_string()) as _)),
        ("started_at >= ?", since.map(|at| Box::new(nanos(at)) as _)),
        ("started_at < ?", until.map(|at| Box::new(nanos(at)) as _)),
        ("run = ?", run.as_ref().map(text)),
        ("step = ?", step.as_ref().map(text)),
        ("surface = ?", surface.map(|surface| Box::new(surface.as_str()) as _)),
        ("calls.server = ?", server.as_ref().map(text)),
        ("tool = ?", tool.as_ref().map(text)),
        ("operation = ?", operation.map(|operation| Box::new(operation.as_str()) as _)),
        ("status = ?", status.map(|status| Box::new(status.as_str()) as _)),
        ("request_id = ?", request_id.as_ref().map(text)),
    ];
    let (mut sql, mut values) = (COLUMNS.to_owned(), Vec::new());
    for (condition, value) in conditions {
        if let Some(value) = value {
            sql.push_str(if values.is_empty() { " WHERE " } else { " AND " });
            sql.push_str(condition);
            values.push(value);
        }
    }
    sql.push_str(" ORDER BY id DESC LIMIT ?");
    values.push(Box::new(rows));
    Select { sql, values }
}

/// A row: where a call stands, and where to read about it.
struct Found {
    status: String,
    start: Line,
    end: Option<Line>,
}

/// A line of a segment, and the sum of what it said when it was indexed.
struct Line {
    segment: String,
    offset: u64,
    bytes: usize,
    sum: i64,
}

impl Found {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let line = |at: usize, segment: String| -> rusqlite::Result<Line> {
            Ok(Line {
                segment,
                offset: row.get(at)?,
                bytes: row.get(at + 1)?,
                sum: row.get(at + 2)?,
            })
        };
        let ended_in: Option<String> = row.get(5)?;
        Ok(Self {
            status: row.get(0)?,
            start: line(2, row.get(1)?)?,
            end: ended_in.map(|segment| line(6, segment)).transpose()?,
        })
    }
}

/// The segments a page touches, each opened once.
struct Segments<'a> {
    layout: &'a Layout,
    open: HashMap<String, File>,
}

impl Segments<'_> {
    fn record(&mut self, found: &Found) -> Result<ActivityRecord, Trouble> {
        let status = Status::parse(&found.status).ok_or(Trouble::Disagrees)?;
        let ActivityEvent::Started(started) = self.event(&found.start)? else {
            return Err(Trouble::Disagrees);
        };
        let ended = match found.end.as_ref().map(|line| self.event(line)).transpose()? {
            None => None,
            Some(ActivityEvent::Ended(ended)) => Some(*ended),
            Some(ActivityEvent::Started(_)) => return Err(Trouble::Disagrees),
        };
        Ok(ActivityRecord { started: *started, status, ended })
    }

    fn event(&mut self, line: &Line) -> Result<ActivityEvent, Trouble> {
        let bytes = self.read(line)?;
        let split = chain::split(&bytes).ok_or(Trouble::Disagrees)?;
        if Hash::of(split.body).short() != line.sum {
            return Err(Trouble::Disagrees);
        }
        read_event(&bytes).map_err(|_| Trouble::Disagrees)
    }

    fn read(&mut self, line: &Line) -> Result<Vec<u8>, Trouble> {
        let name = SegmentName::parse(&line.segment).ok_or(Trouble::Disagrees)?;
        let path = self.layout.segment(name);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof => Trouble::Disagrees,
            _ => cannot_read(&path, &error).into(),
        };
        if !self.open.contains_key(&line.segment) {
            self.open.insert(line.segment.clone(), File::open(&path).map_err(failed)?);
        }
        let file = self.open.get(&line.segment).ok_or(Trouble::Disagrees)?;
        let mut bytes = vec![0; line.bytes];
        file.read_exact_at(&mut bytes, line.offset).map_err(failed)?;
        Ok(bytes)
    }
}
