//! Walking a directory tree the way ripgrep does: ignore files honoured, hidden entries and links left aside, in
//! parallel. The walk goes by path, for that is what the library offers; so its word is only a hint, and what it finds is
//! opened beneath the root's handle before anything of it is shown.

use std::{
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use crate::{
    blocking::Stop,
    files::{FileError, FileKind, Found, Place, Root, Roots, resolve},
    shown,
};

/// Where a search starts.
#[derive(Debug)]
pub(crate) enum Scope<'r> {
    /// A directory, with all beneath it.
    Directory(Place<'r>),
    /// One regular file.
    File(Place<'r>),
}

impl<'r> Scope<'r> {
    /// What `typed` names; the first root if it names nothing.
    pub(crate) fn of(roots: &'r Roots, typed: Option<&str>) -> Result<Self, FileError> {
        let typed = typed.unwrap_or(".");
        let place = resolve(roots, typed)?;
        let path = || shown::typed(typed);
        match place.found {
            Found::Directory => Ok(Self::Directory(place)),
            Found::Other(FileKind::Regular) => Ok(Self::File(place)),
            Found::Other(kind) => Err(FileError::NotRegular { path: path(), kind }),
            Found::Missing(_) => Err(FileError::NotFound { path: path() }),
        }
    }
}

/// The directory of a place, as the walk names it.
pub(crate) fn directory(place: &Place<'_>) -> PathBuf {
    let mut path = place.root.path().to_owned();
    path.extend(&place.names);
    path
}

/// A walk over `directory` with ripgrep's rules.
pub(crate) fn walk(roots: &Roots, directory: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(directory);
    walk.add_custom_ignore_filename(".rgignore")
        .current_dir(roots.first().path())
        .threads(threads());
    walk
}

/// As many as ripgrep would use, but never one: reading then waits for searching.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 12))
}

/// What the walk found, named beneath its root.
pub(crate) fn beneath<'p>(root: &Root, path: &'p Path) -> &'p Path {
    let bytes = path.as_os_str().as_bytes();
    let rest = bytes.get(root.path().as_os_str().len()..).unwrap_or_default();
    Path::new(std::ffi::OsStr::from_bytes(rest.strip_prefix(b"/").unwrap_or(rest)))
}

/// One thread's share of a walk.
pub(crate) trait Worker: Send + Sized {
    /// A directory; whether to go in.
    fn enters(&mut self, _directory: &DirEntry) -> bool {
        true
    }
    /// A regular file.
    fn file(&mut self, entry: &DirEntry);
    /// An entry that could not be read.
    fn unreadable(&mut self, error: &ignore::Error);
}

/// Walks with as many workers as there are threads; they come back when the walk is over or was told to stop.
pub(crate) fn visit<W: Worker>(
    walk: &WalkBuilder,
    stop: &Stop,
    hire: impl Fn() -> W + Sync,
) -> Vec<W> {
    let retired = Mutex::new(Vec::new());
    let mut hall = Hall { stop, hire: &hire, retired: &retired };
    walk.build_parallel().visit(&mut hall);
    retired.into_inner().unwrap_or_else(PoisonError::into_inner)
}

struct Hall<'s, W, H> {
    stop: &'s Stop,
    hire: &'s H,
    retired: &'s Mutex<Vec<W>>,
}

impl<'s, W: Worker + 's, H: Fn() -> W> ParallelVisitorBuilder<'s> for Hall<'s, W, H> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 's> {
        let worker = Some((self.hire)());
        Box::new(AtWork { stop: self.stop, worker, retired: self.retired })
    }
}

struct AtWork<'s, W> {
    stop: &'s Stop,
    worker: Option<W>,
    retired: &'s Mutex<Vec<W>>,
}

impl<W: Worker> ParallelVisitor for AtWork<'_, W> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        let Some(worker) = self.worker.as_mut().filter(|_| !self.stop.requested()) else {
            return WalkState::Quit;
        };
        match entry {
            Ok(entry) => match entry.file_type() {
                Some(kind) if kind.is_file() => worker.file(&entry),
                Some(kind) if kind.is_dir() && entry.depth() > 0 && !worker.enters(&entry) => {
                    return WalkState::Skip;
                }
                Some(_) | None => {}
            },
            Err(error) => worker.unreadable(&error),
        }
        WalkState::Continue
    }
}

impl<W> Drop for AtWork<'_, W> {
    fn drop(&mut self) {
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        retired.extend(self.worker.take());
    }
}
