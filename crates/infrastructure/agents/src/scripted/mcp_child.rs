//! The MCP server an agent is told to start, as a child of its own.

use std::time::Duration;

use awf_core::{AgentFailure, AgentRequest, StdioAccess};
use awf_mcp::{Client, ClientOptions};
use awf_process::{Child, CommandSpec, Grace, Guard, SpawnError, output_pipe};
use tokio::{
    io::AsyncReadExt as _,
    net::unix::pipe::{Receiver, Sender},
    task::JoinSet,
    time::timeout,
};

use crate::cli::{merged, process::not_started};

/// How much of a server's complaints is kept.
const COMPLAINTS: usize = 16 * 1024;
/// How long a server that does not go may take to end when it is asked to.
const GRACE: Grace = Grace(Duration::from_millis(500));
/// How long to wait for the last complaints; something it left behind may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A started server. Dropping it kills it.
pub(super) struct McpChild {
    child: Child,
    /// Until the client has them.
    streams: Option<(Receiver, Sender)>,
    /// The one task that reads its complaints.
    complaints: JoinSet<Vec<u8>>,
}

impl McpChild {
    /// Starts it, with the environment of the agent and in its directory.
    pub(super) async fn start(
        guard: &Guard,
        access: &StdioAccess,
        request: &AgentRequest,
    ) -> Result<Self, AgentFailure> {
        let piped = output_pipe().map_err(|error| not_started(&SpawnError::Pipe(error)));
        let (stderr, reader) = piped?;
        let spec = CommandSpec {
            program: access.command.clone().into(),
            args: access.args.clone(),
            env: merged(&request.env, &access.env),
            cwd: request.dir.clone(),
        };
        let piped = guard.spawn_piped(spec, stderr).await.map_err(|error| not_started(&error))?;
        let mut complaints = JoinSet::new();
        complaints.spawn(first_bytes(reader));
        Ok(Self { child: piped.child, streams: Some((piped.stdout, piped.stdin)), complaints })
    }

    /// Greets it and asks which tools there are, as every agent does.
    pub(super) async fn connect(&mut self) -> Result<Client, AgentFailure> {
        let failed = |reason: String| {
            AgentFailure::Start(format!("the server of its tools does not answer: {reason}"))
        };
        let (reader, writer) =
            self.streams.take().ok_or_else(|| failed("it has a client already".to_owned()))?;
        let options = ClientOptions::new("awf-scripted", env!("CARGO_PKG_VERSION"));
        let connected = Client::connect(reader, writer, options).await;
        let client = connected.map_err(|error| failed(error.to_string()))?;
        client.list_tools().await.map_err(|error| failed(error.to_string()))?;
        Ok(client)
    }

    /// Waits for it to go by itself, then ends it with all it started. Gives back what it complained of.
    pub(super) async fn stop(mut self, patience: Duration) -> Vec<String> {
        drop(self.streams.take());
        if timeout(patience, self.child.wait()).await.is_err()
            && let Err(error) = self.child.kill(GRACE).await
        {
            tracing::warn!(%error, "a server of tools did not end");
        }
        let read = timeout(LAST_WORDS, self.complaints.join_next()).await;
        let bytes = read.ok().flatten().and_then(Result::ok).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }
}

/// The beginning of a stream; the rest is read so that nobody waits, and forgotten.
async fn first_bytes(mut stream: Receiver) -> Vec<u8> {
    let (mut kept, mut buffer) = (Vec::new(), vec![0; 4096]);
    while let Ok(read) = stream.read(&mut buffer).await
        && read > 0
    {
        let room = COMPLAINTS.saturating_sub(kept.len()).min(read);
        kept.extend_from_slice(buffer.get(..room).unwrap_or_default());
    }
    kept
}
