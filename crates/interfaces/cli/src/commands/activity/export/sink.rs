//! Where an export goes: to stdout as long as somebody reads, or into a file that is there whole or not at all.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use awf_core::{Code, shown};
use tempfile::NamedTempFile;

use crate::{output::Output, report::CommandError};

pub(super) enum Sink {
    Stdout(Output),
    /// A device or a pipe: written to as it is.
    Device(File, PathBuf),
    /// Beside the file it will be, readable by the user alone: records may be of everything an agent saw.
    File(NamedTempFile, PathBuf),
}

impl Sink {
    pub(super) fn stdout() -> Self {
        Self::Stdout(Output::stdout())
    }

    pub(super) fn file(path: &Path) -> Result<Self, CommandError> {
        let failed = |error| cannot_write(path, &error);
        if path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Self::Device(file, path.to_owned()));
        }
        if path.is_dir() || path.file_name().is_none() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // A link stays one: what it leads to is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
        Ok(Self::File(file, target))
    }

    /// Writes all of it, and says whether more is wanted.
    pub(super) fn put(&mut self, data: &[u8]) -> Result<ControlFlow<()>, CommandError> {
        let (written, path) = match self {
            Self::Stdout(output) => return output.offer(data),
            Self::Device(file, path) => (file.write_all(data), path),
            Self::File(file, path) => (file.write_all(data), path),
        };
        match written {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            Err(error) => Err(cannot_write(path, &error)),
        }
    }

    /// Everything is written.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        match self {
            Self::Stdout(_) | Self::Device(..) => Ok(()),
            Self::File(file, path) => file
                .as_file()
                .sync_all()
                .and_then(|()| file.persist(&path).map_err(|error| error.error))
                .map(drop)
                .map_err(|error| cannot_write(&path, &error)),
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    let code = match error.kind() {
        io::ErrorKind::PermissionDenied => Code::IoPermissionDenied,
        _ => Code::IoWriteFailed,
    };
    CommandError::of(
        code,
        format!("cannot write `{}`: {error}", shown(&path.display().to_string())),
    )
}
