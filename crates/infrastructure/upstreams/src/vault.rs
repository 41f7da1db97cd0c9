//! Small files that decide what is trusted: 0600 in 0700, replaced whole, changed by one process at a time.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long another process may hold a file: each holds it for one small write.
const TURN: Duration = Duration::from_secs(5);
/// Between two tries: the release of a lock wakes nobody who does not wait in the kernel.
const PAUSE: Duration = Duration::from_millis(2);
/// No file of ours is larger.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Why a file that decides what is trusted cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// It is there and cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It does not hold what was written there. It is never overwritten: what it held may have been a refusal.
    #[error("`{}` is damaged: {reason}; mend it, or move it away to begin anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What a file holds; `None` when there is none. Nothing but a regular file is opened: a pipe would be waited for.
pub(crate) fn read(path: &Path) -> Result<Option<String>, VaultError> {
    let failed = |source| VaultError::Read { path: path.to_owned(), source };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.is_file() => {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(damaged(path, "it is larger than 64 MiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| damaged(path, "it is not UTF-8"))
}

pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> VaultError {
    VaultError::Damaged { path: path.to_owned(), reason: reason.into() }
}

/// The right to change a file; others wait until it is dropped.
pub(crate) struct Turn<'p> {
    path: &'p Path,
    _lock: File,
}

impl<'p> Turn<'p> {
    /// Waits for the right to change `path`; its directory is made where it is not there.
    pub(crate) fn take(path: &'p Path) -> Result<Self, VaultError> {
        let failed = |source| VaultError::Write { path: path.to_owned(), source };
        if let Some(parent) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let lock = options.open(beside(path, ".lock")).map_err(failed)?;
        wait_for(&lock).map_err(failed)?;
        Ok(Self { path, _lock: lock })
    }

    /// Puts a text in the place of the file, whole or not at all.
    pub(crate) fn write(&self, text: &str) -> Result<(), VaultError> {
        let failed = |source| VaultError::Write { path: self.path.to_owned(), source };
        let new = beside(self.path, ".new");
        // What a process left that was killed while it wrote.
        drop(fs::remove_file(&new));
        let written = self.replace(&new, text);
        if written.is_err() {
            drop(fs::remove_file(&new));
        }
        written.map_err(failed)
    }

    fn replace(&self, new: &Path, text: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(new, self.path)?;
        match self.path.parent() {
            Some(parent) => File::open(parent)?.sync_all(),
            None => Ok(()),
        }
    }
}

fn wait_for(lock: &File) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if begun.elapsed() < TURN => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "another process is changing it",
                ));
            }
        }
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests;
