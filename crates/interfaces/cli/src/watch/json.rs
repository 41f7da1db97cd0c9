//! One event per line, for programs. The shapes are stable; `awf schema events` publishes them.

use std::time::{Duration, SystemTime};

use awf_core::{Operation, Outcome, Status, StepError, ToolCalls, Usage, visible_json};
use awf_workflow::{Notice, OutputStream};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{moment::rfc3339, watch::page::Page};

/// The version of these shapes.
const VERSION: u8 = 1;

/// Writes events to stdout.
pub(crate) struct JsonLines {
    run: String,
    pub(crate) page: Page,
}

/// One line of `awf run --format json`.
#[derive(Serialize, JsonSchema)]
struct Line<'a> {
    /// The version of the shape: 1
    v: u8,
    /// When, RFC 3339
    at: String,
    /// The run
    run: &'a str,
    #[serde(flatten)]
    event: Event<'a>,
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event<'a> {
    /// The run began, or goes on
    RunBegan { workflow: &'a str },
    /// An attempt of a step began
    StepBegan { step: &'a str, kind: &'a str, attempt: u32, provider: Option<&'a str> },
    /// A step printed something; pieces in order
    Output { step: &'a str, stream: Stream, text: &'a str },
    /// An agent called a tool, or tried to
    ToolCall {
        step: &'a str,
        server: &'a str,
        tool: &'a str,
        /// `read`, `write` or `destructive`, where it is known
        operation: Option<&'a str>,
        /// `allow`, `warn` or `deny`
        decision: &'a str,
        /// Why it was refused, or `BYPASSED`
        code: Option<&'a str>,
        is_error: bool,
        /// `success`, `error`, `denied`, `interrupted`, or `bypassed`: seen, past the proxy
        status: &'a str,
        /// What it was about: a file, a command
        subject: &'a str,
        elapsed_ms: u64,
    },
    /// A step failed and will be tried again
    Retrying { step: &'a str, attempt: u32, delay_ms: u64, error: Option<Failure<'a>> },
    /// An attempt of a step ended
    StepEnded {
        step: &'a str,
        /// `completed`, `failed`, `cancelled` or `interrupted`
        status: &'a str,
        exit_code: i32,
        elapsed_ms: u64,
        #[serde(flatten)]
        used: Used,
        error: Option<Failure<'a>>,
    },
    /// A hook said something
    Log { step: Option<&'a str>, text: &'a str },
    /// Something went wrong that does not end the run
    Warning { code: &'a str, message: &'a str },
    /// The run is over
    RunEnded {
        /// `success`, `failed` or `cancelled`
        status: &'a str,
        exit_code: u8,
        /// The state it ended in
        state: &'a str,
        message: Option<&'a str>,
        error: Option<Failure<'a>>,
        elapsed_ms: u64,
        /// Of all its steps, every attempt counted
        #[serde(flatten)]
        used: Used,
    },
}

/// Calls that were made, and what agents used.
#[derive(Serialize, JsonSchema)]
struct Used {
    /// Tool calls through the proxy
    calls: u64,
    /// Those of them that were refused
    calls_denied: u64,
    /// Tools of their own that agents used past a proxy that was to be their only source
    calls_bypassed: u64,
    /// Tokens that models read
    input_tokens: u64,
    /// Tokens that models wrote
    output_tokens: u64,
    /// Whether the tokens are a guess
    tokens_estimated: bool,
    /// What it cost in dollars, where an agent said so
    cost_usd: Option<f64>,
}

impl Used {
    fn of(calls: ToolCalls, usage: Usage) -> Self {
        let ToolCalls { made, denied, bypassed } = calls;
        let Usage { input_tokens, output_tokens, estimated, cost } = usage;
        Self {
            calls: made,
            calls_denied: denied,
            calls_bypassed: bypassed,
            input_tokens,
            output_tokens,
            tokens_estimated: estimated,
            cost_usd: cost,
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Stream {
    Stdout,
    Stderr,
}

#[derive(Serialize, JsonSchema)]
struct Failure<'a> {
    /// A stable code
    code: &'a str,
    message: &'a str,
}

impl JsonLines {
    pub(crate) fn new() -> Self {
        Self { run: String::new(), page: Page::new() }
    }

    pub(crate) fn note(&mut self, notice: &Notice) {
        if let Notice::RunBegan { run, .. } = notice {
            self.run = run.to_string();
        }
        let at = rfc3339(SystemTime::now());
        let line = Line { v: VERSION, at, run: &self.run, event: Event::of(notice) };
        let Ok(text) = serde_json::to_string(&line) else { return };
        self.page.write(format!("{}\n", visible_json(text)).as_bytes());
    }
}

impl<'a> Event<'a> {
    fn of(notice: &'a Notice) -> Self {
        match notice {
            Notice::RunBegan { workflow, .. } => Self::RunBegan { workflow },
            Notice::StepBegan { step, kind, attempt, provider } => {
                Self::StepBegan { step, kind, attempt: *attempt, provider: provider.as_deref() }
            }
            Notice::Output { step, stream, text } => {
                let stream = match stream {
                    OutputStream::Stdout => Stream::Stdout,
                    OutputStream::Stderr => Stream::Stderr,
                };
                Self::Output { step, stream, text }
            }
            Notice::ToolCall { step, call } => Self::ToolCall {
                step,
                server: &call.server,
                tool: &call.tool,
                operation: call.operation.map(Operation::as_str),
                decision: match call.outcome {
                    Outcome::Allow => "allow",
                    Outcome::Warn => "warn",
                    Outcome::Deny(_) => "deny",
                },
                code: match call.outcome {
                    Outcome::Allow | Outcome::Warn if call.status == Status::Bypassed => {
                        Some("BYPASSED")
                    }
                    Outcome::Allow | Outcome::Warn => None,
                    Outcome::Deny(code) => Some(code.as_str()),
                },
                is_error: call.is_error(),
                status: call.status.as_str(),
                subject: &call.subject,
                elapsed_ms: millis(call.elapsed),
            },
            Notice::Retrying { step, attempt, delay, error } => Self::Retrying {
                step,
                attempt: *attempt,
                delay_ms: millis(*delay),
                error: error.as_ref().map(Failure::of),
            },
            Notice::StepEnded { step, status, exit_code, elapsed, calls, usage, error } => {
                Self::StepEnded {
                    step,
                    status: status.as_str(),
                    exit_code: *exit_code,
                    elapsed_ms: millis(*elapsed),
                    used: Used::of(*calls, *usage),
                    error: error.as_ref().map(Failure::of),
                }
            }
            Notice::Log { step, text } => Self::Log { step: step.as_deref(), text },
            Notice::Warning { code, message } => Self::Warning { code: code.as_str(), message },
            Notice::RunEnded { finished, elapsed, totals } => Self::RunEnded {
                status: finished.status.as_str(),
                exit_code: finished.exit_code,
                state: &finished.state,
                message: finished.message.as_deref(),
                error: finished.error.as_ref().map(Failure::of),
                elapsed_ms: millis(*elapsed),
                used: Used::of(totals.calls, totals.usage),
            },
        }
    }
}

impl<'a> Failure<'a> {
    fn of(error: &'a StepError) -> Self {
        Self { code: error.code.as_str(), message: &error.message }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The JSON Schema of a line.
pub(crate) fn schema() -> serde_json::Value {
    schemars::schema_for!(Line<'_>).to_value()
}
