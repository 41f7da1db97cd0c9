//! What a walk could not read: counted, with one example, and said at the end of the answer.

use std::{io, path::Path};

use rustix::io::Errno;

use crate::{
    answer::{counted, push_note},
    shown,
};

/// Entries that could not be read.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    count: u64,
    example: Option<String>,
}

impl Trouble {
    /// A file the walk named could not be opened. One that vanished, or became a link, since is none of the tree's files.
    pub(crate) fn with_file(&mut self, path: &Path, errno: Errno) {
        if !matches!(errno, Errno::NOENT | Errno::LOOP | Errno::XDEV | Errno::NOTDIR | Errno::NXIO)
        {
            self.note(|| {
                format!("`{}`: {}", shown::name(path.as_os_str()), io::Error::from(errno))
            });
        }
    }

    /// A file could be opened but not searched to its end.
    pub(crate) fn while_reading(&mut self, path: &Path, error: &io::Error) {
        self.note(|| format!("`{}`: {error}", shown::name(path.as_os_str())));
    }

    /// The walk itself met an entry it could not read. A faulty line in an ignore file is not the caller's business.
    pub(crate) fn in_walk(&mut self, error: &ignore::Error) {
        if error.io_error().is_some_and(|error| error.kind() != io::ErrorKind::NotFound) {
            self.note(|| shown::name(error.to_string().as_ref()));
        }
    }

    pub(crate) fn absorb(&mut self, other: Self) {
        self.count += other.count;
        self.example = self.example.take().or(other.example);
    }

    pub(crate) fn push_note(&self, text: &mut String) {
        if let Some(example) = &self.example {
            let entries = counted(self.count, "place");
            push_note(text, format_args!("{entries} could not be read, for example {example}"));
        }
    }

    fn note(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        if self.example.is_none() {
            self.example = Some(what());
        }
    }
}
