//! What a search found, file by file.

use std::{cmp::Ordering, path::PathBuf};

use crate::{
    shortlist::{Entry, Shortlist},
    trouble::Trouble,
};

/// What one file contributes to the answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileHits {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl Ord for FileHits {
    fn cmp(&self, other: &Self) -> Ordering {
        self.path.cmp(&other.path)
    }
}

impl PartialOrd for FileHits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Entry for FileHits {
    fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// What a thread found, and in the end all of them.
#[derive(Debug)]
pub(super) struct Hits {
    pub(super) files: Shortlist<FileHits>,
    /// Matches in all files, shown or not.
    pub(super) matches: u64,
    pub(super) trouble: Trouble,
}

impl Hits {
    pub(super) fn new(answer_bytes: usize) -> Self {
        Self { files: Shortlist::new(answer_bytes), matches: 0, trouble: Trouble::default() }
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.files.absorb(other.files);
        self.matches += other.matches;
        self.trouble.absorb(other.trouble);
        self
    }
}
