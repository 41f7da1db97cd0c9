//! Running a command to its end, with its output, within limits.

use std::{pin::pin, time::Duration};

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    capture::{Captured, Drain, Keep, discard},
    child::{Child, Exit, Grace},
    command::{CommandSpec, Stream, Streams},
    error::{EndError, GuardLost, SpawnError},
    guard::Guard,
    pipes::output_pipe,
};

/// How long a command may run and how much of its output is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Counted from the start.
    pub timeout: Duration,
    /// Between asking and killing, after a timeout or a cancellation.
    pub grace: Grace,
    /// Of standard output.
    pub stdout: Keep,
    /// Of standard error.
    pub stderr: Keep,
}

/// Why a run is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It ended by itself, with this code.
    Exited(i32),
    /// A signal ended it.
    Signaled(i32),
    /// It passed its time; it and all it started are gone.
    TimedOut,
    /// The caller cancelled; it and all it started are gone.
    Cancelled,
}

/// A run that is over, with the output up to then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Why it is over.
    pub outcome: Outcome,
    /// What it wrote.
    pub stdout: Captured,
    /// What it complained.
    pub stderr: Captured,
}

impl Guard {
    /// Runs a command with no input. The answer comes when the command itself ends, even if a child of it
    /// still holds its output; such a child goes on, its output read and dropped, until the guard sweeps.
    /// Dropping the future kills everything the command started.
    pub async fn run(
        &self,
        spec: CommandSpec,
        limits: Limits,
        cancel: &CancellationToken,
    ) -> Result<Finished, SpawnError> {
        let (stdout, read) = output_pipe().map_err(SpawnError::Pipe)?;
        let mut output = Drain::new(read, limits.stdout);
        let (stderr, read) = output_pipe().map_err(SpawnError::Pipe)?;
        let mut errors = Drain::new(read, limits.stderr);
        let child = self.spawn(spec, Streams { stdin: Stream::Null, stdout, stderr }).await?;
        let outcome = {
            let mut outcome = pin!(follow(child, limits, cancel));
            // Read all the time, also through the grace: a full pipe would keep the command from ending.
            let drained = async { tokio::join!(output.fill(), errors.fill()) };
            tokio::select! {
                biased;
                outcome = &mut outcome => outcome,
                _ = drained => outcome.await,
            }
        }?;
        Ok(Finished { outcome, stdout: self.conclude(output), stderr: self.conclude(errors) })
    }

    fn conclude(&self, mut drain: Drain) -> Captured {
        drain.fill_from_rest();
        let (captured, pipe) = drain.finish();
        if let Some(pipe) = pipe {
            self.keep(discard(pipe));
        }
        captured
    }
}

/// Waits for the command, and ends it when its time is up or the caller wants it.
async fn follow(
    mut child: Child,
    limits: Limits,
    cancel: &CancellationToken,
) -> Result<Outcome, GuardLost> {
    let outcome = tokio::select! {
        biased;
        exit = child.wait() => return exit.map(|exit| match exit {
            Exit::Code(code) => Outcome::Exited(code),
            Exit::Signal(signal) => Outcome::Signaled(signal),
        }),
        () = cancel.cancelled() => Outcome::Cancelled,
        () = sleep(limits.timeout) => Outcome::TimedOut,
    };
    // What could not be ended is tried again by the sweep, and reported there; a lost guard took it along.
    let _: Result<(), EndError> = child.kill(limits.grace).await;
    Ok(outcome)
}
