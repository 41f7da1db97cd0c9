//! Opening a regular file for reading: one `openat2` beneath the root, the walk along handles where that is not enough.

use std::{
    ffi::OsStr,
    fs::File,
    os::fd::{BorrowedFd, OwnedFd},
    path::Path,
};

use rustix::{
    fs::{Mode, OFlags, ResolveFlags, Stat, fstat, openat, openat2},
    io::Errno,
};

use crate::{
    files::{
        error::FileError,
        kind::FileKind,
        resolve::{Found, resolve},
        roots::{Root, Roots, refusal},
    },
    shown,
};

/// A FIFO must not block the open, a terminal must not become ours.
const READING: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// The kernel gives up on `..` when something is renamed meanwhile; that passes.
const RETRIES: usize = 16;

/// A regular file, open for reading.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) file: File,
    pub(crate) stat: Stat,
}

impl OpenFile {
    pub(crate) fn size(&self) -> u64 {
        u64::try_from(self.stat.st_size).unwrap_or_default()
    }

    pub(crate) fn check(handle: OwnedFd, typed: &str) -> Result<Self, FileError> {
        let path = || shown::typed(typed);
        let stat = fstat(&handle).map_err(|errno| refusal(typed, errno))?;
        match FileKind::of(&stat) {
            FileKind::Regular => Ok(Self { file: File::from(handle), stat }),
            kind => Err(FileError::NotRegular { path: path(), kind }),
        }
    }
}

/// Opens the regular file that `typed` leads to.
pub(crate) fn open_regular(roots: &Roots, typed: &str) -> Result<OpenFile, FileError> {
    let (root, rest) = roots.locate(typed)?;
    let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let mut tries = 0;
    loop {
        match openat2(root.handle(), rest, READING, Mode::empty(), resolve) {
            Ok(handle) => return OpenFile::check(handle, typed),
            Err(Errno::AGAIN) if tries < RETRIES => tries += 1,
            // It leaves, or passes through an absolute link that may yet lead inside; or it is a socket.
            Err(Errno::XDEV | Errno::AGAIN | Errno::LOOP | Errno::NXIO | Errno::NOTDIR) => {
                return open_by_walk(roots, typed);
            }
            Err(errno) => return Err(refusal(typed, errno)),
        }
    }
}

fn open_by_walk(roots: &Roots, typed: &str) -> Result<OpenFile, FileError> {
    let place = resolve(roots, typed)?;
    let path = || shown::typed(typed);
    match (place.found, place.names.last()) {
        (Found::Other(FileKind::Regular), Some(name)) => {
            let handle = open_named(place.dir, name).map_err(|errno| refusal(typed, errno))?;
            OpenFile::check(handle, typed)
        }
        (Found::Other(kind), _) => Err(FileError::NotRegular { path: path(), kind }),
        (Found::Directory, _) => {
            Err(FileError::NotRegular { path: path(), kind: FileKind::Directory })
        }
        (Found::Missing(_), _) => Err(FileError::NotFound { path: path() }),
    }
}

/// Opens one name in a directory that is held, without following a link.
pub(crate) fn open_named(dir: impl std::os::fd::AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(dir, name, READING | OFlags::NOFOLLOW, Mode::empty())
}

/// Opens what a walk found beneath a root. A walk follows no links, so a link here was swapped in since.
pub(crate) fn open_found(root: &Root, beneath: &Path) -> Result<OwnedFd, Errno> {
    open_beneath(root.handle(), beneath, READING)
}

/// As [`open_found`], for looking at the entry only.
pub(crate) fn stat_found(root: &Root, beneath: &Path) -> Result<Stat, Errno> {
    fstat(open_beneath(root.handle(), beneath, OFlags::PATH | OFlags::CLOEXEC)?)
}

fn open_beneath(root: BorrowedFd<'_>, beneath: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(root, beneath, flags, Mode::empty(), resolve)
}
