//! The directories the file tools work beneath, each held by a handle opened once.

use std::{
    borrow::Cow,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags, ResolveFlags, open, openat2},
    io::Errno,
};

use crate::{files::error::FileError, shown};

/// Why the roots cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// A root does not exist, or is no directory.
    #[error("cannot open the root `{path}`: {source}")]
    Open {
        /// The root as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Without `openat2` a path cannot be held beneath a root.
    #[error(
        "file tools need the openat2 system call (Linux 5.6 or newer, not blocked by a container): {source}"
    )]
    NoOpenat2 {
        /// What the system said.
        source: io::Error,
    },
}

const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// One directory and what lies beneath it.
#[derive(Debug)]
pub(crate) struct Root {
    /// As it was given; absolute paths may start with this…
    given: PathBuf,
    /// …or with the same without symbolic links.
    real: PathBuf,
    handle: OwnedFd,
}

impl Root {
    fn open(given: &Path) -> Result<Self, RootError> {
        let failed = |source| RootError::Open { path: given.to_owned(), source };
        let real = given.canonicalize().map_err(failed)?;
        let handle = open(&real, DIRECTORY, Mode::empty()).map_err(|errno| failed(errno.into()))?;
        Ok(Self { given: given.to_owned(), real, handle })
    }

    /// The absolute path without symbolic links.
    pub(crate) fn path(&self) -> &Path {
        &self.real
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        [&self.real, &self.given].iter().find_map(|prefix| absolute.strip_prefix(prefix).ok())
    }
}

/// All roots; relative paths start at the first.
#[derive(Debug)]
pub(crate) struct Roots {
    first: Root,
    extra: Vec<Root>,
}

impl Roots {
    pub(crate) fn open(first: &Path, extra: &[PathBuf]) -> Result<Self, RootError> {
        let first = Root::open(first)?;
        openat2(first.handle(), ".", DIRECTORY, Mode::empty(), ResolveFlags::BENEATH)
            .map_err(|errno| RootError::NoOpenat2 { source: errno.into() })?;
        let extra = extra.iter().map(|path| Root::open(path)).collect::<Result<_, _>>()?;
        Ok(Self { first, extra })
    }

    /// The root that relative paths start at.
    pub(crate) fn first(&self) -> &Root {
        &self.first
    }

    /// Which root a path as typed belongs to, and the rest of the path beneath it. `..` is left in the rest: only the
    /// walk along the handles knows where it leads.
    pub(crate) fn locate<'a>(&self, typed: &'a str) -> Result<(&Root, &'a Path), FileError> {
        let refuse = |problem| FileError::BadPath { path: shown::typed(typed), problem };
        if typed.is_empty() {
            return Err(refuse("it is empty"));
        }
        if typed.contains('\0') {
            return Err(refuse("it contains a NUL character"));
        }
        let path = Path::new(typed);
        if path.is_relative() {
            return Ok((&self.first, path));
        }
        self.home_of(path).ok_or_else(|| self.outside(typed))
    }

    /// The innermost root an absolute path starts with, component by component.
    pub(crate) fn home_of<'a>(&self, absolute: &'a Path) -> Option<(&Root, &'a Path)> {
        self.all()
            .filter_map(|root| root.strip(absolute).map(|rest| (root, rest)))
            .max_by_key(|(root, _)| root.real.as_os_str().len())
    }

    /// How a place is shown, such that it can be given back to a tool: relative beneath the first root, else absolute.
    pub(crate) fn show<'p>(&self, root: &Root, beneath: &'p Path) -> Cow<'p, Path> {
        if std::ptr::eq(root, &raw const self.first) {
            Cow::Borrowed(beneath)
        } else {
            Cow::Owned(root.real.join(beneath))
        }
    }

    pub(crate) fn outside(&self, typed: &str) -> FileError {
        let roots: Vec<_> =
            self.all().map(|root| format!("`{}`", shown::name(root.real.as_os_str()))).collect();
        FileError::Outside { path: shown::typed(typed), roots: roots.join(", ") }
    }

    fn all(&self) -> impl Iterator<Item = &Root> {
        std::iter::once(&self.first).chain(&self.extra)
    }
}

/// Names what the kernel said about a path beneath a root.
pub(crate) fn refusal(typed: &str, errno: Errno) -> FileError {
    let path = shown::typed(typed);
    match errno {
        Errno::NOENT => FileError::NotFound { path },
        Errno::NAMETOOLONG => {
            FileError::BadPath { path, problem: "a name in it is longer than 255 bytes" }
        }
        errno => FileError::Io { path, attempt: "open", source: errno.into() },
    }
}
