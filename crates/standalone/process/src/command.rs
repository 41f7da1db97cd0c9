//! What to start, and where its three streams go.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    os::{
        fd::OwnedFd,
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::PathBuf,
};

use crate::error::SpawnError;

/// The variable by which orphans of a command are found. Its value is unique to the command; a value given in
/// [`CommandSpec::env`] is replaced.
pub const MARKER: &str = "AWF_SPAWN";

/// A command as plain data. Nothing is inherited: the environment is exactly `env`, plus [`MARKER`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSpec {
    /// A path, or a name that is looked up in the `PATH` of `env`.
    pub program: OsString,
    /// The arguments after the program's name.
    pub args: Vec<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory; absolute, for the guard has none of its own.
    pub cwd: PathBuf,
}

impl CommandSpec {
    /// What no system would accept, said before anything is started.
    pub(crate) fn check(&self) -> Result<(), SpawnError> {
        let problem = if self.strings().any(|string| string.as_bytes().contains(&0)) {
            "an argument, a variable or the working directory contains a NUL byte"
        } else if self.env.iter().any(|(key, _)| key.is_empty() || key.as_bytes().contains(&b'=')) {
            "a variable's name is empty or contains `=`"
        } else if !self.cwd.is_absolute() {
            "the working directory is not an absolute path"
        } else {
            return Ok(());
        };
        Err(SpawnError::Invalid { program: self.program.clone(), problem })
    }

    pub(crate) fn too_large(&self) -> SpawnError {
        let lengths = self.strings().map(OsStr::len);
        SpawnError::TooLarge {
            program: self.program.clone(),
            total: lengths.clone().sum(),
            longest: lengths.max().unwrap_or_default(),
        }
    }

    fn strings(&self) -> impl Iterator<Item = &OsStr> + Clone {
        [self.program.as_os_str(), self.cwd.as_os_str()]
            .into_iter()
            .chain(self.args.iter().map(OsString::as_os_str))
            .chain(self.env.iter().flat_map(|(key, value)| [key.as_os_str(), value.as_os_str()]))
    }
}

/// Where one stream of a command leads.
#[derive(Debug)]
pub enum Stream {
    /// The null device.
    Null,
    /// A file, a pipe end or a socket. The host's copy is closed once the command has it.
    Descriptor(OwnedFd),
}

impl From<File> for Stream {
    fn from(file: File) -> Self {
        Self::Descriptor(file.into())
    }
}

impl From<OwnedFd> for Stream {
    fn from(descriptor: OwnedFd) -> Self {
        Self::Descriptor(descriptor)
    }
}

/// The three streams of a command.
#[derive(Debug)]
pub struct Streams {
    /// What it reads.
    pub stdin: Stream,
    /// Where its output goes.
    pub stdout: Stream,
    /// Where its complaints go.
    pub stderr: Stream,
}

/// The value of [`MARKER`] for one command of one guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marker(OsString);

impl Marker {
    pub(crate) fn new(scope: u64, command: u64) -> Self {
        Self(format!("{scope:016x}.{command}").into())
    }

    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(OsString::from_vec(bytes))
    }

    pub(crate) fn value(&self) -> &OsStr {
        &self.0
    }

    /// Whether an environment block, as `/proc/<pid>/environ` shows it, carries this marker.
    pub(crate) fn is_in(&self, environ: &[u8]) -> bool {
        environ.split(|byte| *byte == 0).any(|entry| {
            entry.strip_prefix(MARKER.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
                == Some(self.0.as_bytes())
        })
    }
}

#[cfg(test)]
mod tests;
