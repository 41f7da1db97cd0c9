//! One server: started, greeted, listed once; its tools called until it is closed.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use awf_core::{
    BadDefinition, RawJson, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult,
    ToolSource, TraceContext,
};
use awf_mcp::{Client, ClientError, ClientOptions, ToolRequest};
use awf_process::{Child, CommandSpec, Grace, Guard, SpawnError, output_pipe};
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};
use tokio::{
    sync::Mutex,
    time::{error::Elapsed, timeout},
};

use crate::complaints::Complaints;

/// How long a server may take until it has listed its tools.
const READY: Duration = Duration::from_secs(30);
/// How long a call may take.
const CALL: Duration = Duration::from_mins(10);
/// How long it may take to go by itself once its client has left.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it may take to end when it is asked to.
const GRACE: Grace = Grace(Duration::from_secs(1));

/// A server that speaks MCP over its standard input and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamSpec {
    /// What it is called: the half before the colon.
    pub name: String,
    /// The program.
    pub command: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub cwd: PathBuf,
}

/// Why a server has no tools for us.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// It could not be started.
    #[error("cannot start server `{name}`: {source}{}", cause(source))]
    Start {
        /// The server.
        name: String,
        /// What the system said.
        source: SpawnError,
    },
    /// It did not answer in time.
    #[error("server `{name}` did not list its tools within {} s{said}", READY.as_secs())]
    Silent {
        /// The server.
        name: String,
        /// What it complained of.
        said: String,
    },
    /// It answered nonsense, or left.
    #[error("server `{name}`: {source}{said}")]
    Broken {
        /// The server.
        name: String,
        /// What was wrong.
        source: ClientError,
        /// What it complained of.
        said: String,
    },
    /// It lists a tool that cannot be offered.
    #[error("server `{name}`: {source}")]
    BadTool {
        /// The server.
        name: String,
        /// What was wrong.
        source: BadDefinition,
    },
}

/// A server under way.
pub struct Upstream {
    name: String,
    tools: Vec<Arc<ToolDefinition>>,
    /// It left by itself.
    gone: AtomicBool,
    /// Until it is closed.
    connection: Mutex<Option<(Arc<Client>, Child)>>,
    /// Heard until the end: a server whose complaints nobody reads would stop.
    _complaints: Complaints,
}

impl Upstream {
    /// Starts it, greets it, and asks which tools there are.
    pub async fn start(spec: UpstreamSpec, guard: &Guard) -> Result<Self, UpstreamError> {
        let UpstreamSpec { name, command, args, env, cwd } = spec;
        let spec = CommandSpec { program: command, args, env, cwd };
        let start = |source| UpstreamError::Start { name: name.clone(), source };
        let (stderr, reader) = output_pipe().map_err(|error| start(SpawnError::Pipe(error)))?;
        let piped = guard.spawn_piped(spec, stderr).await.map_err(start)?;
        let complaints = Complaints::hear(reader);
        let asked = timeout(READY, async {
            let options = ClientOptions::new("awf", env!("CARGO_PKG_VERSION"));
            let client = Client::connect(piped.stdout, piped.stdin, options).await?;
            let listed = client.list_tools().await?;
            Ok((client, listed))
        });
        // A child that is dropped here is killed.
        let (client, listed) = match asked.await {
            Ok(Ok(ready)) => ready,
            Ok(Err(source)) => {
                let said = complaints.said().await;
                return Err(UpstreamError::Broken { name, source, said });
            }
            Err(Elapsed { .. }) => {
                let said = complaints.said().await;
                return Err(UpstreamError::Silent { name, said });
            }
        };
        let source = ToolSource::Mcp(name.clone());
        let tools = listed.into_iter().map(|raw| definition(&source, raw));
        let tools = tools.collect::<Result<_, _>>();
        let tools =
            tools.map_err(|source| UpstreamError::BadTool { name: name.clone(), source })?;
        let connection = Mutex::new(Some((Arc::new(client), piped.child)));
        let gone = AtomicBool::new(false);
        Ok(Self { name, tools, gone, connection, _complaints: complaints })
    }

    /// Whether a call found that it had left.
    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }
}

/// What the system said.
fn cause(error: &SpawnError) -> String {
    std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default()
}

fn definition(
    source: &ToolSource,
    raw: Box<RawValue>,
) -> Result<Arc<ToolDefinition>, BadDefinition> {
    ToolDefinition::from_raw(source.clone(), RawJson::from(raw)).map(Arc::new)
}

#[async_trait]
impl ToolProvider for Upstream {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.tools.clone())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        let client = self.connection.lock().await.as_ref().map(|(client, _)| client.clone());
        let gone = || ToolFailure::Unavailable(format!("server `{}` is gone", self.name));
        let client = client.ok_or_else(gone)?;
        let unusable =
            |error: serde_json::Error| ToolFailure::Unavailable(format!("{}: {error}", self.name));
        let arguments: Box<RawValue> =
            RawValue::from_string(call.arguments.get().to_owned()).map_err(unusable)?;
        let meta = call.context.trace.as_ref().map(meta).transpose().map_err(unusable)?;
        let request =
            ToolRequest { name: &call.name, arguments: &arguments, meta: meta.as_deref() };
        let answered = timeout(CALL, client.call_tool(request, &call.cancel)).await;
        let late = || ToolFailure::Unavailable(format!("server `{}` does not answer", self.name));
        match answered.map_err(|Elapsed { .. }| late())? {
            Ok(result) => Ok(ToolResult::from_raw(RawJson::from(result))),
            Err(ClientError::Cancelled) => Err(ToolFailure::Cancelled),
            // It is for the model to read and to mend.
            Err(ClientError::Refused(error)) => Ok(ToolResult::error(&error.message)),
            Err(ClientError::Closed) => {
                self.gone.store(true, Ordering::Relaxed);
                Err(gone())
            }
            Err(error) => Err(ToolFailure::Unavailable(format!("server `{}`: {error}", self.name))),
        }
    }

    async fn close(&self) {
        let Some((client, mut child)) = self.connection.lock().await.take() else { return };
        // Calls under way hold the client; whoever closes has ended them.
        if let Some(client) = Arc::into_inner(client) {
            client.close().await;
        }
        if timeout(PATIENCE, child.wait()).await.is_err()
            && let Err(error) = child.kill(GRACE).await
        {
            tracing::warn!(%error, "server `{}` did not end", self.name);
        }
    }
}

/// The trace, under the names MCP reserves for it.
fn meta(trace: &TraceContext) -> Result<Box<RawValue>, serde_json::Error> {
    let mut meta = json!({ "traceparent": trace.traceparent });
    if let (Some(state), Some(meta)) = (&trace.tracestate, meta.as_object_mut()) {
        meta.insert("tracestate".to_owned(), state.clone().into());
    }
    to_raw_value(&meta)
}
