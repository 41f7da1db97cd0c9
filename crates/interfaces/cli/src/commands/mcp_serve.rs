//! `awf mcp-serve`: the tools behind a configuration file, offered to one MCP client over stdin and stdout.

use std::{path::PathBuf, time::Duration};

use awf_config::{ServeConfig, Served};
use awf_core::Code;
use awf_tools::McpFront;
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::{
    cli::Spans,
    environment::Environment,
    report::{CommandError, Exit},
    telemetry::Telemetry,
    wiring::Toolset,
};

mod relay;

/// How long what was said last may wait to be taken.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(crate) struct McpServeArgs {
    /// What to serve: JSON or YAML
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
}

impl McpServeArgs {
    /// A relay calls nothing itself, so it has no spans. What is wrong with the file is said by [`run`].
    pub(crate) fn spans(&self, environment: &Environment) -> Spans {
        match awf_config::load_served(&environment.current_dir.join(&self.config)) {
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
    let file = environment.current_dir.join(&args.config);
    match awf_config::load_served(&file)? {
        Served::Relay(config) => relay::run(&config).await,
        Served::Tools(config) => offer(config, file, environment, telemetry).await,
    }
}

async fn offer(
    config: ServeConfig,
    file: PathBuf,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let toolset = Toolset::new(config, Some(file), environment, telemetry).await?;
    let served = serve(&toolset, environment).await;
    toolset.close().await;
    served.map(|()| Exit::Ok)
}

async fn serve(toolset: &Toolset, environment: &Environment) -> Result<(), CommandError> {
    let (stdin, mut stdout) = awf_mcp::stdio().map_err(|error| {
        CommandError::of(Code::IoReadFailed, format!("cannot use stdin and stdout: {error}"))
    })?;
    let stop = CancellationToken::new();
    let signals = tokio::spawn(cancel_on_signal(stop.clone()));
    let front = McpFront::new(toolset.router.clone(), environment.trace_context()).await?;
    let served = front.serve(stdin, &mut stdout, stop).await;
    stdout.taken(LAST_WORDS).await;
    signals.abort();
    Ok(served?)
}

/// TERM, INT and HUP end the session in order: calls are cancelled, children ended, the journal closed.
async fn cancel_on_signal(stop: CancellationToken) {
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let [Ok(mut term), Ok(mut int), Ok(mut hup)] = kinds.map(signal) else {
        tracing::warn!("signals cannot be watched; only the end of stdin ends this server");
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
        _ = hup.recv() => {}
    }
    stop.cancel();
}
