//! `awf tools`: what can be called, and which variant to call it with.

use awf_core::{ExposedTool, ToolDefinition};
use clap::{Args, Subcommand, ValueEnum};

use crate::{
    cli::ToolsetArgs,
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
    telemetry::Telemetry,
    wiring::Toolset,
};

mod search;

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    #[command(subcommand)]
    command: ToolsCommand,
}

#[derive(Debug, Subcommand)]
enum ToolsCommand {
    /// List the tools, with the variant each is called with
    List(ListArgs),
    /// Find tools by what they do, as agents find them
    Search(search::SearchArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// What to print: a table, or the MCP tool objects
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
    #[command(flatten)]
    toolset: ToolsetArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Json,
}

pub(crate) async fn run(
    args: &ToolsArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    match &args.command {
        ToolsCommand::List(args) => list(args, environment, telemetry).await,
        ToolsCommand::Search(args) => search::run(args, environment, telemetry).await,
    }
}

async fn list(
    args: &ListArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let toolset = Toolset::from_args(&args.toolset, environment, telemetry).await?;
    let missing = toolset.gather().await;
    let tools = toolset.router.exposed().await;
    toolset.close().await;
    let tools = tools.tools();
    match args.output {
        Format::Table => Output::stdout().line(&table(tools, &toolset))?,
        Format::Json => {
            let offered = tools.iter().filter(|tool| objection(tool.tool()).is_none());
            let seen = offered.map(|tool| tool.listed().raw().as_raw());
            Output::stdout().json(&seen.collect::<Vec<_>>())?;
        }
    }
    for tool in tools.iter().map(ExposedTool::tool) {
        if let Some(objection) = objection(tool) {
            say(&format!("withheld: `{}`: {objection}", tool.qualified_name()));
        }
    }
    for (_, reason) in missing {
        say(&format!("not listed: {reason}"));
    }
    Ok(Exit::Ok)
}

/// Why a tool is not offered. What it says of itself is shown by `awf mcp approve` only.
fn objection(tool: &ToolDefinition) -> Option<String> {
    tool.standing().objection(tool.source().namespace())
}

/// By the names that `awf call` takes.
fn table(tools: &[ExposedTool], toolset: &Toolset) -> String {
    let mut table = Table::new(["TOOL", "CALL WITH", "DESCRIPTION"]);
    for tool in tools.iter().map(ExposedTool::tool) {
        let about = match objection(tool) {
            None => tool.summary().to_owned(),
            Some(_) => "withheld".to_owned(),
        };
        table.row([tool.qualified_name(), toolset.call_with(tool).to_string(), about]);
    }
    table.to_string()
}
