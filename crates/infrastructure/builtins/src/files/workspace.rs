//! The roots with what may not be written in them: all that Write and Edit need to know.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::files::{error::FileError, protected::Protected, roots::Roots, target::Target};

/// Calls that change different files rarely share a turn, and a handful of turns is enough for that.
const TURNS: usize = 16;

/// Where files are written.
#[derive(Debug)]
pub(crate) struct Workspace {
    roots: Arc<Roots>,
    protected: Protected,
    turns: [Mutex<()>; TURNS],
}

impl Workspace {
    pub(crate) fn new(roots: Arc<Roots>, protected: Protected) -> Self {
        Self { roots, protected, turns: Default::default() }
    }

    pub(crate) fn target(&self, typed: &str) -> Result<Target, FileError> {
        Target::locate(&self.roots, &self.protected, typed)
    }

    /// Waits until nobody else in this process changes the same file: an agent may send two Edits of it at once, and
    /// both must count.
    pub(crate) fn turn(&self, target: &Target) -> MutexGuard<'_, ()> {
        let turn = usize::try_from(target.key() % TURNS as u64).unwrap_or_default();
        // A panic while holding it left nothing half done: files are replaced in one step.
        self.turns[turn].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
