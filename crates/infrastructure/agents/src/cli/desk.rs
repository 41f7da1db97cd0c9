//! The private directory of one run: made before the program starts, gone when it has ended. Directories are 0700, files
//! 0600, links lead to what the user has anyway.

use std::{
    fs::{DirBuilder, File, OpenOptions, Permissions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _, symlink},
    path::{Path, PathBuf},
};

use awf_core::AgentFailure;
use tempfile::TempDir;

use crate::cli::injection::Injection;

/// The file that is the program's standard input.
const PROMPT: &str = "prompt";

/// A directory that goes when it is dropped.
pub(crate) struct Desk {
    dir: TempDir,
}

impl Desk {
    /// Beneath `scratch`.
    pub(crate) fn make(scratch: &Path) -> Result<Self, AgentFailure> {
        let mut builder = tempfile::Builder::new();
        let made =
            builder.prefix("agent-").permissions(Permissions::from_mode(0o700)).tempdir_in(scratch);
        let dir = made.map_err(|error| failed(scratch, &error))?;
        Ok(Self { dir })
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Writes the files and links of `injection`; gives the prompt, open for reading.
    pub(crate) fn lay(&self, injection: &Injection) -> Result<File, AgentFailure> {
        for file in &injection.files {
            self.at(&file.path, |path| write(path, &file.content))?;
        }
        for link in &injection.links {
            self.at(&link.path, |path| symlink(&link.target, path))?;
        }
        self.at(Path::new(PROMPT), |path| {
            write(path, &injection.stdin)?;
            File::open(path)
        })
    }

    fn at<T>(
        &self,
        path: &Path,
        make: impl FnOnce(&Path) -> io::Result<T>,
    ) -> Result<T, AgentFailure> {
        let path: PathBuf = self.path().join(path);
        let parents = || match path.parent() {
            Some(parent) => DirBuilder::new().recursive(true).mode(0o700).create(parent),
            None => Ok(()),
        };
        parents().and_then(|()| make(&path)).map_err(|error| failed(&path, &error))
    }
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content.as_bytes())
}

fn failed(path: &Path, error: &io::Error) -> AgentFailure {
    AgentFailure::Start(format!("`{}` cannot be written: {error}", path.display()))
}
