//! Where a run puts files that live as long as a step: a directory of its own, gone with the run. What a run that was
//! killed left there is removed by the next one.

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

use awf_core::{Code, RunId};

use crate::report::CommandError;

/// How often a directory that vanished is made anew.
const RETRIES: usize = 8;

/// The directory of one run. It is locked while the run lives; the lock goes with the process, however that ends.
pub(crate) struct Scratch {
    path: PathBuf,
    /// Held, never read.
    _lock: File,
}

impl Scratch {
    /// Beneath `home`, which is this user's alone.
    pub(crate) fn make(home: &Path) -> Result<Self, CommandError> {
        let all = beneath(home);
        sweep(&all);
        // A neighbour that sweeps may take the directory away before it is locked.
        let mut made = Self::once(&all);
        for _ in 0..RETRIES {
            match made {
                Err(error) if error.kind() == io::ErrorKind::NotFound => made = Self::once(&all),
                Ok(_) | Err(_) => break,
            }
        }
        made.map_err(|error| {
            let message = format!("cannot make a directory in `{}`: {error}", all.display());
            CommandError::of(Code::IoWriteFailed, message)
        })
    }

    fn once(all: &Path) -> io::Result<Self> {
        let path = all.join(RunId::generate().to_string());
        DirBuilder::new().recursive(true).mode(0o700).create(&path)?;
        let lock = File::open(&path)?;
        // Whoever holds it is about to remove it.
        lock.try_lock().map_err(|_| io::ErrorKind::NotFound)?;
        let same = fs::metadata(&path)?.ino() == lock.metadata()?.ino();
        same.then_some(Self { path, _lock: lock }).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Where all runs have their directories.
pub(crate) fn beneath(home: &Path) -> PathBuf {
    home.join("scratch")
}

/// Removes what dead runs left: whatever is not locked.
pub(crate) fn sweep(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let path = entry.path();
        // Held until the directory is gone, so that its owner notices.
        if let Ok(dir) = File::open(&path)
            && dir.try_lock().is_ok()
        {
            remove(&path);
        }
    }
}

fn remove(path: &Path) {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "`{}` could not be removed", path.display());
        }
        Ok(()) | Err(_) => {}
    }
}
