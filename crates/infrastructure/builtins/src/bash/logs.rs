//! The files that take the output of commands in the background: made for one session, and gone with it.

use std::{
    fs::{self, DirBuilder, DirEntry, File},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
    rand::{GetRandomFlags, getrandom},
};

const PREFIX: &str = "bash-";
const SUFFIX: &str = ".log";
const DIGITS: usize = 16;

/// A killed session cannot remove its files; for so long somebody may still want to read what it left.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// The files of one session.
#[derive(Debug)]
pub(super) struct Logs {
    dir: PathBuf,
    /// `None` once they were removed: from then on no more are made.
    made: Mutex<Option<Vec<PathBuf>>>,
}

impl Logs {
    /// A session whose files are to lie in `dir`, a private directory.
    pub(super) fn new(dir: PathBuf) -> Self {
        Self { dir, made: Mutex::new(Some(Vec::new())) }
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// A file nobody else can read, under a name nobody can guess; once for each stream.
    pub(super) fn create(&self) -> io::Result<(PathBuf, File, File)> {
        let mut made = self.made();
        let made = made.as_mut().ok_or_else(|| io::Error::other("the session is closed"))?;
        DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        let path = self.dir.join(new_name()?);
        let stdout = File::options().append(true).create_new(true).mode(0o600).open(&path)?;
        let first = made.is_empty();
        made.push(path.clone());
        // The lock lasts as long as any process writes here. Without it the file is only kept less long.
        let _: Result<(), Errno> = flock(&stdout, FlockOperation::NonBlockingLockShared);
        if first {
            sweep(&self.dir, stdout.metadata()?.modified()?);
        }
        let stderr = stdout.try_clone()?;
        Ok((path, stdout, stderr))
    }

    /// Removes what was made.
    pub(super) fn remove(&self) {
        for path in self.made().take().unwrap_or_default() {
            // What cannot be removed now is swept by a later session.
            let _removed = fs::remove_file(path);
        }
    }

    fn made(&self) -> MutexGuard<'_, Option<Vec<PathBuf>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn new_name() -> io::Result<String> {
    let mut random = [0; DIGITS / 2];
    getrandom(&mut random, GetRandomFlags::empty())?;
    Ok(format!("{PREFIX}{:016x}{SUFFIX}", u64::from_ne_bytes(random)))
}

fn is_log(name: &str) -> bool {
    name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)).is_some_and(|digits| {
        digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

/// Removes what killed sessions left in `dir`. Whatever stands in the way only means that it stays a while longer.
/// `now` is the time of the file system, as a file just made there has it.
fn sweep(dir: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(is_log) && is_old(&entry, now) {
            remove_if_dead(&entry.path());
        }
    }
}

fn is_old(entry: &DirEntry, now: SystemTime) -> bool {
    entry.metadata().is_ok_and(|entry| {
        let written = entry.modified().ok();
        let age = written.and_then(|written| now.duration_since(written).ok());
        entry.is_file() && age.is_some_and(|age| age > KEPT)
    })
}

/// A command that was silent for long may still live; the kernel lets go of a dead one's lock.
fn remove_if_dead(log: &Path) {
    let Ok(file) = File::open(log) else { return };
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        let _removed = fs::remove_file(log);
    }
}

#[cfg(test)]
mod tests;
