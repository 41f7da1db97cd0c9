//! `awf mcp`: other MCP servers behind awf.

use clap::{Args, Subcommand, ValueEnum};

use crate::{
    cli::Spans,
    environment::Environment,
    report::{CommandError, Exit},
    telemetry::Telemetry,
};

mod add;
mod approve;
mod bench;
mod import;
mod list;
mod place;
mod remove;
mod serve;
pub(crate) mod sheet;
mod test;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    command: McpCommand,
}

#[derive(Debug, Subcommand)]
enum McpCommand {
    /// List the servers that are configured, and what becomes of them; starts nothing
    #[command(visible_alias = "ls")]
    List(list::ListArgs),
    /// Write a server into the configuration
    Add(add::AddArgs),
    /// Take a server out of the configuration
    #[command(visible_alias = "rm")]
    Remove(remove::RemoveArgs),
    /// Look at the servers of another program, and write them into the configuration
    Import(import::ImportArgs),
    /// Start one server and see what it offers
    Test(test::TestArgs),
    /// Look at a server, or at tools of it that changed, and stand behind them
    Approve(approve::ApproveArgs),
    /// Serve many servers behind four tools, to an MCP client on stdin and stdout
    Serve(serve::ServeArgs),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Json,
}

impl McpArgs {
    /// Only what serves calls tools.
    pub(crate) fn spans(&self) -> Spans {
        match self.command {
            McpCommand::Serve(_) => Spans::Some,
            McpCommand::List(_)
            | McpCommand::Add(_)
            | McpCommand::Remove(_)
            | McpCommand::Import(_)
            | McpCommand::Test(_)
            | McpCommand::Approve(_) => Spans::None,
        }
    }
}

pub(crate) async fn run(
    args: &McpArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    match &args.command {
        McpCommand::List(args) => list::run(args, environment),
        McpCommand::Add(args) => add::run(args, environment),
        McpCommand::Remove(args) => remove::run(args, environment),
        McpCommand::Import(args) => import::run(args, environment),
        McpCommand::Test(args) => test::run(args, environment).await,
        McpCommand::Approve(args) => approve::run(args, environment).await,
        McpCommand::Serve(args) => serve::run(args, environment, telemetry).await,
    }
}
