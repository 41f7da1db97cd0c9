//! A journal in the hands of the process that carries the run out.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use awf_core::{RunEvent, RunId, RunJournalError};

use crate::{
    layout::{create_new, open_existing},
    runs::{
        folder::Folder,
        read::{End, end_of},
        wire,
    },
    turn::Patience,
};

/// A journal this process writes to. The file stays locked as long as it lives, so that others know.
pub(crate) struct Held {
    file: File,
    path: PathBuf,
    end: End,
    fit: Fitness,
}

/// Whether more may be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fitness {
    Sound,
    /// Half a line stands at the end and could not be cut away.
    Torn,
}

impl Held {
    /// A journal for a run that begins.
    pub(crate) fn create(folder: &Folder, run: RunId) -> Result<Self, RunJournalError> {
        folder.create()?;
        let path = folder.journal(run);
        let file = match create_new(&path) {
            Ok(file) => file,
            Err(source) => return Err(RunJournalError::Io { path, source }),
        };
        lock(&file, run, &path)?;
        Ok(Self { file, path, end: End::default(), fit: Fitness::Sound })
    }

    /// The journal of a run that goes on. What a killed process left of a line is cut away.
    pub(crate) fn take(folder: &Folder, run: RunId) -> Result<Self, RunJournalError> {
        let path = folder.journal(run);
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => RunJournalError::NotFound(run),
            _ => RunJournalError::Io { path: path.clone(), source },
        };
        let file = open_existing(&path).map_err(failed)?;
        lock(&file, run, &path)?;
        let end = end_of(folder, run)?;
        file.set_len(end.bytes).map_err(failed)?;
        Ok(Self { file, path, end, fit: Fitness::Sound })
    }

    /// How many events it has.
    pub(crate) fn events(&self) -> u64 {
        self.end.seq
    }

    /// Writes one event as one line with one `write(2)`. On failure the file is as it was.
    pub(crate) fn append(&mut self, event: &RunEvent) -> Result<(), RunJournalError> {
        self.try_append(event)
            .map_err(|source| RunJournalError::Io { path: self.path.clone(), source })
    }

    fn try_append(&mut self, event: &RunEvent) -> io::Result<()> {
        if self.fit == Fitness::Torn {
            return Err(io::Error::other("half an event stands at its end and cannot be removed"));
        }
        let seq = self.end.seq + 1;
        let line = wire::write_line(seq, event)?;
        if let Err(error) = (&self.file).write_all(&line) {
            if self.file.set_len(self.end.bytes).is_err() {
                self.fit = Fitness::Torn;
            }
            return Err(error);
        }
        self.end = End { seq, bytes: self.end.bytes + line.len() as u64 };
        Ok(())
    }
}

/// Takes the run. Whoever lists runs asks the lock for an instant, and such a one is waited for.
fn lock(file: &File, run: RunId, path: &Path) -> Result<(), RunJournalError> {
    Patience::Spent.lock(file).map_err(|source| match source.kind() {
        io::ErrorKind::TimedOut => RunJournalError::Active(run),
        _ => RunJournalError::Io { path: path.to_owned(), source },
    })
}

#[cfg(test)]
mod tests;
