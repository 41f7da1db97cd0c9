//! What can be wrong with a file a tool was asked for, in words a model can act on.

use std::io;

use crate::files::kind::FileKind;

/// Why a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("`{path}` lies outside {roots}; file tools reach nothing else")]
    Outside { path: String, roots: String },
    #[error("`{path}` does not exist")]
    NotFound { path: String },
    #[error("`{path}` is {kind}, not a regular file")]
    NotRegular { path: String, kind: FileKind },
    #[error("`{path}` is {kind}, not a directory")]
    NotDirectory { path: String, kind: FileKind },
    #[error("`{path}` passes through more than {limit} symbolic links")]
    TooManyLinks { path: String, limit: usize },
    #[error("`{path}` is not a usable path: {problem}")]
    BadPath { path: String, problem: &'static str },
    #[error("`{path}` is protected: {reason}")]
    Protected { path: String, reason: &'static str },
    #[error(
        "`{path}` is read-only (mode {mode:04o}); make it writable with Bash `chmod u+w` first"
    )]
    ReadOnly { path: String, mode: u32 },
    #[error(
        "`{path}` has other hard links, and replacing it would leave them with the old content; \
         change it in place with Bash"
    )]
    HardLinked { path: String },
    #[error("`{path}` was changed by someone else during the call; read it again")]
    Changed { path: String },
    #[error("`{path}` has {size} bytes, more than the {limit} this tool takes; use Bash")]
    TooLarge { path: String, size: u64, limit: u64 },
    #[error("cannot {attempt} `{path}`: {source}")]
    Io { path: String, attempt: &'static str, source: io::Error },
}

impl FileError {
    /// For `map_err`: what was tried, on what.
    pub(crate) fn io<E: Into<io::Error>>(
        path: &str,
        attempt: &'static str,
    ) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, attempt, source: source.into() }
    }
}
