//! Files that a workflow names: text, of bounded size, from regular files only.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use awf_core::{Code, StepError};

/// The longest prompt, script, skill or role.
const LONGEST: u64 = 1 << 20;

/// Why a file gave no text.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("cannot read `{}`: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("`{}` is no regular file", .0.display())]
    Special(PathBuf),
    #[error("`{}` is longer than {limit} bytes", path.display())]
    TooLong { path: PathBuf, limit: u64 },
}

/// The text of a file; what is no UTF-8 in it is replaced.
pub(super) fn read(path: &Path, limit: u64) -> Result<String, FileError> {
    let failed = |source| FileError::Read { path: path.to_owned(), source };
    // Looked at before it is opened: opening a FIFO would wait for its writer.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(FileError::Special(path.to_owned()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLong { path: path.to_owned(), limit });
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The first of several places that has a file, and its text.
pub(super) fn read_first(
    places: Vec<PathBuf>,
    missing: Code,
    what: &str,
) -> Result<(PathBuf, String), StepError> {
    let Some(path) = places.into_iter().find(|place| place.is_file()) else {
        return Err(StepError { code: missing, message: format!("there is no {what}") });
    };
    let text = read(&path, LONGEST)
        .map_err(|error| StepError { code: Code::IoReadFailed, message: error.to_string() })?;
    Ok((path, text))
}

#[cfg(test)]
mod tests;
