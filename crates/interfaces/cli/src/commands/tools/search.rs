//! `awf tools search`: what `retrieve_tools` answers, for a person.

use awf_core::{
    CallContext, CallIntent, CallSurface, ClientIdentity, Code, Operation, RawJson, ToolCall,
    ToolProvider as _, shown,
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

/// What scores less would be shown as nothing.
const LEAST: f64 = 0.005;

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
    let query = args.query.join(" ");
    if query.trim().is_empty() {
        let error = CommandError::of(Code::InputInvalidFormat, "a query is required");
        return Err(error.hinting("say in a few words what the tool should do"));
    }
    let toolset = Toolset::from_args(&args.toolset, environment, telemetry).await?;
    check_filters(&query, &toolset)?;
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

/// To a model a filter that nothing has finds nothing; a person is told that it is mistyped.
fn check_filters(query: &str, toolset: &Toolset) -> Result<(), CommandError> {
    let filters = awf_tools::SearchFilters::of(query);
    let servers: Vec<&str> = toolset.shelf.names().collect();
    let strange = |name: &&String| !servers.iter().any(|known| known.eq_ignore_ascii_case(name));
    if let Some(name) = filters.servers.iter().find(strange) {
        let message = format!("there is no server `{}`", shown(name));
        let hint = format!("there are {}", servers.join(", "));
        return Err(CommandError::of(Code::ServerUnknown, message).hinting(&hint));
    }
    let strange = |word: &&String| Operation::parse(word).is_none();
    if let Some(word) = filters.operations.iter().find(strange) {
        let message = format!("`is:{}` is no filter", shown(word));
        let error = CommandError::of(Code::InputInvalidFormat, message);
        return Err(error.hinting("use `is:read`, `is:write` or `is:destructive`"));
    }
    Ok(())
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
    let seen: Vec<&FoundTool> = found.tools.iter().filter(|tool| tool.score >= LEAST).collect();
    for tool in &seen {
        // It has a column of its own here.
        let variant = format!("Call it with {}.", tool.call_with);
        let description = tool.description.strip_suffix(&variant).unwrap_or(&tool.description);
        table.row([
            tool.name.clone(),
            tool.call_with.clone(),
            format!("{:.2}", tool.score),
            description.trim_end().to_owned(),
        ]);
    }
    Output::stdout().line(&table.to_string())?;
    if seen.is_empty() && found.blocked.is_empty() {
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
