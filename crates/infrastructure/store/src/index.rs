//! The `SQLite` index: columns to search by, and where in the journal each call stands. It holds nothing that the journal
//! does not, so whatever is wrong with it is cured by making it anew.

use awf_core::{ActivityError, ActivityFilter, ActivityNews, ActivityPage, ActivitySummary, Place};
use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use crate::{error::cannot_read, format::refuse_newer, layout::Layout};

mod calls;
mod compare;
mod drift;
mod follow;
mod kinds;
mod mark;
mod merge;
mod news;
mod schema;
mod search;
mod segment;
mod summary;

pub(crate) use compare::strays;
use follow::{Gained, Sealing};

/// An open index.
pub(crate) struct Index {
    layout: Layout,
    connection: Connection,
}

/// Why the index could not answer.
#[derive(Debug)]
enum Trouble {
    /// The index file is of no use, or `SQLite` could not do its work.
    Sql(rusqlite::Error),
    /// The journal is no longer what was indexed.
    Disagrees,
    /// The journal cannot be read.
    Journal(ActivityError),
    /// There is no leave to keep an index beside the journal.
    Closed(ActivityError),
}

impl Trouble {
    /// Whether it is only the index that may not be written.
    fn is_closed(&self) -> bool {
        match self {
            Self::Closed(_) => true,
            Self::Sql(error) => Self::is_closing(error),
            Self::Disagrees | Self::Journal(_) => false,
        }
    }

    fn is_closing(error: &rusqlite::Error) -> bool {
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen)
        )
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<ActivityError> for Trouble {
    fn from(error: ActivityError) -> Self {
        Self::Journal(error)
    }
}

/// What is asked of an index that is up to date.
type Question<'a, T> = &'a dyn Fn(&Connection, &Layout) -> Result<T, Trouble>;

/// Records that match. `slot` keeps the index open between queries, here and below.
pub(crate) fn query(
    layout: &Layout,
    slot: &mut Option<Index>,
    filter: &ActivityFilter,
) -> Result<ActivityPage, ActivityError> {
    ask(layout, slot, &|connection, layout| search::search(connection, layout, filter))
}

/// How many records match.
pub(crate) fn summary(
    layout: &Layout,
    slot: &mut Option<Index>,
    filter: &ActivityFilter,
) -> Result<ActivitySummary, ActivityError> {
    ask(layout, slot, &|connection, _| summary::summary(connection, filter))
}

/// Records that are over since a place.
pub(crate) fn news(
    layout: &Layout,
    slot: &mut Option<Index>,
    filter: &ActivityFilter,
    after: Option<Place>,
) -> Result<ActivityNews, ActivityError> {
    ask(layout, slot, &|connection, layout| news::news(connection, layout, filter, after))
}

/// Brings the index up to date with the journal, then asks it. Where there is no journal, nothing is made.
fn ask<T: Default>(
    layout: &Layout,
    slot: &mut Option<Index>,
    question: Question<'_, T>,
) -> Result<T, ActivityError> {
    if !layout.has_segments()? {
        return Ok(T::default());
    }
    refuse_newer(&layout.heads())?;
    let answer = match opened(layout, slot).and_then(|index| index.answer(question)) {
        Err(Trouble::Sql(error)) if is_spoilt(&error) => {
            *slot = None;
            schema::discard(layout)
                .and_then(|()| opened(layout, slot))
                .and_then(|index| index.answer(question))
        }
        answer => answer,
    };
    let answer = match answer {
        // Whoever may read the journal is answered, from an index that lasts no longer than the process.
        Err(trouble) if trouble.is_closed() => {
            *slot = None;
            passing(layout, slot).and_then(|index| index.answer(question))
        }
        answer => answer,
    };
    answer.map_err(|trouble| match trouble {
        Trouble::Sql(error) => cannot_read(&layout.index(), &error),
        Trouble::Disagrees => cannot_read(layout.segments(), &"it changes while it is read"),
        Trouble::Journal(error) | Trouble::Closed(error) => error,
    })
}

fn opened<'a>(layout: &Layout, slot: &'a mut Option<Index>) -> Result<&'a mut Index, Trouble> {
    match slot {
        Some(index) => Ok(index),
        None => {
            Ok(slot.insert(Index { layout: layout.clone(), connection: schema::open(layout)? }))
        }
    }
}

fn passing<'a>(layout: &Layout, slot: &'a mut Option<Index>) -> Result<&'a mut Index, Trouble> {
    Ok(slot.insert(Index { layout: layout.clone(), connection: schema::passing()? }))
}

/// Whether a fresh index would help: not when the disk is full or closed to us, or somebody else is at work.
fn is_spoilt(error: &rusqlite::Error) -> bool {
    !matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::CannotOpen
                | ErrorCode::SystemIoFailure
                | ErrorCode::OutOfMemory
        )
    )
}

/// What to do with what is indexed already.
#[derive(Clone, Copy)]
enum Keep {
    Everything,
    Nothing,
}

impl Index {
    fn answer<T>(&mut self, question: Question<'_, T>) -> Result<T, Trouble> {
        for _ in 0..2 {
            match self.attempt(question, Keep::Everything) {
                // Once more: a segment may have been removed between looking it up and reading it.
                Err(Trouble::Disagrees) => {}
                answer => return answer,
            }
        }
        self.attempt(question, Keep::Nothing)
    }

    fn attempt<T>(&mut self, question: Question<'_, T>, keep: Keep) -> Result<T, Trouble> {
        // Taken for writing from the start: two queriers that both read first could not both go on to write.
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match keep {
            Keep::Everything => {}
            Keep::Nothing => schema::clear(&transaction)?,
        }
        let gained = follow::follow(&transaction, &self.layout, Sealing::Abandoned)?;
        schema::forget_kept(&transaction)?;
        transaction.commit()?;
        match gained {
            Gained::Only => {}
            Gained::AndLost => schema::shrink(&self.connection)?,
        }
        question(&self.connection, &self.layout)
    }
}

#[cfg(test)]
mod tests;
