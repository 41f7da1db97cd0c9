//! Answers a filter: finds rows in the index, reads the records from the journal.

use std::{collections::HashMap, fs::File, io, os::unix::fs::FileExt as _};

use awf_core::{
    ActivityEvent, ActivityFilter, ActivityPage, ActivityRecord, Cursor, Damage, PAGE_MAX, Status,
};
use rusqlite::{Connection, Row, ToSql};

use crate::{
    chain::{self, Hash},
    error::cannot_read,
    index::{Trouble, drift::Drift, merge::merged},
    layout::{Layout, SegmentName, open_read},
    wire::{nanos, read_event},
};

/// What a record is read by, from calls and the segments they stand in.
pub(super) const COLUMNS: &str = "SELECT kinds.status,
        started_in.name, start_offset, start_bytes, start_sum,
        ended_in.name, end_offset, end_bytes, end_sum, over";
pub(super) const SEGMENTS: &str = "CROSS JOIN kinds ON kinds.number = kind
    CROSS JOIN segments AS started_in ON started_in.number = start_segment
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
    let rows = page(connection, Wanted::by(filter, Drift::read(connection)?), limit + 1)?;
    let records = read(layout, rows.iter().take(limit))?;
    let next = records.last().filter(|_| rows.len() > limit).map(|last| Cursor(last.started.id));
    let damage = damage(connection, layout)?;
    Ok(ActivityPage { records, next, damage })
}

fn page(connection: &Connection, wanted: Wanted, rows: usize) -> Result<Vec<Found>, Trouble> {
    if wanted.is_by_kind()
        && let Some(merged) = merged(connection, &wanted, rows)?
    {
        return Ok(merged);
    }
    found(connection, &select(wanted, rows))
}

/// The segments of which not everything is shown.
fn damage(connection: &Connection, layout: &Layout) -> Result<Vec<Damage>, Trouble> {
    let mut select = connection.prepare_cached(
        "SELECT name, damaged_at FROM segments
         WHERE removed = 0 AND (damaged_at IS NOT NULL OR (bytes = 0 AND sealed_bytes > 0)) ORDER BY number",
    )?;
    let rows = select.query_and_then((), |row| -> Result<Option<Damage>, Trouble> {
        let name: String = row.get(0)?;
        let path = layout.segment(SegmentName::parse(&name).ok_or(Trouble::Disagrees)?);
        let offset: Option<u64> = row.get(1)?;
        // One that was sealed while the segments were listed is there, and read the next time.
        let shown = offset.is_none() && path.exists();
        Ok((!shown).then(|| Damage { place: path.display().to_string(), offset }))
    })?;
    rows.filter_map(Result::transpose).collect()
}

/// The rows of a statement that begins with [`COLUMNS`].
pub(super) fn found(connection: &Connection, select: &Select) -> Result<Vec<Found>, Trouble> {
    let mut statement = connection.prepare_cached(&select.sql)?;
    let rows = statement.query_map(rusqlite::params_from_iter(&select.values), Found::read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The records that rows lead to.
pub(super) fn read<'a>(
    layout: &Layout,
    rows: impl Iterator<Item = &'a Found>,
) -> Result<Vec<ActivityRecord>, Trouble> {
    let mut segments = Segments { layout, open: HashMap::new() };
    rows.map(|found| segments.record(found)).collect()
}

/// The statement for a filter. Only what is asked for is in it, so that each column's index can be used.
pub(super) fn select(wanted: Wanted, rows: usize) -> Select {
    let before = format!("{COLUMNS} FROM calls {SEGMENTS}");
    let mut select = wanted.select(&before, "ORDER BY id DESC LIMIT ?");
    select.values.push(Box::new(rows));
    select
}

/// Below every id, and above every id.
const NO_ID: &str = "";
const EVERY_ID: &str = "~";

/// What a filter asks of a call, as conditions of a `WHERE` and what to bind to them.
pub(super) struct Wanted {
    conditions: Vec<&'static str>,
    pub(super) values: Vec<Box<dyn ToSql>>,
    kinds: Vec<&'static str>,
    kind_values: Vec<String>,
    times: Vec<(&'static str, i64)>,
    from: Option<String>,
    below: Option<String>,
    /// Whether there is a column to find the calls by before one looks at their kinds.
    narrow: bool,
}

impl Wanted {
    /// What a filter asks of a call, its page aside from where it begins.
    pub(super) fn by(filter: &ActivityFilter, drift: Drift) -> Self {
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
        let cursor = cursor.map(|Cursor(id)| id.to_string());
        let times = [("started_at >= ?", since), ("started_at < ?", until)];
        let kinds = [
            ("surface = ?", surface.map(|surface| surface.as_str().to_owned())),
            ("server = ?", server.clone()),
            ("tool = ?", tool.clone()),
            ("operation = ?", operation.map(|operation| operation.as_str().to_owned())),
            ("status = ?", status.map(|status| status.as_str().to_owned())),
        ];
        let kinds = kinds.into_iter().filter_map(|(condition, value)| Some((condition, value?)));
        let (kinds, kind_values) = kinds.unzip();
        let mut wanted = Self {
            conditions: Vec::new(),
            values: Vec::new(),
            kinds,
            kind_values,
            times: times.iter().filter_map(|(text, at)| Some((*text, nanos((**at)?)))).collect(),
            from: drift.first_id(filter),
            below: drift.last_id(filter).into_iter().chain(cursor).min(),
            narrow: id.is_some() || run.is_some() || step.is_some() || request_id.is_some(),
        };
        wanted.text("id = ?", id.map(|id| id.to_string()));
        wanted.text("id >= ?", wanted.from.clone());
        wanted.text("id < ?", wanted.below.clone());
        for (condition, value) in wanted.times.clone() {
            wanted.number(condition, Some(value));
        }
        wanted.text("request_id = ?", request_id.clone());
        // A plus keeps its column's index out of it: of two the one that tells more is taken.
        wanted.text(if request_id.is_none() { "run = ?" } else { "+run = ?" }, run.clone());
        let alone = request_id.is_none() && run.is_none();
        wanted.text(if alone { "step = ?" } else { "+step = ?" }, step.clone());
        wanted
    }

    /// Whether the calls are best found by their kinds.
    pub(super) fn is_by_kind(&self) -> bool {
        !self.kinds.is_empty() && !self.narrow
    }

    /// The numbers of the kinds that match; binds [`Self::kind_values`].
    pub(super) fn kinds_select(&self) -> String {
        format!("SELECT number FROM kinds WHERE {}", self.kinds.join(" AND "))
    }

    pub(super) fn kind_values(&self) -> &[String] {
        &self.kind_values
    }

    /// The smallest id that may match.
    pub(super) fn from(&self) -> &str {
        self.from.as_deref().unwrap_or(NO_ID)
    }

    /// Larger than all ids that may match.
    pub(super) fn below(&self) -> &str {
        self.below.as_deref().unwrap_or(EVERY_ID)
    }

    /// What ids and kinds do not tell yet: the exact times.
    pub(super) fn clause_of_times(&self) -> String {
        let times = self.times.iter().map(|(condition, _)| format!(" AND {condition}"));
        format!("WHERE true{}", times.collect::<String>())
    }

    pub(super) fn time_values(&self) -> impl Iterator<Item = &i64> {
        self.times.iter().map(|(_, value)| value)
    }

    fn text(&mut self, condition: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.conditions.push(condition);
            self.values.push(Box::new(value));
        }
    }

    /// A condition on a number, if there is one.
    pub(super) fn number(&mut self, condition: &'static str, value: Option<i64>) {
        if let Some(value) = value {
            self.conditions.push(condition);
            self.values.push(Box::new(value));
        }
    }

    /// A condition that binds nothing.
    pub(super) fn always(&mut self, condition: &'static str) {
        self.conditions.push(condition);
    }

    /// As it stands in a statement, with all that is to be bound; empty when everything is wanted. Kinds are looked at
    /// call by call.
    pub(super) fn select(mut self, before: &str, after: &str) -> Select {
        let mut conditions: Vec<String> = self.conditions.iter().map(ToString::to_string).collect();
        if !self.kinds.is_empty() {
            conditions.push(format!("+kind IN ({})", self.kinds_select()));
            let values = std::mem::take(&mut self.kind_values).into_iter();
            self.values.extend(values.map(|value| Box::new(value) as Box<dyn ToSql>));
        }
        let clause = match conditions.as_slice() {
            [] => String::new(),
            conditions => format!("WHERE {}", conditions.join(" AND ")),
        };
        Select { sql: format!("{before} {clause} {after}"), values: self.values }
    }
}

/// A row: where a call stands, and where to read about it.
pub(super) struct Found {
    status: String,
    pub(super) start: Line,
    end: Option<Line>,
    pub(super) over: Option<i64>,
}

/// A line of a segment, and the sum of what it said when it was indexed.
pub(super) struct Line {
    segment: String,
    pub(super) offset: u64,
    bytes: usize,
    sum: i64,
}

impl Found {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
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
            over: row.get(9)?,
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
            self.open.insert(line.segment.clone(), open_read(&path).map_err(failed)?);
        }
        let file = self.open.get(&line.segment).ok_or(Trouble::Disagrees)?;
        let mut bytes = vec![0; line.bytes];
        file.read_exact_at(&mut bytes, line.offset).map_err(failed)?;
        Ok(bytes)
    }
}
