//! Bash: a shell command, in a session of its own, under the guard that no process of it can outlive.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use awf_core::{ToolFailure, ToolResult};
use awf_process::{CommandSpec, EndError, Grace, Guard, Keep, Limits, Outcome, SpawnError};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{
    arguments::{InvalidArguments, Whole},
    files::{FileError, Roots},
    tool::{Effect, ToolCard},
    tree::{self, Scope},
    turns::Turns,
};

mod background;
mod logs;
mod outcome;

use background::Background;

pub(crate) const CARD: ToolCard = ToolCard {
    name: "Bash",
    title: "Run command",
    description: "Runs a shell command and returns its output; a non-zero exit code is an error that keeps the output. \
                  Standard input is empty. The answer comes when the shell exits, also if something it started goes on; \
                  such processes live until the session ends. After `timeout` (default 120000 ms) the command and \
                  everything it started are killed. Long output is cut in the middle. Every call is a new shell: \
                  `cd` and variables do not carry over, so use `cwd`.",
    effect: Effect::Anything,
};

const USUAL_TIMEOUT: Duration = Duration::from_mins(2);
/// What one answer keeps of standard output: its beginning and its end.
const STDOUT: Keep = Keep { head: 32_000, tail: 32_000 };
/// The same of standard error; together they stay below 100 KB.
const STDERR: Keep = Keep { head: 16_000, tail: 16_000 };
/// More wait their turn: each takes descriptors and processes.
const AT_ONCE: usize = 32;
/// At the end of a session, between asking processes to end and killing them.
const CLOSING: Grace = Grace(Duration::from_secs(2));

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BashArguments {
    /// The command, as one would type it into the shell.
    command: String,
    /// Milliseconds after which the command is killed (default 120000, at most 600000). With `run_in_background` there
    /// is no time limit unless one is given here.
    timeout: Option<Whole<1, 600_000>>,
    #[schemars(skip)]
    timeout_seconds: Option<Whole<1, 600>>,
    /// What the command is for, in a few words; kept in the activity record of the call.
    #[serde(rename = "description")]
    _description: Option<String>,
    /// The directory to run in: relative to the root directory, or absolute inside it (default: the root directory).
    #[serde(alias = "working_dir")]
    cwd: Option<String>,
    /// Return at once and let the command run on; its output goes to a file that the answer names.
    #[serde(default)]
    run_in_background: bool,
}

impl BashArguments {
    fn timeout(&self) -> Result<Option<Duration>, InvalidArguments> {
        match (self.timeout, self.timeout_seconds) {
            (None, None) => Ok(None),
            (Some(millis), None) => Ok(Some(Duration::from_millis(millis.get().into()))),
            (None, Some(seconds)) => Ok(Some(Duration::from_secs(seconds.get().into()))),
            (Some(_), Some(_)) => Err(InvalidArguments::new(
                "timeout_seconds",
                "is the same as `timeout` in another unit; give one of them",
            )),
        }
    }
}

/// How commands are run.
#[derive(Clone, Debug)]
pub struct ShellSettings {
    /// The shell; it gets `-c` and the command.
    pub program: OsString,
    /// The whole environment of every command.
    pub env: Vec<(OsString, OsString)>,
    /// A private directory for the output of commands in the background.
    pub log_dir: PathBuf,
}

/// The shell tool of one session.
#[derive(Debug)]
pub(crate) struct Bash {
    settings: ShellSettings,
    guard: Guard,
    turns: Turns,
    background: Background,
    closed: CancellationToken,
}

/// Why there is no answer of the command itself.
#[derive(Debug)]
pub(crate) enum NotRun {
    Arguments(InvalidArguments),
    Directory(FileError),
    Host(ToolFailure),
}

impl From<InvalidArguments> for NotRun {
    fn from(fault: InvalidArguments) -> Self {
        Self::Arguments(fault)
    }
}

impl Bash {
    pub(crate) fn new(settings: ShellSettings, guard: Guard) -> Self {
        Self {
            background: Background::new(settings.log_dir.clone()),
            settings,
            guard,
            turns: Turns::new(AT_ONCE),
            closed: CancellationToken::new(),
        }
    }

    pub(crate) async fn run(
        &self,
        roots: &Roots,
        arguments: BashArguments,
        cancel: &CancellationToken,
    ) -> Result<ToolResult, NotRun> {
        let timeout = arguments.timeout()?;
        let cwd = directory(roots, arguments.cwd.as_deref())?;
        let spec = CommandSpec {
            program: self.settings.program.clone(),
            args: vec!["-c".into(), arguments.command.into()],
            env: self.settings.env.clone(),
            cwd,
        };
        let running = async {
            if arguments.run_in_background {
                self.background.start(&self.guard, spec, timeout).await
            } else {
                self.run_to_end(spec, timeout.unwrap_or(USUAL_TIMEOUT), cancel).await
            }
        };
        tokio::select! {
            biased;
            () = self.closed.cancelled() => {
                Err(NotRun::Host(ToolFailure::Unavailable("the session is closed".into())))
            }
            done = running => done,
        }
    }

    async fn run_to_end(
        &self,
        spec: CommandSpec,
        timeout: Duration,
        cancel: &CancellationToken,
    ) -> Result<ToolResult, NotRun> {
        let turn = self.turns.turn(cancel).await.map_err(NotRun::Host)?;
        let limits = Limits { timeout, grace: Grace::NONE, stdout: STDOUT, stderr: STDERR };
        let finished = self.guard.run(spec, limits, cancel).await.map_err(not_started)?;
        drop(turn);
        if finished.outcome == Outcome::Cancelled {
            return Err(NotRun::Host(ToolFailure::Cancelled));
        }
        Ok(outcome::answer(&finished, timeout))
    }

    /// Ends every command and whatever they left behind, and removes the output of those in the background.
    pub(crate) async fn close(&self) {
        self.closed.cancel();
        self.background.end();
        // Whoever survives belongs to another user, or the guard is gone and took them along: no more can be done.
        let _: Result<(), EndError> = self.guard.sweep(CLOSING).await;
        self.background.forget();
    }
}

/// The directory a command runs in. It is where the command starts, not where it must stay.
fn directory(roots: &Roots, typed: Option<&str>) -> Result<PathBuf, NotRun> {
    match Scope::of(roots, typed) {
        Ok(Scope::Directory(place)) => Ok(tree::directory(&place)),
        Ok(Scope::File(_)) => {
            Err(InvalidArguments::new("cwd", "is a file, not a directory").into())
        }
        Err(error) => Err(NotRun::Directory(error)),
    }
}

/// A command that cannot be started is the caller's fault or the host's.
fn not_started(error: SpawnError) -> NotRun {
    match error {
        SpawnError::Invalid { problem, .. } => InvalidArguments::new("command", problem).into(),
        SpawnError::TooLarge { .. } => InvalidArguments::new("command", error.to_string()).into(),
        SpawnError::WorkingDirectory { path, source } => {
            let path = crate::shown::name(path.as_os_str());
            NotRun::Directory(FileError::Io { path, attempt: "enter", source })
        }
        SpawnError::StartGuard { ref source, .. }
        | SpawnError::Program { ref source, .. }
        | SpawnError::Pipe(ref source) => {
            NotRun::Host(ToolFailure::Unavailable(format!("{error}: {source}")))
        }
        SpawnError::GuardLost(_) => NotRun::Host(ToolFailure::Unavailable(error.to_string())),
    }
}
