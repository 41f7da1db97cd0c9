//! Pipes between host and command, non-blocking on the host's side only.

use std::io;

use tokio::net::unix::pipe;

use crate::{
    child::Child,
    command::{CommandSpec, Stream, Streams},
    error::SpawnError,
    guard::Guard,
};

/// A command with pipes on both sides.
#[derive(Debug)]
pub struct Piped {
    /// The command.
    pub child: Child,
    /// What it reads; drop it to signal the end.
    pub stdin: pipe::Sender,
    /// What it writes.
    pub stdout: pipe::Receiver,
}

impl Guard {
    /// Starts a command that talks over its standard input and output.
    pub async fn spawn_piped(
        &self,
        spec: CommandSpec,
        stderr: Stream,
    ) -> Result<Piped, SpawnError> {
        let (stdin, write) = input_pipe().map_err(SpawnError::Pipe)?;
        let (stdout, read) = output_pipe().map_err(SpawnError::Pipe)?;
        widen(&read);
        let child = self.spawn(spec, Streams { stdin, stdout, stderr }).await?;
        Ok(Piped { child, stdin: write, stdout: read })
    }
}

/// Lets a long answer come in a few pieces: each that fills the pipe costs both sides a turn of sleeping and waking. What a
/// user's pipes may hold together is limited, so it is not as wide as it could be; where the system does not grant it, the
/// pipe works as it is.
fn widen(pipe: &pipe::Receiver) {
    const WIDE: usize = 256 * 1024;
    let _: rustix::io::Result<usize> = rustix::pipe::fcntl_setpipe_size(pipe, WIDE);
}

/// A pipe for a command's input: its end, and ours.
pub fn input_pipe() -> io::Result<(Stream, pipe::Sender)> {
    let (read, write) = io::pipe()?;
    Ok((Stream::Descriptor(read.into()), pipe::Sender::from_owned_fd(write.into())?))
}

/// A pipe for a command's output: its end, and ours.
pub fn output_pipe() -> io::Result<(Stream, pipe::Receiver)> {
    let (read, write) = io::pipe()?;
    Ok((Stream::Descriptor(write.into()), pipe::Receiver::from_owned_fd(read.into())?))
}
