//! What can go wrong between a host and its children.

use std::{ffi::OsString, io, path::PathBuf};

use thiserror::Error;

/// The guard process ended while a command depended on it; the command was ended with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the process guard ended unexpectedly; the command was ended with it")]
pub struct GuardLost;

/// Why a command was not started, or could not be followed to its end.
#[derive(Debug, Error)]
pub enum SpawnError {
    /// The guard itself could not be started, or what was started is not a guard.
    #[error("cannot start the process guard `{}`", program.display())]
    StartGuard {
        /// The program of the [`GuardCommand`](crate::GuardCommand).
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The guard ended while the command was starting or running.
    #[error(transparent)]
    GuardLost(#[from] GuardLost),
    /// The program could not be executed.
    #[error("cannot start `{}`", program.display())]
    Program {
        /// The program as given.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
    /// The working directory cannot be entered.
    #[error("cannot use `{}` as working directory", path.display())]
    WorkingDirectory {
        /// The directory as given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refuses a command line of this size.
    #[error(
        "the command line of `{}` is too large for the system: {total} bytes with the environment, \
         the longest string {longest} bytes", program.display()
    )]
    TooLarge {
        /// The program as given.
        program: OsString,
        /// Bytes of program, arguments and environment together.
        total: usize,
        /// Bytes of the longest single string; Linux refuses more than 128 KiB.
        longest: usize,
    },
    /// The command can never be started as it is written.
    #[error("cannot start `{}`: {problem}", program.display())]
    Invalid {
        /// The program as given.
        program: OsString,
        /// What is wrong with the specification.
        problem: &'static str,
    },
    /// No pipe could be made for the command's streams.
    #[error("cannot make a pipe for a command")]
    Pipe(#[source] io::Error),
}

/// Why not everything that was to end has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EndError {
    /// The guard ended meanwhile.
    #[error(transparent)]
    GuardLost(#[from] GuardLost),
    /// Processes that do not die: those of another user, or stuck in the kernel.
    #[error("{count} processes could not be ended")]
    Survivors {
        /// How many are left.
        count: u32,
    },
}
