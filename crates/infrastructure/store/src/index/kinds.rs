//! Kinds of calls: what many calls have in common (surface, server, tool, operation, status), each combination written
//! once. A call holds its kind's number, so that one index finds calls by any of the five, and by any of them together.

use std::collections::HashMap;

use awf_core::{CallStarted, Status};
use rusqlite::{OptionalExtension as _, Transaction, params};

/// Names are given by callers, so there may be any number of kinds; so many are remembered while the journal is read.
const REMEMBERED: usize = 10_000;

/// Numbers of kinds, and how to get from a call's kind to the one it has with another status.
#[derive(Default)]
pub(super) struct Kinds {
    begun: HashMap<Begun, i64>,
    turned: HashMap<(i64, &'static str), i64>,
}

/// A kind, as a start tells it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Begun {
    surface: &'static str,
    server: String,
    tool: String,
    operation: Option<&'static str>,
    status: &'static str,
}

impl Kinds {
    /// The kind of a call that begins with this status.
    pub(super) fn of(
        &mut self,
        transaction: &Transaction<'_>,
        started: &CallStarted,
        status: Status,
    ) -> rusqlite::Result<i64> {
        let begun = Begun {
            surface: started.surface.as_str(),
            server: started.server.clone(),
            tool: started.tool.clone(),
            operation: started.intent.as_ref().map(|intent| intent.operation.as_str()),
            status: status.as_str(),
        };
        if let Some(number) = self.begun.get(&begun) {
            return Ok(*number);
        }
        let number = number_of(transaction, &begun)?;
        if self.begun.len() >= REMEMBERED {
            self.begun.clear();
        }
        self.begun.insert(begun, number);
        Ok(number)
    }

    /// The kind that a call of this kind has with that status.
    pub(super) fn turned(
        &mut self,
        transaction: &Transaction<'_>,
        kind: i64,
        status: Status,
    ) -> rusqlite::Result<i64> {
        let status = status.as_str();
        if let Some(number) = self.turned.get(&(kind, status)) {
            return Ok(*number);
        }
        let mut insert = transaction.prepare_cached(
            "INSERT OR IGNORE INTO kinds (surface, server, tool, operation, status)
             SELECT surface, server, tool, operation, ?2 FROM kinds WHERE number = ?1",
        )?;
        insert.execute(params![kind, status])?;
        let mut select = transaction.prepare_cached(
            "SELECT other.number FROM kinds AS mine JOIN kinds AS other USING (server, tool, surface, operation)
             WHERE mine.number = ? AND other.status = ?",
        )?;
        let number = select.query_row(params![kind, status], |row| row.get(0))?;
        if self.turned.len() >= REMEMBERED {
            self.turned.clear();
        }
        self.turned.insert((kind, status), number);
        Ok(number)
    }
}

fn number_of(transaction: &Transaction<'_>, begun: &Begun) -> rusqlite::Result<i64> {
    let Begun { surface, server, tool, operation, status } = begun;
    let values = params![server, tool, surface, operation.unwrap_or_default(), status];
    let mut select = transaction.prepare_cached(
        "SELECT number FROM kinds WHERE server = ? AND tool = ? AND surface = ? AND operation = ? AND status = ?",
    )?;
    if let Some(number) = select.query_row(values, |row| row.get(0)).optional()? {
        return Ok(number);
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO kinds (server, tool, surface, operation, status) VALUES (?, ?, ?, ?, ?)",
    )?;
    insert.insert(values)
}
