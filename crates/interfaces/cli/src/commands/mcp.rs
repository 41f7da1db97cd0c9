//! `awf mcp`: other MCP servers behind awf.

use clap::{Args, Subcommand};

use crate::{
    cli::Spans,
    environment::Environment,
    report::{CommandError, Exit},
    telemetry::Telemetry,
};

mod approve;
mod bench;
mod serve;
mod test;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    command: McpCommand,
}

#[derive(Debug, Subcommand)]
enum McpCommand {
    /// Start one server and see what it offers
    Test(test::TestArgs),
    /// Look at a server, or at tools of it that changed, and stand behind them
    Approve(approve::ApproveArgs),
    /// Serve many servers behind four tools, to an MCP client on stdin and stdout
    Serve(serve::ServeArgs),
}

impl McpArgs {
    /// Only what serves calls tools.
    pub(crate) fn spans(&self) -> Spans {
        match self.command {
            McpCommand::Serve(_) => Spans::Some,
            McpCommand::Test(_) | McpCommand::Approve(_) => Spans::None,
        }
    }
}

pub(crate) async fn run(
    args: &McpArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    match &args.command {
        McpCommand::Test(args) => test::run(args, environment).await,
        McpCommand::Approve(args) => approve::run(args, environment).await,
        McpCommand::Serve(args) => serve::run(args, environment, telemetry).await,
    }
}
