//! `awf call`: one tool, called by a person, through the same router and rules as an agent's call.

use std::time::Duration;

use awf_core::{
    CallContext, CallIntent, CallSurface, ClientIdentity, Code, Operation, RawJson, Statement,
    ToolCall, ToolFailure, Variant,
};
use awf_tools::Answer;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Map, Value};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::ToolsetArgs,
    environment::Environment,
    output::Output,
    report::{CommandError, Exit},
    signals::cancel_on_signal,
    telemetry::Telemetry,
    wiring::Toolset,
};

mod content;
mod hint;

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    #[command(subcommand)]
    variant: VariantCommand,
}

#[derive(Debug, Subcommand)]
enum VariantCommand {
    /// Call a tool that only looks
    #[command(name = "tool-read")]
    Read(ToolCallArgs),
    /// Call a tool that creates or changes something
    #[command(name = "tool-write")]
    Write(ToolCallArgs),
    /// Call a tool that may destroy something
    #[command(name = "tool-destructive")]
    Destructive(ToolCallArgs),
}

#[derive(Debug, Args)]
struct ToolCallArgs {
    /// The tool: `server:tool`, such as `builtin:Read`
    #[arg(value_name = "SERVER:TOOL", required_unless_present = "tool_name")]
    tool: Option<String>,
    /// The tool, as a flag
    #[arg(long, value_name = "SERVER:TOOL", conflicts_with = "tool")]
    tool_name: Option<String>,
    /// The tool's arguments: a JSON object
    #[arg(long, visible_alias = "json_args", value_name = "JSON", default_value = "{}")]
    args: String,
    /// Why the call is made; kept in the activity log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// How sensitive the data is: public, internal, private or unknown
    #[arg(long, value_name = "LEVEL")]
    sensitivity: Option<String>,
    /// What to print: the result's text, or the whole MCP result
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    #[command(flatten)]
    toolset: ToolsetArgs,
}

/// How long a call may clean up after it was withdrawn.
const CANCEL_GRACE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) async fn run(
    args: &CallArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let (operation, args) = match &args.variant {
        VariantCommand::Read(args) => (Operation::Read, args),
        VariantCommand::Write(args) => (Operation::Write, args),
        VariantCommand::Destructive(args) => (Operation::Destructive, args),
    };
    let call = tool_call(args, operation, environment)?;
    let toolset = Toolset::from_args(&args.toolset, environment, telemetry).await?;
    let name = call.name.clone();
    let answer = until_stopped(&toolset, call).await;
    let elsewhere = match &answer {
        Ok(Answer { refusal: Some(refusal), .. }) => hint::of(refusal, &name, &toolset).await,
        Ok(Answer { refusal: None, .. }) | Err(_) => None,
    };
    toolset.close().await;
    let answer = answer.map_err(|failure| match failure {
        ToolFailure::Cancelled => CommandError::interrupted(),
        failure => toolset.shelf.blamed(&name, failure),
    })?;
    let exit = print(&answer, args.output)?;
    let Some(refusal) = answer.refusal else { return Ok(exit) };
    let error = CommandError::from(refusal);
    Err(match elsewhere {
        Some(hint) => error.hinting(&hint),
        None => error,
    })
}

/// Calls, until there is an answer or a person stops it: then the call is withdrawn, and its end is on record.
async fn until_stopped(toolset: &Toolset, call: ToolCall) -> Result<Answer, ToolFailure> {
    let cancel = call.cancel.clone();
    let signals = tokio::spawn(cancel_on_signal(cancel.clone()));
    let answer = tokio::select! {
        answer = toolset.router.judge_and_call(call) => answer,
        () = async { cancel.cancelled().await; sleep(CANCEL_GRACE).await } => Err(ToolFailure::Cancelled),
    };
    signals.abort();
    answer
}

/// The call, with the operation declared twice as the two-key rule asks: once by the variant, once in the statement.
fn tool_call(
    args: &ToolCallArgs,
    operation: Operation,
    environment: &Environment,
) -> Result<ToolCall, CommandError> {
    let arguments = RawJson::parse(args.args.as_str())
        .map_err(|error| CommandError::of(Code::InputInvalidJson, format!("--args is {error}")))?;
    if !arguments.get().starts_with('{') {
        return Err(CommandError::of(Code::InputInvalidJson, "--args is not a JSON object"));
    }
    let stated = [
        ("operation_type", Some(operation.as_str())),
        ("data_sensitivity", args.sensitivity.as_deref()),
        ("reason", args.reason.as_deref()),
    ];
    let nested: Map<String, Value> = stated
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key.to_owned(), value.into())))
        .collect();
    let statement =
        Statement { nested: Some(Value::Object(nested).into()), ..Statement::default() };
    let client =
        ClientIdentity { name: "awf".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    Ok(ToolCall {
        name: args.tool.as_ref().or(args.tool_name.as_ref()).cloned().unwrap_or_default(),
        arguments,
        intent: CallIntent::Stated { variant: Variant(operation), statement: Box::new(statement) },
        context: CallContext {
            client: Some(client),
            trace: environment.trace_context(),
            ..CallContext::new(CallSurface::Cli)
        },
        cancel: CancellationToken::new(),
    })
}

/// The answer on stdout, a refusal on stderr; the exit code tells them apart.
fn print(answer: &Answer, format: Format) -> Result<Exit, CommandError> {
    let output = Output::stdout();
    match (format, &answer.refusal) {
        (Format::Json, _) => output.line(answer.result.raw().get())?,
        (Format::Text, None) => output.line(&content::text(&answer.result))?,
        (Format::Text, Some(_)) => {}
    }
    Ok(if answer.result.is_error() { Exit::Failed } else { Exit::Ok })
}
