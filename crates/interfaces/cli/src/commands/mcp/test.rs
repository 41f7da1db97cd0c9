//! `awf mcp test`: starts one server and shows what it offers, and what of it is held back.

use awf_core::{Standing, ToolDefinition, ToolProvider as _, shown};
use clap::Args;

use crate::{
    cli::ToolsetArgs,
    commands::mcp::bench::Bench,
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
};

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// The server
    server: String,
    #[command(flatten)]
    toolset: ToolsetArgs,
}

pub(super) async fn run(args: &TestArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let bench = Bench::open(&args.toolset, environment)?;
    let tested = test(args, &bench).await;
    bench.close().await;
    tested
}

async fn test(args: &TestArgs, bench: &Bench) -> Result<Exit, CommandError> {
    let upstream = bench.server(&args.server).await?;
    let tools = upstream.tools().await?;
    let mut table = Table::new(["TOOL", "CALL WITH", "STATE", "DESCRIPTION"]);
    for tool in &tools {
        table.row([
            tool.qualified_name(),
            bench.call_with(tool).to_string(),
            state(tool).to_owned(),
            about(tool),
        ]);
    }
    Output::stdout().line(&table.to_string())?;
    for withheld in upstream.withheld() {
        say(&format!("withheld: `{}`: {}", shown(&withheld.name), withheld.reason));
    }
    if tools.iter().any(|tool| tool.is_held() || tool.standing() != Standing::Approved) {
        say(&format!("look at what changed and approve it: awf mcp approve {}", args.server));
    }
    Ok(Exit::Ok)
}

fn state(tool: &ToolDefinition) -> &'static str {
    match tool.standing() {
        Standing::Approved if tool.is_held() => "held",
        Standing::Approved => "ready",
        Standing::Unapproved(_) => "needs approval",
        Standing::Changed => "changed",
    }
}

/// The first sentence, of a tool that is trusted; what another says of itself is shown by `awf mcp approve` only.
fn about(tool: &ToolDefinition) -> String {
    match tool.standing() {
        Standing::Approved => tool.summary().to_owned(),
        Standing::Unapproved(_) | Standing::Changed => String::new(),
    }
}
