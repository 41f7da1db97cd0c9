//! Steps and hooks that a shell takes.

use std::{
    ffi::OsString,
    time::{Duration, Instant},
};

use awf_core::{Capture, Code, CommandSource, StepError, StepResult, StepStatus, Text};
use awf_process::{CommandSpec, Finished, Grace, Guard, Limits, Listeners, Outcome, SpawnError};
use futures_util::FutureExt as _;
use tempfile::TempPath;
use tokio_util::sync::CancellationToken;

use crate::{
    capture,
    engine::{
        OutputStream,
        bench::{Bench, Exported, Job, Speaker},
        render::render,
    },
    machine,
};

mod script;

/// Between asking a command to end and killing it.
const GRACE: Grace = Grace(Duration::from_secs(2));

/// A command, ready to be started.
struct Order {
    guard: Guard,
    spec: CommandSpec,
    timeout: Option<Duration>,
    capture: Capture,
    stdout: Speaker,
    stderr: Speaker,
    cancel: CancellationToken,
    /// Goes when the command has ended.
    script: Option<TempPath>,
}

/// What is executed.
pub(super) struct Executable {
    pub(super) path: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) script: Option<TempPath>,
}

/// A command step.
pub(super) fn step(bench: &Bench<'_>, source: &CommandSource) -> Result<Job, StepError> {
    let executable = match source {
        CommandSource::Inline(text) => inline(bench, text)?,
        CommandSource::Script(path) => script::executable(bench, path)?,
    };
    let capture = bench.state.map(|state| state.capture.clone()).unwrap_or_default();
    job(bench, executable, capture, bench.timeout())
}

/// A hook that runs a command. It belongs to the step's directory and environment, not to its time.
pub(super) fn hook(
    bench: &Bench<'_>,
    text: &Text,
    timeout: Option<Duration>,
) -> Result<Job, StepError> {
    job(bench, inline(bench, text)?, Capture::default(), timeout)
}

fn inline(bench: &Bench<'_>, text: &Text) -> Result<Executable, StepError> {
    let command = render(text, &bench.view)?;
    let args = vec!["-c".into(), command.into()];
    Ok(Executable { path: bench.ports.shell.clone(), args, script: None })
}

fn job(
    bench: &Bench<'_>,
    executable: Executable,
    capture: Capture,
    timeout: Option<Duration>,
) -> Result<Job, StepError> {
    let env = bench.env(Exported::Inputs)?;
    let order = Order {
        guard: bench.ports.guard.clone(),
        spec: CommandSpec {
            program: executable.path,
            args: executable.args,
            env: env.into_vec(),
            cwd: bench.dir()?,
        },
        timeout,
        capture,
        stdout: bench.speaker(OutputStream::Stdout),
        stderr: bench.speaker(OutputStream::Stderr),
        cancel: bench.cancel.clone(),
        script: executable.script,
    };
    Ok(Job { work: run(order).boxed(), provider: None })
}

async fn run(order: Order) -> StepResult {
    let Order { guard, spec, timeout, capture, mut stdout, mut stderr, cancel, script } = order;
    let began = Instant::now();
    let keep = capture::keep(&capture);
    let limits = Limits {
        timeout: timeout.unwrap_or(Duration::MAX),
        grace: GRACE,
        stdout: keep,
        stderr: keep,
    };
    let listeners = Listeners {
        stdout: Box::new(|bytes| stdout.hear(bytes)),
        stderr: Box::new(|bytes| stderr.hear(bytes)),
    };
    let mut result = match guard.run_heard(spec, limits, listeners, &cancel).await {
        Ok(finished) => told(&finished, &capture, timeout),
        Err(error) => not_started(&error),
    };
    drop(script);
    result.elapsed = began.elapsed();
    result
}

fn told(finished: &Finished, capture: &Capture, timeout: Option<Duration>) -> StepResult {
    let fail = |code, message| Some(StepError { code, message });
    let (status, exit_code, error) = match finished.outcome {
        Outcome::Exited(0) => (StepStatus::Completed, 0, None),
        Outcome::Exited(code) => {
            let error = fail(Code::CommandFailed, format!("exit code {code}"));
            (StepStatus::Failed, code, error)
        }
        Outcome::Signaled(signal) => {
            let error = fail(Code::CommandFailed, format!("ended by signal {signal}"));
            (StepStatus::Failed, 128 + signal, error)
        }
        Outcome::TimedOut => {
            let limit = timeout.unwrap_or_default();
            let error = fail(Code::CommandTimeout, format!("did not end within {limit:?}"));
            (StepStatus::Failed, machine::TIMED_OUT, error)
        }
        Outcome::Cancelled => (StepStatus::Cancelled, 130, None),
    };
    let output = capture::text(&finished.stdout, capture.encoding);
    let stderr = capture::text(&finished.stderr, capture.encoding);
    let ended = machine::finished(status, exit_code);
    capture::named(StepResult { output, stderr, error, ..ended }, capture)
}

fn not_started(error: &SpawnError) -> StepResult {
    let reason = std::error::Error::source(error).map(|source| format!(": {source}"));
    let message = format!("{error}{}", reason.unwrap_or_default());
    let exit_code = match error {
        // As a shell has it.
        SpawnError::Program { .. } => 127,
        SpawnError::WorkingDirectory { .. }
        | SpawnError::StartGuard { .. }
        | SpawnError::GuardLost(_)
        | SpawnError::TooLarge { .. }
        | SpawnError::Invalid { .. }
        | SpawnError::Pipe(_) => 126,
    };
    let error = StepError { code: Code::CommandFailed, message };
    StepResult { exit_code, ..machine::failed(error) }
}

#[cfg(test)]
mod tests;
