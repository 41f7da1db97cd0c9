//! How far a file has been read, and a way to see that it is no longer the same file.

use std::{io, os::unix::fs::FileExt as _, path::Path};

use crate::{
    chain::{self, Hash, TAIL},
    layout::open_read,
};

/// A place in a file of lines: how many bytes were read, and the last of them, which hold the hash of the last line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) bytes: u64,
    pub(super) tail: Vec<u8>,
}

impl Mark {
    /// The mark at `bytes` of the file as it is now. Too short a file gives another mark.
    pub(super) fn at(path: &Path, bytes: u64) -> io::Result<Self> {
        let len = bytes.min(TAIL as u64 + 1);
        let mut tail = vec![0; usize::try_from(len).unwrap_or_default()];
        if len > 0 {
            match open_read(path)?.read_exact_at(&mut tail, bytes - len) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => tail.clear(),
                Err(error) => return Err(error),
            }
        }
        Ok(Self { bytes, tail })
    }

    /// The hash of the last line that was read; `None` when none was.
    pub(super) fn hash(&self) -> Option<Hash> {
        let tail = self.tail.strip_suffix(b"\n")?;
        chain::split(tail).map(|split| split.claimed)
    }

    /// Whether the file still has what was read at this place.
    pub(super) fn holds(&self, path: &Path) -> io::Result<bool> {
        match Self::at(path, self.bytes) {
            Ok(now) => Ok(now == *self),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}
