//! Waiting for a file lock, but never for ever: whoever holds it may be stopped and never let go.

use std::{
    fs::{File, TryLockError},
    io, thread,
    time::{Duration, Instant},
};

/// Locks are held for a few small writes, so that this is plenty of them.
const FRESH: Duration = Duration::from_secs(1);
/// Enough for somebody's small write.
const SPENT: Duration = Duration::from_millis(50);
/// Between two tries; the release of a lock wakes nobody who does not wait in the kernel.
const PAUSE: Duration = Duration::from_millis(2);

/// How long a lock is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Patience {
    #[default]
    Fresh,
    /// The last wait was in vain: as long as that goes on, not every event shall pay for it.
    Spent,
}

impl Patience {
    /// Locks the file for us alone, or says that it is held.
    pub(crate) fn lock(self, file: &File) -> io::Result<()> {
        let limit = match self {
            Self::Fresh => FRESH,
            Self::Spent => SPENT,
        };
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if begun.elapsed() < limit => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        "another process holds it",
                    ));
                }
            }
        }
    }
}
