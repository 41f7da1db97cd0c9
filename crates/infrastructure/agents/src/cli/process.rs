//! One run of a program: started, heard, ended with all it started.

use std::{fs::File, pin::pin, time::Duration};

use awf_core::{AgentFailure, AgentWatcher};
use awf_process::{Child, CommandSpec, Exit, Grace, Guard, SpawnError, Streams, output_pipe};
use serde_json::Value;
use tokio::{io::AsyncReadExt as _, net::unix::pipe::Receiver, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::cli::{dialect::Dialect, lines::Lines, story::Story};

/// How long a program that is no longer wanted may take to end.
const GRACE: Grace = Grace(Duration::from_millis(1500));
/// The same for what a program that has ended left behind.
const LEFT_GRACE: Grace = Grace(Duration::from_millis(500));
/// How long to wait for the end of the streams when nobody should hold them any more.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// From being cancelled to being gone, with some time for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// The longest line that is read. Agents put whole files and pictures on one.
const LONGEST_EVENT: usize = 16 << 20;
/// How much of its complaints is kept, from the end.
const COMPLAINTS: usize = 16 << 10;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Exited(Exit),
    /// By us. What it says of its own end does not count then: some exit with 0.
    Cancelled,
}

/// A started program. Dropping it kills it.
pub(crate) struct Started {
    child: Child,
    stdout: Receiver,
    stderr: Receiver,
}

impl Started {
    pub(crate) async fn spawn(
        guard: &Guard,
        spec: CommandSpec,
        stdin: File,
        cancel: &CancellationToken,
    ) -> Result<Self, AgentFailure> {
        let piped = || output_pipe().map_err(|error| not_started(&SpawnError::Pipe(error)));
        let (stdout, output) = piped()?;
        let (stderr, errors) = piped()?;
        let streams = Streams { stdin: stdin.into(), stdout, stderr };
        tokio::select! {
            biased;
            // Should it start after all, it is killed, because nobody takes it.
            () = cancel.cancelled() => Err(AgentFailure::Cancelled),
            child = guard.spawn(spec, streams) => {
                let child = child.map_err(|error| not_started(&error))?;
                Ok(Self { child, stdout: output, stderr: errors })
            }
        }
    }

    /// Hears it until it ends or is cancelled. Nothing of it is left afterwards.
    pub(crate) async fn follow(self, ears: &mut Ears<'_>, cancel: &CancellationToken) -> End {
        let Self { mut child, stdout, stderr } = self;
        let mut heard = pin!(hear(stdout, stderr, ears));
        let mut silent = false;
        let end = loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break End::Cancelled,
                exit = child.wait() => break match exit {
                    Ok(exit) => End::Exited(exit),
                    // The guard is gone and has taken it along: nobody knows its code.
                    Err(_) => End::Exited(Exit::Signal(9)),
                },
                () = &mut heard, if !silent => silent = true,
            }
        };
        let mut ending = pin!(child.kill(match end {
            End::Cancelled => GRACE,
            End::Exited(_) => LEFT_GRACE,
        }));
        // Read all the time: a full pipe would keep it from ending.
        let ended = loop {
            tokio::select! {
                biased;
                ended = &mut ending => break ended,
                () = &mut heard, if !silent => silent = true,
            }
        };
        if let Err(error) = ended {
            tracing::warn!(%error, "an agent did not end");
        }
        if !silent {
            // Late is no failure: something that could not be ended may hold the pipe.
            drop(timeout(LAST_WORDS, heard).await);
        }
        end
    }
}

/// Reads both streams to their ends.
async fn hear(mut stdout: Receiver, mut stderr: Receiver, ears: &mut Ears<'_>) {
    let (mut output, mut errors) = (vec![0; 64 << 10], vec![0; 4 << 10]);
    let (mut talks, mut complains) = (true, true);
    while talks || complains {
        tokio::select! {
            read = stdout.read(&mut output), if talks => match read {
                Ok(count) if count > 0 => ears.output(output.get(..count).unwrap_or_default()),
                Ok(_) | Err(_) => talks = false,
            },
            read = stderr.read(&mut errors), if complains => match read {
                Ok(count) if count > 0 => ears.error(errors.get(..count).unwrap_or_default()),
                Ok(_) | Err(_) => complains = false,
            },
        }
    }
}

/// Takes what a program writes.
pub(crate) struct Ears<'a> {
    dialect: Dialect,
    output: Lines,
    errors: Lines,
    story: Story,
    complaints: Vec<u8>,
    watcher: &'a AgentWatcher,
}

impl<'a> Ears<'a> {
    pub(crate) fn new(dialect: Dialect, watcher: &'a AgentWatcher) -> Self {
        let (output, errors) = (Lines::up_to(LONGEST_EVENT), Lines::up_to(COMPLAINTS));
        let (story, complaints) = (Story::default(), Vec::new());
        Self { dialect, output, errors, story, complaints, watcher }
    }

    pub(crate) fn output(&mut self, bytes: &[u8]) {
        let Self { dialect, output, story, .. } = self;
        output.push(bytes, |line| event(line, *dialect, story));
        self.tell();
    }

    pub(crate) fn error(&mut self, bytes: &[u8]) {
        let Self { dialect, errors, story, .. } = self;
        errors.push(bytes, |line| dialect.complaint(&String::from_utf8_lossy(line), story));
        self.complaints.extend_from_slice(bytes);
        let excess = self.complaints.len().saturating_sub(COMPLAINTS);
        self.complaints.drain(..excess);
        self.tell();
    }

    /// What was heard, and the end of the complaints.
    pub(crate) fn close(mut self) -> (Story, String) {
        let Self { dialect, output, errors, story, .. } = &mut self;
        output.finish(|line| event(line, *dialect, story));
        errors.finish(|line| dialect.complaint(&String::from_utf8_lossy(line), story));
        story.close();
        self.tell();
        (self.story, String::from_utf8_lossy(&self.complaints).into_owned())
    }

    fn tell(&mut self) {
        for piece in self.story.take_news() {
            (self.watcher)(piece);
        }
    }
}

/// One line. What is no event is tolerated: programs and their hooks write all kinds of things.
fn event(line: &[u8], dialect: Dialect, story: &mut Story) {
    let line: Vec<u8> = line.iter().copied().filter(|byte| *byte != 0).collect();
    let line = String::from_utf8_lossy(&line);
    match serde_json::from_str::<Value>(&line) {
        Ok(event) if event.is_object() => dialect.read(&event, story),
        Ok(_) | Err(_) if line.trim().is_empty() => {}
        Ok(_) | Err(_) => story.junk(&line),
    }
}

/// An error and what the system said.
pub(crate) fn not_started(error: &SpawnError) -> AgentFailure {
    AgentFailure::Start(match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    })
}
