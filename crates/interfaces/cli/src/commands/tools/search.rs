//! `awf tools search`: what `retrieve_tools` answers, for a person.

use awf_core::{
    CallContext, CallIntent, CallSurface, ClientIdentity, RawJson, ToolCall, ToolProvider as _,
};
use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Format;
use crate::{
    cli::ToolsetArgs,
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
    telemetry::Telemetry,
    wiring::Toolset,
};

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// What the tool should do, in a few words; `server:github`, `is:read` and `-is:destructive` narrow it
    #[arg(required = true)]
    query: Vec<String>,
    /// How many to show at most
    #[arg(short = 'n', long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=100))]
    limit: u16,
    /// What to print: a table, or the whole answer
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
    #[command(flatten)]
    toolset: ToolsetArgs,
}

/// What the table shows of an answer.
#[derive(Default, Deserialize)]
struct Found {
    #[serde(default)]
    tools: Vec<FoundTool>,
    #[serde(default)]
    blocked: Vec<Blocked>,
    #[serde(default)]
    unavailable: Vec<Missing>,
}

#[derive(Deserialize)]
struct FoundTool {
    name: String,
    call_with: String,
    score: f64,
    #[serde(default)]
    description: String,
}

#[derive(Deserialize)]
struct Blocked {
    name: String,
    reason: String,
}

#[derive(Deserialize)]
struct Missing {
    server: String,
    reason: String,
}

pub(super) async fn run(
    args: &SearchArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let toolset = Toolset::from_args(&args.toolset, environment, telemetry).await?;
    let answer = toolset.intent_surface().await?.call(question(args, environment)).await;
    toolset.close().await;
    let answer = answer?;
    let structured: Value = serde_json::from_str(answer.raw().get())
        .map(|mut result: Value| result["structuredContent"].take())
        .unwrap_or_default();
    match args.output {
        Format::Json => Output::stdout().json(&structured)?,
        Format::Table => show(&serde_json::from_value(structured).unwrap_or_default())?,
    }
    Ok(if answer.is_error() { Exit::Failed } else { Exit::Ok })
}

fn question(args: &SearchArgs, environment: &Environment) -> ToolCall {
    let detail = match args.output {
        Format::Table => "compact",
        Format::Json => "full",
    };
    let arguments = json!({"query": args.query.join(" "), "limit": args.limit, "detail": detail});
    let client =
        ClientIdentity { name: "awf".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    ToolCall {
        name: "retrieve_tools".to_owned(),
        arguments: RawJson::from(arguments),
        intent: CallIntent::Direct,
        context: CallContext {
            client: Some(client),
            trace: environment.trace_context(),
            ..CallContext::new(CallSurface::Cli)
        },
        cancel: CancellationToken::new(),
    }
}

fn show(found: &Found) -> Result<(), CommandError> {
    let mut table = Table::new(["TOOL", "CALL WITH", "SCORE", "DESCRIPTION"]);
    for tool in &found.tools {
        table.row([
            tool.name.clone(),
            tool.call_with.clone(),
            format!("{:.2}", tool.score),
            tool.description.clone(),
        ]);
    }
    Output::stdout().line(&table.to_string())?;
    if found.tools.is_empty() && found.blocked.is_empty() {
        say("no tool matches; `awf tools list` shows all of them");
    }
    for blocked in &found.blocked {
        say(&format!("withheld: `{}`: {}", blocked.name, blocked.reason));
    }
    for missing in &found.unavailable {
        say(&format!("not searched: `{}`: {}", missing.server, missing.reason));
    }
    Ok(())
}
