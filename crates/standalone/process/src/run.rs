//! Running a command to its end, with its output, within limits.

use std::{pin::pin, time::Duration};

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    capture::{Captured, Drain, Keep, Listener, discard},
    child::{Child, Exit, Grace},
    command::{CommandSpec, Stream, Streams},
    error::{EndError, SpawnError},
    guard::Guard,
    pipes::output_pipe,
};

/// How long a command that is no longer wanted may take to start, so that it can be ended. More than this is a
/// program or a directory on a file system that does not answer.
const START_TIME: Duration = Duration::from_secs(2);

/// How long a command may run and how much of its output is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Counted from the call.
    pub timeout: Duration,
    /// Between asking and killing, after a timeout or a cancellation.
    pub grace: Grace,
    /// Of standard output.
    pub stdout: Keep,
    /// Of standard error.
    pub stderr: Keep,
}

/// Who hears what a command writes while it runs.
pub struct Listeners<'a> {
    /// Standard output.
    pub stdout: Listener<'a>,
    /// Standard error.
    pub stderr: Listener<'a>,
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

impl From<Exit> for Outcome {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Code(code) => Self::Exited(code),
            Exit::Signal(signal) => Self::Signaled(signal),
        }
    }
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
        let deaf = Listeners { stdout: Box::new(|_| ()), stderr: Box::new(|_| ()) };
        self.run_heard(spec, limits, deaf, cancel).await
    }

    /// The same, with the output heard as it comes.
    pub async fn run_heard(
        &self,
        spec: CommandSpec,
        limits: Limits,
        listeners: Listeners<'_>,
        cancel: &CancellationToken,
    ) -> Result<Finished, SpawnError> {
        let (stdout, read) = output_pipe().map_err(SpawnError::Pipe)?;
        let mut output = Drain::new(read, limits.stdout, listeners.stdout);
        let (stderr, read) = output_pipe().map_err(SpawnError::Pipe)?;
        let mut errors = Drain::new(read, limits.stderr, listeners.stderr);
        let start = self.spawn(spec, Streams { stdin: Stream::Null, stdout, stderr });
        let outcome = {
            let mut outcome = pin!(follow(start, limits, cancel));
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

    fn conclude(&self, mut drain: Drain<'_>) -> Captured {
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
    start: impl Future<Output = Result<Child, SpawnError>>,
    limits: Limits,
    cancel: &CancellationToken,
) -> Result<Outcome, SpawnError> {
    if cancel.is_cancelled() {
        return Ok(Outcome::Cancelled);
    }
    let mut over = pin!(async {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Outcome::Cancelled,
            () = sleep(limits.timeout) => Outcome::TimedOut,
        }
    });
    let mut start = pin!(start);
    let (child, outcome) = tokio::select! {
        biased;
        child = &mut start => {
            let mut child = child?;
            let outcome = tokio::select! {
                biased;
                exit = child.wait() => return Ok(exit?.into()),
                outcome = &mut over => outcome,
            };
            (child, outcome)
        }
        outcome = &mut over => match timeout(START_TIME, start).await {
            Ok(child) => (child?, outcome),
            // Should it start after all, it is killed, because nobody takes it.
            Err(_) => return Ok(outcome),
        },
    };
    // What could not be ended is tried again by the sweep, and reported there; a lost guard took it along.
    let _: Result<(), EndError> = child.kill(limits.grace).await;
    Ok(outcome)
}
