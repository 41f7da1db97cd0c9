//! The calling half: one connection to one MCP server, shared by any number of callers.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{mpsc, oneshot},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::{
    era::{self, Era},
    error::RpcError,
    tool::Implementation,
    wire::{Encode, RequestId},
};

use driver::{Command, Driver};

mod driver;
mod handshake;
mod listing;

/// Requests that may wait for the connection to take them.
const COMMAND_SLOTS: usize = 64;

/// Is told of each notification of the server: its method and its parameters. Must not block.
pub type NotificationSink = Arc<dyn Fn(&str, Option<&RawValue>) + Send + Sync>;

/// How to present ourselves to a server.
#[derive(Clone)]
pub struct ClientOptions {
    /// Who we are.
    pub implementation: Implementation,
    /// Which era to open with.
    pub opening: Opening,
    /// Who hears the server's notifications (`notifications/tools/list_changed`, progress).
    pub notifications: NotificationSink,
}

impl ClientOptions {
    /// Legacy first, and nobody listens to notifications.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            implementation: Implementation { name: name.into(), version: version.into() },
            opening: Opening::LegacyFirst,
            notifications: Arc::new(|_, _| {}),
        }
    }
}

impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientOptions")
            .field("implementation", &self.implementation)
            .field("opening", &self.opening)
            .finish_non_exhaustive()
    }
}

/// Which era a client opens with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// `initialize`, and the modern era if the server refuses that.
    LegacyFirst,
    /// The modern era or nothing.
    Modern,
}

/// What a server said of itself.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerIdentity {
    /// Its name and version, if it gave them.
    pub implementation: Option<Implementation>,
    /// The revision that is spoken with it.
    pub version: String,
    /// The era of that revision.
    pub era: Era,
    /// Its advice to the model.
    pub instructions: Option<String>,
}

/// Why a server could not be asked, or what it answered instead of a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// It answered with an error.
    #[error("the server refused: {0}")]
    Refused(#[from] RpcError),
    /// The connection is closed.
    #[error("the connection to the server is closed")]
    Closed,
    /// The caller gave up.
    #[error("the request was cancelled")]
    Cancelled,
    /// Its answer cannot be used.
    #[error("the server's reply is unusable: {reason}")]
    BadReply {
        /// What is wrong with it.
        reason: String,
    },
    /// It speaks no revision that we do.
    #[error("the server speaks protocol version `{version}`, which is not supported")]
    UnsupportedVersion {
        /// What it said, cut to a decent length.
        version: String,
    },
    /// Its list of tools does not end.
    #[error("the server's tool list is too long: {reason}")]
    ListTooLong {
        /// Which bound it broke.
        reason: &'static str,
    },
    /// It wants to ask the user something in return (`input_required`), which is not supported.
    #[error("the server asks for input before it answers, which is not supported")]
    InputRequired,
}

/// A connection to an MCP server. Dropping it ends the connection at once; [`close`](Self::close) says goodbye first.
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    server: ServerIdentity,
    driver: DriverTask,
}

/// A call to make.
#[derive(Debug, Clone, Copy)]
pub struct ToolRequest<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// An object, sent as it is.
    pub arguments: &'a RawValue,
    /// Sent as `_meta`; keys that name a protocol version or a client are replaced by our own.
    pub meta: Option<&'a RawValue>,
}

impl Client {
    /// Opens a connection. Waits for the server as long as the caller does.
    pub async fn connect<R, W>(
        reader: R,
        writer: W,
        options: ClientOptions,
    ) -> Result<Self, ClientError>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (commands, inbox) = mpsc::channel(COMMAND_SLOTS);
        let driver = DriverTask(tokio::spawn(
            Driver::new(reader, writer, inbox, options.notifications).run(),
        ));
        let connection = Connection { commands, next_id: AtomicU64::new(1), modern_meta: None };
        let mut client = Self { connection, server: ServerIdentity::unknown(), driver };
        handshake::open(&mut client, &options.implementation, options.opening).await?;
        Ok(client)
    }

    /// What the server said of itself.
    pub const fn server(&self) -> &ServerIdentity {
        &self.server
    }

    /// All tools of the server, each as it was sent.
    pub async fn list_tools(&self) -> Result<Vec<Box<RawValue>>, ClientError> {
        listing::all(&self.connection).await
    }

    /// Calls a tool and gives back its result as it was sent. When `cancellation` fires, or this future is dropped, the
    /// server is told.
    pub async fn call_tool(
        &self,
        request: ToolRequest<'_>,
        cancellation: &CancellationToken,
    ) -> Result<Box<RawValue>, ClientError> {
        let reply = self.connection.request("tools/call", request.meta, |params| {
            params.raw(r#""name":"#);
            params.string(request.name);
            params.raw(r#","arguments":"#);
            params.raw(request.arguments.get());
        });
        let result = tokio::select! {
            biased;
            reply = reply => reply?,
            () = cancellation.cancelled() => return Err(ClientError::Cancelled),
        };
        if era::is_complete(&result) { Ok(result) } else { Err(ClientError::InputRequired) }
    }

    /// Whether the server has hung up: every further request would be [`ClientError::Closed`].
    pub fn is_closed(&self) -> bool {
        self.connection.commands.is_closed()
    }

    /// Closes our side and waits until everything asked so far was sent.
    pub async fn close(self) {
        let Self { connection, server: _, mut driver } = self;
        drop(connection);
        // The driver is a task of ours that neither panics nor is aborted by anyone else.
        (&mut driver.0).await.ok();
    }
}

/// The task behind a connection; it does not outlive its client.
#[derive(Debug)]
struct DriverTask(JoinHandle<()>);

impl Drop for DriverTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl ServerIdentity {
    const fn unknown() -> Self {
        Self { implementation: None, version: String::new(), era: Era::Legacy, instructions: None }
    }
}

/// The callers' end of the driver.
#[derive(Debug)]
struct Connection {
    commands: mpsc::Sender<Command>,
    next_id: AtomicU64,
    /// What each request carries in its `_meta` once the era is known to be modern: members without braces.
    modern_meta: Option<String>,
}

impl Connection {
    /// Asks and waits. `params` writes the members of the parameters other than `_meta`.
    async fn request(
        &self,
        method: &str,
        meta: Option<&RawValue>,
        params: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Box<RawValue>, ClientError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let mut line = Vec::new();
        line.request(&RequestId::number(id), method, |out| {
            let from = out.len();
            params(out);
            let comma = if out.len() > from { "," } else { "" };
            era::write_meta(comma, self.modern_meta.as_deref(), meta, out);
        });
        let (reply, answer) = oneshot::channel();
        let command = Command::Ask { id, line, reply };
        self.commands.send(command).await.map_err(|_| ClientError::Closed)?;
        let mut guard = Unanswered { id, commands: Some(&self.commands) };
        let answer = answer.await.unwrap_or(Err(ClientError::Closed));
        guard.commands = None;
        answer
    }

    async fn notify(&self, method: &str) -> Result<(), ClientError> {
        let mut line = Vec::new();
        line.notification(method, |_| {});
        self.commands.send(Command::Tell(line)).await.map_err(|_| ClientError::Closed)
    }
}

/// Tells the server when a caller stops waiting.
struct Unanswered<'a> {
    id: u64,
    commands: Option<&'a mpsc::Sender<Command>>,
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if let Some(commands) = self.commands {
            // A full channel means the server does not read; then it will not read this either.
            commands.try_send(Command::Forget { id: self.id }).ok();
        }
    }
}
