//! Brings a segment to the disk, so that it survives the loss of power. Calls that wait together share one sync.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use awf_core::ActivityError;

use crate::{error::cannot_write, layout::Layout};

/// A segment's file, and how much of it is known to be on disk.
pub(crate) struct Durable {
    file: File,
    path: PathBuf,
    /// The places that must be on disk for the file to be found again.
    around: [PathBuf; 3],
    written: AtomicU64,
    failed: AtomicBool,
    synced: Mutex<Synced>,
}

#[derive(Default)]
struct Synced {
    /// Events up to this number are on disk.
    seq: u64,
    /// The directories and `heads.jsonl` are on disk.
    found_again: bool,
}

impl Durable {
    pub(crate) fn new(file: File, path: PathBuf, layout: &Layout) -> Self {
        let around = [layout.heads(), layout.segments().to_owned(), layout.activity().to_owned()];
        Self {
            file,
            path,
            around,
            written: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            synced: Mutex::default(),
        }
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn note_written(&self, seq: u64) {
        self.written.store(seq, Ordering::Release);
    }

    /// After a failed sync nothing more may be written: the kernel may have thrown away what it could not store, and a
    /// second sync would call that success.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Returns when event `seq` is on disk. Blocks.
    pub(crate) fn sync(&self, seq: u64) -> Result<(), ActivityError> {
        self.try_sync(seq).map_err(|error| cannot_write(&self.path, &error))
    }

    fn try_sync(&self, seq: u64) -> io::Result<()> {
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        if self.has_failed() {
            return Err(io::Error::other("an earlier sync of this segment failed"));
        }
        if synced.seq >= seq {
            return Ok(());
        }
        let written = self.written.load(Ordering::Acquire);
        if let Err(error) = self.sync_now(&mut synced) {
            self.failed.store(true, Ordering::Release);
            return Err(error);
        }
        synced.seq = written;
        Ok(())
    }

    fn sync_now(&self, synced: &mut Synced) -> io::Result<()> {
        self.file.sync_data()?;
        if !synced.found_again {
            for place in &self.around {
                File::open(place)?.sync_all()?;
            }
            synced.found_again = true;
        }
        Ok(())
    }
}

#[cfg(test)]
impl Durable {
    /// The last event known to be on disk.
    pub(crate) fn synced(&self) -> u64 {
        self.synced.lock().unwrap().seq
    }

    /// As after a sync that the disk refused.
    pub(crate) fn spoil(&self) {
        self.failed.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests;
