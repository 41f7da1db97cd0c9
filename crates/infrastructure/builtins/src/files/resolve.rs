//! The walk along directory handles: component by component, each opened beneath the one before, symbolic links read
//! and judged by us. What leaves the roots is refused, and since every step starts from a handle that is already held,
//! a directory swapped for a link halfway cannot lead anywhere else.

use std::{
    ffi::{OsStr, OsString},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::OsStringExt,
    },
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags, Stat, fstat, openat, readlinkat},
    io::Errno,
};

use crate::{
    files::{
        error::FileError,
        kind::FileKind,
        roots::{Root, Roots, refusal},
    },
    shown,
};

/// As many links as the kernel would follow.
const LINK_LIMIT: usize = 40;

/// Where a path leads.
#[derive(Debug)]
pub(crate) struct Place<'r> {
    pub(crate) root: &'r Root,
    /// The names beneath the root, free of links, `.` and `..`.
    pub(crate) names: Vec<OsString>,
    /// The directory that holds the last existing name.
    pub(crate) dir: OwnedFd,
    pub(crate) found: Found,
}

/// What is at the end of a path.
#[derive(Debug)]
pub(crate) enum Found {
    /// A directory: `dir` itself.
    Directory,
    /// Something else, named by the last name, in `dir`.
    Other(FileKind),
    /// Nothing: so many of the last names do not exist, the first of them missing in `dir`.
    Missing(usize),
}

/// Follows `typed` to its end.
pub(crate) fn resolve<'r>(roots: &'r Roots, typed: &str) -> Result<Place<'r>, FileError> {
    let (root, rest) = roots.locate(typed)?;
    let mut walk = Walk { roots, typed, root, steps: Vec::new(), pending: Vec::new(), links: 0 };
    walk.push(rest);
    walk.run()
}

struct Walk<'r, 't> {
    roots: &'r Roots,
    typed: &'t str,
    root: &'r Root,
    /// The directories entered so far.
    steps: Vec<(OwnedFd, OsString)>,
    /// The components still to go, the next one last.
    pending: Vec<OsString>,
    links: usize,
}

impl<'r> Walk<'r, '_> {
    fn run(mut self) -> Result<Place<'r>, FileError> {
        while let Some(name) = self.pending.pop() {
            if name == ".." {
                self.steps.pop().ok_or_else(|| self.roots.outside(self.typed))?;
                continue;
            }
            match self.enter(&name) {
                Ok((handle, stat)) => match FileKind::of(&stat) {
                    FileKind::Directory => self.steps.push((handle, name)),
                    FileKind::Symlink => self.follow(&handle)?,
                    kind if self.pending.is_empty() => {
                        return self.end(vec![name], Found::Other(kind));
                    }
                    kind => {
                        let path = shown::typed(self.typed);
                        return Err(FileError::NotDirectory { path, kind });
                    }
                },
                Err(Errno::NOENT) => return self.missing(name),
                Err(errno) => return Err(refusal(self.typed, errno)),
            }
        }
        self.end(Vec::new(), Found::Directory)
    }

    fn enter(&self, name: &OsStr) -> Result<(OwnedFd, Stat), Errno> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(self.dir(), name, flags, Mode::empty())?;
        let stat = fstat(&handle)?;
        Ok((handle, stat))
    }

    /// A link's target goes before what is still to go; an absolute one starts again at the root it lies in.
    fn follow(&mut self, link: &OwnedFd) -> Result<(), FileError> {
        self.links += 1;
        if self.links > LINK_LIMIT {
            let path = shown::typed(self.typed);
            return Err(FileError::TooManyLinks { path, limit: LINK_LIMIT });
        }
        let target = readlinkat(link, "", Vec::new())
            .map_err(FileError::io(&shown::typed(self.typed), "read the link"))?;
        let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
        if target.is_relative() {
            self.push(&target);
            return Ok(());
        }
        let (root, rest) =
            self.roots.home_of(&target).ok_or_else(|| self.roots.outside(self.typed))?;
        self.root = root;
        self.steps.clear();
        self.push(rest);
        Ok(())
    }

    fn push(&mut self, path: &Path) {
        let at = self.pending.len();
        for component in path.components() {
            match component {
                Component::Normal(name) => self.pending.push(name.to_owned()),
                Component::ParentDir => self.pending.push("..".into()),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        self.pending[at..].reverse();
    }

    /// Nothing can be linked beneath what does not exist, so the rest of the path is what it says.
    fn missing(mut self, name: OsString) -> Result<Place<'r>, FileError> {
        let mut names = vec![name];
        while let Some(name) = self.pending.pop() {
            if name == ".." {
                return Err(refusal(self.typed, Errno::NOENT));
            }
            names.push(name);
        }
        let found = Found::Missing(names.len());
        self.end(names, found)
    }

    fn end(self, last: Vec<OsString>, found: Found) -> Result<Place<'r>, FileError> {
        let dir = self
            .dir()
            .try_clone_to_owned()
            .map_err(FileError::io(&shown::typed(self.typed), "open"))?;
        let names = self.steps.into_iter().map(|(_, name)| name).chain(last).collect();
        Ok(Place { root: self.root, names, dir, found })
    }

    fn dir(&self) -> BorrowedFd<'_> {
        self.steps.last().map_or_else(|| self.root.handle(), |(handle, _)| handle.as_fd())
    }
}
