//! The index file: its tables, its version, how it is opened and thrown away.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, Transaction};

use crate::{
    error::cannot_write,
    format::is_newer,
    index::Trouble,
    layout::{Layout, create_new, open_append},
};

/// Grows with every change of the tables below; an older index is made anew, a newer one left to the newer awf.
pub(super) const VERSION: u32 = 5;
/// How long to wait for another querier. A first query over a long log may take seconds.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// What is counted together is of one day, so that a range of days is a range of rows.
pub(super) const DAY: i64 = 86_400_000_000_000;
/// The day under which calls of all days are counted once more: a summary of everything takes no longer after a year.
pub(super) const EVER: i64 = -1_000_000;

/// The table of calls has no row id, so every index ends with the call's id: each filter finds its rows newest first,
/// unsorted. Five indexes are enough:
/// - a page, a record and a range of times are ranges of ids, the primary key (see `drift.rs` for times);
/// - surface, server, tool, operation and status are found by the call's `kind`, alone and together (see `merge.rs`);
/// - `run` and `step` hold the kind behind the id, so that a run is narrowed by status or tool without looking at its
///   calls; calls outside of runs are in neither;
/// - `request_id` tells every call from all others; `over` is the order of the news, and finds the calls still open.
///
/// A call that is over has a number (`over`), in the order in which that was seen. Such calls are counted in `tally`, by
/// the columns that do not tell each call from the others, so that nobody has to count them again.
const TABLES: &str = "
    CREATE TABLE place (
        what TEXT PRIMARY KEY,
        bytes INTEGER NOT NULL,
        tail BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE segments (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        writer TEXT NOT NULL,
        bytes INTEGER NOT NULL DEFAULT 0,
        tail BLOB NOT NULL DEFAULT x'',
        seq INTEGER NOT NULL DEFAULT 0,
        entry TEXT,
        sealed_bytes INTEGER,
        damaged_at INTEGER,
        removed INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE kinds (
        number INTEGER PRIMARY KEY,
        server TEXT NOT NULL,
        tool TEXT NOT NULL,
        surface TEXT NOT NULL,
        operation TEXT NOT NULL,
        status TEXT NOT NULL,
        UNIQUE (server, tool, surface, operation, status)
    ) STRICT;
    CREATE TABLE calls (
        id TEXT PRIMARY KEY,
        started_at INTEGER NOT NULL,
        run TEXT,
        step TEXT,
        kind INTEGER NOT NULL,
        took INTEGER,
        over INTEGER,
        request_id TEXT NOT NULL,
        start_segment INTEGER NOT NULL,
        start_offset INTEGER NOT NULL,
        start_bytes INTEGER NOT NULL,
        start_sum INTEGER NOT NULL,
        end_segment INTEGER,
        end_offset INTEGER,
        end_bytes INTEGER,
        end_sum INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX calls_kind ON calls (kind);
    CREATE INDEX calls_run ON calls (run, id, kind) WHERE run IS NOT NULL;
    CREATE INDEX calls_step ON calls (step, id, kind) WHERE step IS NOT NULL;
    CREATE INDEX calls_request_id ON calls (request_id);
    CREATE INDEX calls_over ON calls (over);
    CREATE TABLE numbers (
        what TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO numbers VALUES ('index', random()), ('over', 0), ('ahead', 0), ('behind', 0);
    CREATE TABLE kept (
        id TEXT PRIMARY KEY,
        over INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tally (
        day INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        took INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (day, kind, took)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER call_over AFTER UPDATE OF over ON calls WHEN OLD.over IS NULL AND NEW.over IS NOT NULL BEGIN
        INSERT INTO tally VALUES
            (NEW.started_at / 86400000000000, NEW.kind, coalesce(NEW.took, -1), 1, NEW.started_at, NEW.started_at),
            (-1000000, NEW.kind, coalesce(NEW.took, -1), 1, NEW.started_at, NEW.started_at)
        ON CONFLICT DO UPDATE SET calls = calls + 1, first = min(first, excluded.first), last = max(last, excluded.last);
    END;
    CREATE TRIGGER call_gone AFTER DELETE ON calls WHEN OLD.over IS NOT NULL BEGIN
        UPDATE tally SET calls = calls - 1
        WHERE day IN (OLD.started_at / 86400000000000, -1000000) AND kind = OLD.kind AND took = coalesce(OLD.took, -1);
    END;
";

/// Opens the index, and makes it when it is missing or older.
pub(super) fn open(layout: &Layout) -> Result<Connection, Trouble> {
    let _held = hold(layout)?;
    let (connection, found) = connect(layout)?;
    match found {
        VERSION => return Ok(connection),
        0 => {}
        _ => {
            drop(connection);
            remove(layout)?;
            return create(connect(layout)?.0);
        }
    }
    create(connection)
}

/// Throws the index away. Others who have it open keep their copy until they close it.
pub(super) fn discard(layout: &Layout) -> Result<(), Trouble> {
    let _held = hold(layout)?;
    remove(layout)
}

/// An index in a file without a name, which is gone when it is closed.
pub(super) fn passing() -> Result<Connection, Trouble> {
    create(Connection::open("")?)
}

/// Forgets everything that was indexed, but for the numbers of calls that are over: whoever follows the log is not to be
/// told of them again.
pub(super) fn clear(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "INSERT INTO kept SELECT id, over FROM calls WHERE over IS NOT NULL;
         DELETE FROM calls; DELETE FROM kinds; DELETE FROM tally; DELETE FROM segments; DELETE FROM place;
         UPDATE numbers SET value = 0 WHERE what IN ('ahead', 'behind');",
    )
}

/// Forgets those numbers: every call has its own again.
pub(super) fn forget_kept(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("DELETE FROM kept")
}

/// Gives the room of what was deleted back to the system.
pub(super) fn shrink(connection: &Connection) -> rusqlite::Result<()> {
    let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut pages = vacuum.query(())?;
    while pages.next()?.is_some() {}
    Ok(())
}

/// Nobody else opens, makes or removes the file while this is held.
fn hold(layout: &Layout) -> Result<File, Trouble> {
    let path = layout.index_lock();
    let held = open_append(&path).and_then(|file| file.lock().map(|()| file));
    held.map_err(|error| unwritable(&path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Trouble {
    let told = cannot_write(path, error);
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Trouble::Closed(told)
        }
        _ => Trouble::Journal(told),
    }
}

fn connect(layout: &Layout) -> Result<(Connection, u32), Trouble> {
    let path = layout.index();
    // SQLite would wait for a pipe without end, and follow a link.
    if files(layout).any(|path| fs::symlink_metadata(path).is_ok_and(|about| !about.is_file())) {
        remove(layout)?;
    }
    // SQLite would make it readable to others. Never opened when it exists: closing any descriptor of a database
    // drops the locks that this process holds on it.
    match create_new(&path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unwritable(&path, &error)),
    }
    let connection = Connection::open(&path)?;
    connection.busy_timeout(PATIENCE)?;
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > VERSION {
        return Err(is_newer(&path, version, VERSION).into());
    }
    // Counts for a new file only, and only before anything else is said: what is deleted can be given back.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok((connection, version))
}

fn create(mut connection: Connection) -> Result<Connection, Trouble> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(connection)
}

fn remove(layout: &Layout) -> Result<(), Trouble> {
    for path in files(layout) {
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unwritable(&path, &error)),
        }
    }
    Ok(())
}

/// The file, and what `SQLite` keeps beside it.
fn files(layout: &Layout) -> impl Iterator<Item = PathBuf> {
    let index = layout.index().into_os_string();
    ["", "-wal", "-shm"].into_iter().map(move |suffix| {
        let mut path = index.clone();
        path.push(suffix);
        PathBuf::from(path)
    })
}
