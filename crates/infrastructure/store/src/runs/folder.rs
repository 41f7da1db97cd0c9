//! Where the journals of runs lie.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use awf_core::{RunId, RunJournalError};

use crate::layout::create_directory;

const SUFFIX: &str = ".jsonl";

/// The directory of all journals.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(home: &Path) -> Self {
        Self(home.join("runs"))
    }

    /// The journal of one run.
    pub(crate) fn journal(&self, run: RunId) -> PathBuf {
        self.0.join(format!("{run}{SUFFIX}"))
    }

    /// Makes the directory, closed to others.
    pub(crate) fn create(&self) -> Result<(), RunJournalError> {
        create_directory(&self.0).map_err(|error| self.failed(error))
    }

    /// The runs that have a journal, newest first.
    pub(crate) fn runs(&self) -> Result<Vec<RunId>, RunJournalError> {
        let failed = |error| self.failed(error);
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut runs = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            // A pipe put here under a journal's name would be waited for without end.
            if entry.file_type().map_err(failed)?.is_file() {
                runs.extend(entry.file_name().to_str().and_then(run_of));
            }
        }
        runs.sort_unstable_by(|one, other| other.cmp(one));
        Ok(runs)
    }

    /// What the system said about the directory itself.
    pub(crate) fn failed(&self, source: io::Error) -> RunJournalError {
        RunJournalError::Io { path: self.0.clone(), source }
    }
}

/// One name per file: the decoder also takes lower case, which would be another file.
fn run_of(file_name: &str) -> Option<RunId> {
    let name = file_name.strip_suffix(SUFFIX)?;
    RunId::parse(name).filter(|run| run.to_string() == name)
}
