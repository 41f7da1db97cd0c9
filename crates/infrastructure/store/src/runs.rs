//! Journals of runs: one file per run, one line per event, held by the process that carries the run out.
//!
//! ```text
//! <home>/runs/<ULID>.jsonl   {"v":1,"seq":7,"kind":"task_began","event":{…}}
//! ```
//! An event is one line and one `write(2)`: it survives the death of the process, not the loss of power. The writer locks
//! the file for as long as it lives, and the system lets go of the lock when it dies, so that no lock is ever left behind.
//! Nothing is deleted here.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use awf_core::{Outline, RunEvent, RunId, RunJournal, RunJournalError, RunSummary};

mod folder;
mod held;
mod read;
#[cfg(test)]
mod sample;
mod summary;
mod wire;

use folder::Folder;
use held::Held;

/// The journals of all runs below one home directory. Opening reads and makes nothing.
pub struct RunStore {
    folder: Folder,
    held: Mutex<HashMap<RunId, Held>>,
}

impl RunStore {
    /// The journals below `home`.
    pub fn open(home: &Path) -> Self {
        Self { folder: Folder::new(home), held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<RunId, Held>> {
        // A panic cannot leave a half-taken run behind: it is entered when it is taken.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append_now(&self, run: RunId, event: &RunEvent) -> Result<(), RunJournalError> {
        let mut held = self.held();
        if let Some(journal) = held.get_mut(&run) {
            return journal.append(event);
        }
        let mut journal = match event {
            RunEvent::Began(_) => Held::create(&self.folder, run)?,
            RunEvent::TaskBegan { .. }
            | RunEvent::TaskEnded { .. }
            | RunEvent::Resumed { .. }
            | RunEvent::Cancelled { .. }
            | RunEvent::Turn(_)
            | RunEvent::Finished(_) => Held::take(&self.folder, run)?,
        };
        journal.append(event)?;
        held.insert(run, journal);
        Ok(())
    }

    fn take_now(&self, run: RunId, known: usize) -> Result<(), RunJournalError> {
        let journal = Held::take(&self.folder, run)?;
        if journal.events() != known as u64 {
            return Err(RunJournalError::Active(run));
        }
        self.held().insert(run, journal);
        Ok(())
    }

    /// Reading may be long: it must not hold up what else the runtime does.
    async fn reading<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Folder) -> Result<T, RunJournalError> + Send + 'static,
    ) -> Result<T, RunJournalError> {
        let folder = self.folder.clone();
        let answer = tokio::task::spawn_blocking(move || read(&folder));
        answer.await.map_err(|error| self.folder.failed(error.into()))?
    }
}

#[async_trait]
impl RunJournal for RunStore {
    async fn append(&self, run: RunId, event: &RunEvent) -> Result<(), RunJournalError> {
        self.append_now(run, event)
    }

    async fn load(&self, run: RunId) -> Result<Vec<RunEvent>, RunJournalError> {
        self.reading(move |folder| read::load(folder, run)).await
    }

    async fn take(&self, run: RunId, known: usize) -> Result<(), RunJournalError> {
        self.take_now(run, known)
    }

    async fn list(&self) -> Result<Vec<RunSummary>, RunJournalError> {
        self.reading(summary::list).await
    }

    async fn summary(&self, run: RunId) -> Result<RunSummary, RunJournalError> {
        self.reading(move |folder| summary::of(folder, run)).await
    }

    async fn outline(&self, run: RunId) -> Result<Outline, RunJournalError> {
        self.reading(move |folder| read::outline(folder, run)).await
    }

    async fn release(&self, run: RunId) {
        self.held().remove(&run);
    }
}

#[cfg(test)]
mod tests;
