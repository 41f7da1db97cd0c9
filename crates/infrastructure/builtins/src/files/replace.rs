//! Replacing a file such that a reader, or the next start after a crash, sees the old content or the new, never a part:
//! a temporary file in the same directory, synced, renamed over the name, the directory synced.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write as _},
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{
        AtFlags, FlockOperation, Gid, Mode, OFlags, Stat, Uid, fchmod, fchown, flock, fstat, fsync,
        openat, renameat, statat, unlinkat,
    },
    io::Errno,
};

use crate::files::{error::FileError, residue};

/// What is known of the file to be replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replacement<'a> {
    /// There is none: the new file follows the umask.
    New,
    /// Any content may go; owner and mode are kept.
    Over(&'a Stat),
    /// As `Over`, but only if the file is still the one the new content was made from.
    Of(&'a Stat),
}

/// Why a file was not replaced. The old content is intact.
#[derive(Debug)]
pub(crate) enum ReplaceError {
    Failed { attempt: &'static str, source: io::Error },
    Changed,
}

impl ReplaceError {
    fn failed<E: Into<io::Error>>(attempt: &'static str) -> impl FnOnce(E) -> Self {
        move |source| Self::Failed { attempt, source: source.into() }
    }

    pub(crate) fn at(self, path: &str) -> FileError {
        let path = path.to_owned();
        match self {
            Self::Failed { attempt, source } => FileError::Io { path, attempt, source },
            Self::Changed => FileError::Changed { path },
        }
    }
}

/// Puts a file with `content` at `name` in `dir`.
pub(crate) fn replace(
    dir: &OwnedFd,
    name: &OsStr,
    content: &[u8],
    replacement: Replacement<'_>,
) -> Result<(), ReplaceError> {
    // A directory one may write to but not list can neither be swept nor synced.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let listed = openat(dir, ".", flags, Mode::empty()).ok();
    if let Some(listed) = &listed {
        residue::sweep(listed);
    }
    let (previous, mode) = match replacement {
        Replacement::New => (None, 0o666),
        Replacement::Over(stat) | Replacement::Of(stat) => (Some(stat), 0o600),
    };
    let mut temporary = Temporary::create(dir, Mode::from_raw_mode(mode))
        .map_err(ReplaceError::failed("create a temporary file beside"))?;
    temporary.file.write_all(content).map_err(ReplaceError::failed("write"))?;
    if let Some(previous) = previous {
        keep_owner_and_mode(&temporary.file, previous)
            .map_err(ReplaceError::failed("keep the mode of"))?;
    }
    fsync(&temporary.file).map_err(ReplaceError::failed("sync"))?;
    if let Replacement::Of(stat) = replacement {
        unchanged(dir, name, stat)?;
    }
    temporary.rename(name).map_err(ReplaceError::failed("replace"))?;
    if let Some(listed) = &listed {
        fsync(listed).map_err(ReplaceError::failed("sync the directory of"))?;
    }
    Ok(())
}

fn unchanged(dir: &OwnedFd, name: &OsStr, was: &Stat) -> Result<(), ReplaceError> {
    let version = |stat: &Stat| {
        (
            stat.st_ino,
            stat.st_size,
            stat.st_mtime,
            stat.st_mtime_nsec,
            stat.st_ctime,
            stat.st_ctime_nsec,
        )
    };
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if version(&stat) == version(was) => Ok(()),
        Ok(_) | Err(_) => Err(ReplaceError::Changed),
    }
}

/// Set-user-id and its like go, as they do whenever a file's content is written.
fn keep_owner_and_mode(file: &File, previous: &Stat) -> Result<(), Errno> {
    let own = fstat(file)?;
    if (own.st_uid, own.st_gid) != (previous.st_uid, previous.st_gid) {
        // Only root can give a file away; for others the file becomes theirs, as with any editor that renames.
        let owner = (Uid::from_raw(previous.st_uid), Gid::from_raw(previous.st_gid));
        let _kept = fchown(file, Some(owner.0), Some(owner.1));
    }
    fchmod(file, Mode::from_raw_mode(previous.st_mode & 0o777))
}

/// A temporary file that is gone unless it was renamed. Its lock tells a live one from the residue of a killed writer.
struct Temporary<'d> {
    dir: &'d OwnedFd,
    name: OsString,
    file: File,
    renamed: bool,
}

impl<'d> Temporary<'d> {
    fn create(dir: &'d OwnedFd, mode: Mode) -> Result<Self, Errno> {
        loop {
            let name = residue::temporary_name()?;
            let flags =
                OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = match openat(dir.as_fd(), &name, flags, mode) {
                Ok(handle) => File::from(handle),
                Err(Errno::EXIST) => continue,
                Err(errno) => return Err(errno),
            };
            let temporary = Self { dir, name, file, renamed: false };
            // A file system without locks has no sweeper to fear either: it leaves what it cannot lock.
            let _locked = flock(&temporary.file, FlockOperation::LockExclusive);
            // Between creation and lock a sweeper may have taken it for residue.
            if fstat(&temporary.file)?.st_nlink > 0 {
                return Ok(temporary);
            }
        }
    }

    fn rename(mut self, name: &OsStr) -> Result<(), Errno> {
        renameat(self.dir, &self.name, self.dir, name)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.renamed {
            // What cannot be removed now is swept by the next writer.
            let _removed = unlinkat(self.dir, &self.name, AtFlags::empty());
        }
    }
}
