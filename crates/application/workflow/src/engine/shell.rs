//! Steps and hooks that a shell takes.

use std::{
    ffi::OsString,
    time::{Duration, Instant},
};

use awf_core::{Capture, Code, CommandSource, Encoding, StepError, StepResult, StepStatus, Text};
use awf_process::{
    Captured, CommandSpec, Finished, Grace, Guard, Keep, Limits, Listeners, Outcome, SpawnError,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::FutureExt as _;
use tempfile::TempPath;
use tokio_util::sync::CancellationToken;

use crate::{
    engine::{
        OutputStream,
        bench::{Bench, Exported, Job, Speaker},
        render::render,
    },
    machine,
};

mod script;

/// What is kept of a stream when the step does not say.
const USUAL_SIZE: u64 = 1 << 20;
/// A step may ask for more, but not for all memory.
const LARGEST_SIZE: u64 = 64 << 20;
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
pub(super) fn hook(bench: &Bench<'_>, text: &Text) -> Result<Job, StepError> {
    job(bench, inline(bench, text)?, Capture::default(), None)
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
    let keep = keep(&capture);
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

fn keep(capture: &Capture) -> Keep {
    let size = capture.max_size.unwrap_or(USUAL_SIZE).min(LARGEST_SIZE);
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    Keep { head: size - size / 2, tail: size / 2 }
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
    let output = text(&finished.stdout, capture.encoding);
    let stderr = text(&finished.stderr, capture.encoding);
    let named = [(&capture.stdout, &output), (&capture.stderr, &stderr)];
    let named = named.into_iter().filter_map(|(name, kept)| Some((name.as_ref()?, kept)));
    let captured = named.map(|(name, kept)| (name.value.clone(), kept.clone())).collect();
    StepResult { output, stderr, error, captured, ..machine::finished(status, exit_code) }
}

/// What was kept of a stream, with a mark where something is missing.
fn text(kept: &Captured, encoding: Encoding) -> String {
    if kept.dropped == 0 {
        return decoded(&kept.bytes(), encoding);
    }
    match encoding {
        // A mark would make the whole unreadable: what is kept is the beginning.
        Encoding::Base64 => decoded(&kept.head, encoding),
        Encoding::Utf8 | Encoding::Latin1 => format!(
            "{}\n[{} bytes left out]\n{}",
            decoded(&kept.head, encoding),
            kept.dropped,
            decoded(&kept.tail, encoding)
        ),
    }
}

fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        Encoding::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
        Encoding::Base64 => STANDARD.encode(bytes),
    }
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
