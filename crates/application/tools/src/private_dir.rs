//! A directory nobody else may enter, short enough for sockets, gone with its owner.
//!
//! It is locked (`flock`) for as long as its owner lives. The lock goes with the process, however that ends: a directory
//! whose lock is free was left behind, and one whose lock is held is never touched.

use std::{
    fs::{self, DirBuilder, File, Permissions},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::process::geteuid;

use crate::session::PlaceError;

/// Names of finished directories begin with this.
const FINISHED: &str = "s-";
/// Names of directories that are not locked yet begin with this.
const UNFINISHED: &str = "new-";
/// A directory that was not finished in this time never will be.
const ABANDONED: Duration = Duration::from_mins(1);
/// How often a directory that vanished is made anew.
const RETRIES: usize = 64;
/// The address of a socket holds 108 bytes; some systems, fewer.
const LONGEST: usize = 100;

/// A directory for sockets. Dropping it removes it.
pub struct PrivateDir {
    path: PathBuf,
    /// Held, never read.
    _lock: File,
}

impl PrivateDir {
    /// Makes one beneath the first of `dirs` that will do. A socket in it may have a name of `room` bytes.
    pub fn make(dirs: &[PathBuf], room: usize) -> Result<Self, PlaceError> {
        let mut tried = Vec::new();
        for base in dirs.iter().map(|dir| base_in(dir)) {
            match Self::beneath(&base).and_then(|made| made.with_room(room)) {
                Ok(made) => return Ok(made),
                Err(error) => tried.push((base, error)),
            }
        }
        Err(PlaceError { tried })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn with_room(self, room: usize) -> io::Result<Self> {
        let length = self.path.as_os_str().len() + 1 + room;
        if length > LONGEST {
            let reason = format!("the path of a socket there has {length} bytes, {LONGEST} fit");
            return Err(io::Error::other(reason));
        }
        Ok(self)
    }

    /// Tried again when a neighbour that ended has just removed the directory that all of them share.
    fn beneath(base: &Path) -> io::Result<Self> {
        let mut made = Self::once_beneath(base);
        for _ in 0..RETRIES {
            match made {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    made = Self::once_beneath(base);
                }
                Ok(_) | Err(_) => break,
            }
        }
        made
    }

    /// Made under one name and locked, then given another: so nobody finds it unlocked while its owner lives.
    fn once_beneath(base: &Path) -> io::Result<Self> {
        match DirBuilder::new().mode(0o700).create(base) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => ours_alone(base)?,
        }
        let made = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .rand_bytes(10)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(base)?;
        let lock = File::open(made.path())?;
        lock.try_lock()?;
        let name = made.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let path = base.join(name.replacen(UNFINISHED, FINISHED, 1));
        fs::rename(made.path(), &path)?;
        // It has another name now, and from here on another owner.
        drop(made.keep());
        Ok(Self { path, _lock: lock })
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            let path = self.path.display();
            tracing::warn!(%error, "the private directory `{path}` could not be removed");
        }
        if let Some(base) = self.path.parent() {
            leave(base);
        }
    }
}

/// The last one out removes the directory that all of them share; while others are there, it stays.
fn leave(base: &Path) {
    fs::remove_dir(base).ok();
}

/// Where all of this user's are in `dir`, which may be open to everyone.
fn base_in(dir: &Path) -> PathBuf {
    dir.join(format!("awf-{}", geteuid().as_raw()))
}

/// Removes what dead processes left beneath `dir`, a parent of the directory that all of them share.
pub fn sweep_private_dirs(dir: &Path) {
    let base = base_in(dir);
    if ours_alone(&base).is_err() {
        return;
    }
    for entry in fs::read_dir(&base).into_iter().flatten().flatten() {
        let path = entry.path();
        // Held until the directory is gone, so that no other sweeper works on it too.
        if let Some(_lock) = left_behind(&path)
            && let Err(error) = fs::remove_dir_all(&path)
        {
            tracing::warn!(%error, "what a dead run left at `{}` could not be removed", path.display());
        }
    }
    leave(&base);
}

/// The lock of a directory whose owner is dead.
fn left_behind(path: &Path) -> Option<File> {
    let name = path.file_name()?.to_str()?;
    let about = fs::symlink_metadata(path).ok()?;
    let finished = name.starts_with(FINISHED);
    let stale = || about.modified().ok()?.elapsed().ok().map(|age| age > ABANDONED);
    let candidate = finished || (name.starts_with(UNFINISHED) && stale() == Some(true));
    if !candidate || !about.is_dir() || about.uid() != geteuid().as_raw() {
        return None;
    }
    let lock = File::open(path).ok()?;
    lock.try_lock().ok()?;
    Some(lock)
}

/// Refuses a directory that another user owns, may enter, or could swap for another.
fn ours_alone(dir: &Path) -> io::Result<()> {
    let about = fs::symlink_metadata(dir)?;
    if !about.is_dir() {
        return Err(io::Error::other("it is not a directory"));
    }
    if about.uid() != geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if about.mode() & 0o077 != 0 {
        return Err(io::Error::other("other users may enter it"));
    }
    Ok(())
}
