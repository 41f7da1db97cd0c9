//! `awf mcp-serve`: the tools behind a configuration file, offered to one MCP client over stdin and stdout.

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
    time::Duration,
};

use awf_config::Served;
use awf_core::Code;
use clap::Args;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::Spans,
    environment::Environment,
    report::{CommandError, Exit, say},
    signals::cancel_on_signal,
    telemetry::Telemetry,
    wiring::Toolset,
};

mod relay;

/// How long what was said last may wait to be taken.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(crate) struct McpServeArgs {
    /// What to serve: JSON or YAML; without it the same as `awf mcp serve`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl McpServeArgs {
    /// A relay calls nothing itself, so it has no spans. What is wrong with the file is said by [`run`].
    pub(crate) fn spans(&self, environment: &Environment) -> Spans {
        let Some(config) = &self.config else { return Spans::Some };
        match awf_config::load_served(&environment.current_dir.join(config)) {
            Ok(Served::Relay(_)) | Err(_) => Spans::None,
            Ok(Served::Tools(_)) => Spans::Some,
        }
    }
}

pub(crate) async fn run(
    args: &McpServeArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let Some(config) = &args.config else {
        return offer(&Toolset::of_this_place(environment, telemetry).await?, environment).await;
    };
    let file = environment.current_dir.join(config);
    match awf_config::load_served(&file)? {
        Served::Relay(config) => relay::run(&config).await,
        Served::Tools(config) => {
            let toolset = Toolset::new(config, Some(file), environment, telemetry).await?;
            offer(&toolset, environment).await
        }
    }
}

/// Serves one client on stdin and stdout, and ends what its calls started.
pub(crate) async fn offer(
    toolset: &Toolset,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let served = serve(toolset, environment).await;
    toolset.close().await;
    served.map(|()| Exit::Ok)
}

async fn serve(toolset: &Toolset, environment: &Environment) -> Result<(), CommandError> {
    let (stdin, mut stdout) = awf_mcp::stdio().map_err(|error| {
        CommandError::of(Code::IoReadFailed, format!("cannot use stdin and stdout: {error}"))
    })?;
    let stop = CancellationToken::new();
    let signals = tokio::spawn(cancel_on_signal(stop.clone()));
    if io::stdin().is_terminal() {
        say("waiting for an MCP client on stdin; Ctrl-C ends it, `awf serve` is for HTTP");
    }
    let front = toolset.front(environment).await?;
    toolset.shelf.prepare();
    let served = front.serve(stdin, &mut stdout, stop).await;
    stdout.taken(LAST_WORDS).await;
    signals.abort();
    Ok(served?)
}
