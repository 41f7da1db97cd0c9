//! A place Write or Edit may put a file: judged, and held by the handle of its directory.

use std::{
    ffi::{OsStr, OsString},
    hash::{DefaultHasher, Hash, Hasher},
    os::fd::OwnedFd,
};

use rustix::{
    fs::{Access, AtFlags, Mode, OFlags, Stat, accessat, mkdirat, openat, statat},
    io::Errno,
};

use crate::{
    files::{
        error::FileError,
        kind::FileKind,
        open::{OpenFile, open_named},
        protected::Protected,
        replace::{Replacement, replace},
        resolve::{Found, resolve},
        roots::{Roots, refusal},
    },
    shown,
};

/// A file that may be written, existing or not.
#[derive(Debug)]
pub(crate) struct Target {
    dir: OwnedFd,
    /// Directories between `dir` and the file that do not exist yet.
    missing: Vec<OsString>,
    name: OsString,
    /// The path as the caller wrote it, fit to be shown.
    shown: String,
    key: u64,
}

impl Target {
    /// Follows `typed` to the file it means, or to where it would be.
    pub(crate) fn locate(
        roots: &Roots,
        protected: &Protected,
        typed: &str,
    ) -> Result<Self, FileError> {
        let place = resolve(roots, typed)?;
        let shown = shown::typed(typed);
        let kind = match place.found {
            Found::Directory => FileKind::Directory,
            Found::Other(kind) => kind,
            Found::Missing(_) => FileKind::Regular,
        };
        if kind != FileKind::Regular {
            return Err(FileError::NotRegular { path: shown, kind });
        }
        if typed.ends_with('/') {
            return Err(FileError::BadPath { path: shown, problem: "it ends in `/`" });
        }
        if let Some(reason) = protected.reason(place.root.path(), &place.names) {
            return Err(FileError::Protected { path: shown, reason });
        }
        let mut hasher = DefaultHasher::new();
        (place.root.path(), &place.names).hash(&mut hasher);
        let mut names = place.names;
        let name = names.pop().ok_or_else(|| roots.outside(typed))?;
        let missing = match place.found {
            Found::Missing(count) => names.split_off(names.len() - (count - 1)),
            Found::Directory | Found::Other(_) => Vec::new(),
        };
        Ok(Self { dir: place.dir, missing, name, shown, key: hasher.finish() })
    }

    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Equal for equal places: what two calls at once must not interleave on.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// Makes the directories that are missing.
    pub(crate) fn make_parents(&mut self) -> Result<(), FileError> {
        for name in std::mem::take(&mut self.missing) {
            self.dir = make_directory(&self.dir, &name)
                .map_err(FileError::io(&self.shown, "create the directories of"))?;
        }
        Ok(())
    }

    /// The file as it is now, refused if it must not be replaced.
    pub(crate) fn previous(&self) -> Result<Option<Stat>, FileError> {
        if !self.missing.is_empty() {
            return Ok(None);
        }
        let stat = match statat(&self.dir, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(refusal(&self.shown, errno)),
        };
        let path = || self.shown.clone();
        match FileKind::of(&stat) {
            FileKind::Regular => {}
            // It was a regular file a moment ago.
            FileKind::Symlink => return Err(FileError::Changed { path: path() }),
            kind => return Err(FileError::NotRegular { path: path(), kind }),
        }
        if stat.st_nlink > 1 {
            return Err(FileError::HardLinked { path: path() });
        }
        // A rename needs no right to the file itself, and root has every right: the mode is what says "hands off".
        let access = accessat(&self.dir, &self.name, Access::WRITE_OK, AtFlags::EACCESS);
        let denied = matches!(access, Err(Errno::ACCESS | Errno::PERM | Errno::ROFS));
        if denied || stat.st_mode & 0o222 == 0 {
            return Err(FileError::ReadOnly { path: path(), mode: stat.st_mode & 0o7777 });
        }
        Ok(Some(stat))
    }

    /// Opens the existing file for reading.
    pub(crate) fn open(&self) -> Result<OpenFile, FileError> {
        let handle = if self.missing.is_empty() {
            open_named(&self.dir, &self.name)
        } else {
            Err(Errno::NOENT)
        };
        OpenFile::check(handle.map_err(|errno| refusal(&self.shown, errno))?, &self.shown)
    }

    /// Puts `content` in the file's place, whole or not at all.
    pub(crate) fn replace(
        &self,
        content: &[u8],
        replacement: Replacement<'_>,
    ) -> Result<(), FileError> {
        replace(&self.dir, &self.name, content, replacement).map_err(|error| error.at(&self.shown))
    }
}

fn make_directory(dir: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    match mkdirat(dir, name, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(errno) => return Err(errno),
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(dir, name, flags, Mode::empty())
}
