//! What becomes of a run's files when the run is killed: the guard of its children outlives it, and removes them.
//!
//! Should the guard be killed in the same moment, the next start does.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

use awf_process::{Guard, GuardCommand};

use crate::wiring::{GUARD_WORD, scratch};

/// Where a run has files.
pub(crate) struct LastWill {
    pub(crate) home: PathBuf,
    /// Where sessions and plugins may have sockets.
    pub(crate) runtime_dirs: Vec<PathBuf>,
}

impl LastWill {
    /// A guard that carries it out.
    pub(crate) fn guard(&self, executable: &Path) -> Guard {
        let dirs = [&self.home].into_iter().chain(&self.runtime_dirs);
        let args = [OsString::from(GUARD_WORD)].into_iter().chain(dirs.map(OsString::from));
        Guard::new(GuardCommand { program: executable.to_owned(), args: args.collect() })
    }
}

/// The guard's whole life. `words` are its arguments: none but the first when there is no last will.
pub(crate) fn guard_main(words: impl Iterator<Item = OsString>) -> ExitCode {
    let mut dirs = words.map(PathBuf::from);
    let Some(home) = dirs.next() else { return awf_process::guard_main() };
    awf_process::guard_main_then(|| {
        scratch::sweep(&scratch::beneath(&home));
        dirs.for_each(|dir| awf_tools::sweep_private_dirs(&dir));
    })
}
