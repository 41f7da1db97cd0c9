//! `awf mcp serve`: many servers behind four tools, for one MCP client on stdin and stdout.

use awf_core::Surface;
use clap::Args;

use crate::{
    cli::ToolsetArgs,
    commands::mcp_serve::offer,
    environment::Environment,
    report::{CommandError, Exit},
    telemetry::Telemetry,
    wiring::Toolset,
};

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    toolset: ToolsetArgs,
}

pub(crate) async fn run(
    args: &ServeArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let mut toolset = Toolset::from_args(&args.toolset, environment, telemetry).await?;
    toolset.surface = Surface::Intent;
    offer(&toolset, environment).await
}
