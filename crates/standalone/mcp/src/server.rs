//! The serving half: tools by name, offered to any number of peers, one after the other or at once.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
};
use tokio_util::sync::CancellationToken;

use crate::{
    era::Identity,
    tool::{Implementation, ToolHandler, ToolLister},
    wire::{Encode, MAX_LINE, is_object},
};

use session::Session;

mod calls;
mod changes;
mod desk;
mod params;
mod session;

/// The longest tool name MCP allows.
const MAX_NAME: usize = 128;

/// Offers tools over byte streams.
pub struct Server {
    implementation: Implementation,
    instructions: Option<String>,
    /// Sorted, so that every peer sees the same list in the same order.
    tools: BTreeMap<String, Tool>,
    fallback: Option<Arc<dyn ToolHandler>>,
    lister: Option<Arc<dyn ToolLister>>,
    changes: Option<watch::Receiver<u64>>,
    limits: Limits,
    /// Hears of each listing.
    listed: Option<Arc<dyn Fn() + Send + Sync>>,
    /// The inside of the `tools` array, joined once.
    listing: OnceLock<String>,
}

struct Tool {
    definition: Box<RawValue>,
    handler: Arc<dyn ToolHandler>,
}

/// How much one peer may ask for at once, and how long it is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Calls that run at the same time.
    pub in_flight: usize,
    /// Calls that wait for one of those to end. When they are that many, reading stops.
    pub queued: usize,
    /// Bytes of the calls that wait or run, as the peer sent them. When they are that many, reading stops.
    pub held: usize,
    /// Bytes the peer has not taken yet. When they are that many, reading stops and no further call begins.
    pub outgoing: usize,
    /// How long calls may go on after the peer has closed its side.
    pub eof_grace: Duration,
    /// How long a cancelled call may take to clean up before it is dropped.
    pub cancel_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            in_flight: 64,
            queued: 256,
            // Several of the longest lines: one huge call that runs must not keep its own cancellation from being read.
            held: 4 * MAX_LINE,
            outgoing: 256 * 1024,
            eof_grace: Duration::from_secs(2),
            cancel_grace: Duration::from_secs(2),
        }
    }
}

/// Why serving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The peer closed its side.
    Eof,
    /// The host asked for it.
    Shutdown,
    /// The peer takes no more answers.
    PeerGone,
}

/// Why a tool was not registered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// MCP allows 1 to 128 of `A-Za-z0-9_.-`.
    #[error("tool name `{}` is not 1 to 128 of A-Z a-z 0-9 _ . -", name.escape_debug())]
    InvalidName {
        /// As given.
        name: String,
    },
    /// Each name can be given once.
    #[error("tool `{name}` is registered already")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The definition is not an object with a string `name` and an object `inputSchema`.
    #[error("tool definition is malformed: {reason}")]
    Malformed {
        /// What is wrong with it.
        reason: String,
    },
}

impl Server {
    /// A server without tools.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            implementation: Implementation { name: name.into(), version: version.into() },
            instructions: None,
            tools: BTreeMap::new(),
            fallback: None,
            lister: None,
            changes: None,
            limits: Limits::default(),
            listed: None,
            listing: OnceLock::new(),
        }
    }

    /// Replaces the default [`Limits`]. Zero calls or bytes would serve nobody, so each counts as at least one.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = Limits {
            in_flight: limits.in_flight.max(1),
            queued: limits.queued.max(1),
            outgoing: limits.outgoing.max(1),
            ..limits
        };
    }

    /// Advice to the model on how to use these tools.
    pub fn set_instructions(&mut self, instructions: impl Into<String>) {
        self.instructions = Some(instructions.into());
    }

    /// Who answers calls of tools that are not registered. Without one they get [`RpcError::unknown_tool`](crate::RpcError::unknown_tool).
    pub fn set_fallback(&mut self, handler: Arc<dyn ToolHandler>) {
        self.fallback = Some(handler);
    }

    /// Who says which tools there are, each time a peer asks, in place of those registered. Calls still go to those
    /// registered, and all others to the fallback.
    pub fn set_lister(&mut self, lister: Arc<dyn ToolLister>) {
        self.lister = Some(lister);
    }

    /// Where it is heard that the list of tools has changed. Peers with a handshake are told, and told beforehand that
    /// they will be.
    pub fn set_changes(&mut self, changes: watch::Receiver<u64>) {
        self.changes = Some(changes);
    }

    /// Who is told each time a peer was given the list of tools. Must not block.
    pub fn on_listed(&mut self, told: Arc<dyn Fn() + Send + Sync>) {
        self.listed = Some(told);
    }

    /// Registers a tool by its parts.
    pub fn register_tool(
        &mut self,
        name: &str,
        description: &str,
        input_schema: &RawValue,
        handler: Arc<dyn ToolHandler>,
    ) -> Result<(), RegisterError> {
        let mut json = Vec::new();
        json.raw(r#"{"name":"#);
        json.string(name);
        json.raw(r#","description":"#);
        json.string(description);
        json.raw(r#","inputSchema":"#);
        json.raw(input_schema.get());
        json.raw("}");
        let malformed = |reason: String| RegisterError::Malformed { reason };
        let text = String::from_utf8(json).map_err(|error| malformed(error.to_string()))?;
        let definition =
            RawValue::from_string(text).map_err(|error| malformed(error.to_string()))?;
        self.register_raw(definition, handler)
    }

    /// Registers a whole tool object, which peers then see byte for byte.
    pub fn register_raw(
        &mut self,
        definition: Box<RawValue>,
        handler: Arc<dyn ToolHandler>,
    ) -> Result<(), RegisterError> {
        let name = check(&definition)?;
        if self.tools.contains_key(&name) {
            return Err(RegisterError::Duplicate { name });
        }
        self.tools.insert(name, Tool { definition, handler });
        self.listing = OnceLock::new();
        Ok(())
    }

    /// Serves one peer until it closes its side. Needs a tokio runtime with its timer enabled.
    pub async fn serve<R, W>(&self, reader: R, writer: W) -> io::Result<Ended>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        self.serve_until(reader, writer, CancellationToken::new()).await
    }

    /// Serves one peer until it closes its side or `shutdown` fires, whichever is first.
    pub async fn serve_until<R, W>(
        &self,
        reader: R,
        writer: W,
        shutdown: CancellationToken,
    ) -> io::Result<Ended>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        Session::new(self, reader, writer).run(shutdown).await
    }

    fn identity(&self) -> Identity<'_> {
        Identity {
            server: &self.implementation,
            instructions: self.instructions.as_deref(),
            changing: self.changes.is_some(),
        }
    }

    fn handler(&self, name: &str) -> Option<&dyn ToolHandler> {
        self.tools.get(name).map(|tool| &tool.handler).or(self.fallback.as_ref()).map(AsRef::as_ref)
    }

    fn listing(&self) -> &str {
        self.listing.get_or_init(|| {
            let definitions: Vec<&str> =
                self.tools.values().map(|tool| tool.definition.get()).collect();
            definitions.join(",")
        })
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tools: Vec<&String> = self.tools.keys().collect();
        f.debug_struct("Server")
            .field("implementation", &self.implementation)
            .field("tools", &tools)
            .finish_non_exhaustive()
    }
}

/// Reads the name of a definition and refuses what peers would choke on.
fn check(definition: &RawValue) -> Result<String, RegisterError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct View<'a> {
        name: String,
        #[serde(borrow)]
        input_schema: &'a RawValue,
    }
    let malformed = |reason: String| RegisterError::Malformed { reason };
    if !is_object(definition) {
        return Err(malformed("a tool is an object".to_owned()));
    }
    let view: View<'_> =
        serde_json::from_str(definition.get()).map_err(|error| malformed(error.to_string()))?;
    if !is_object(view.input_schema) {
        return Err(malformed("inputSchema is not an object".to_owned()));
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    if view.name.is_empty() || view.name.len() > MAX_NAME || !view.name.bytes().all(allowed) {
        return Err(RegisterError::InvalidName { name: view.name });
    }
    Ok(view.name)
}

#[cfg(test)]
mod tests;
