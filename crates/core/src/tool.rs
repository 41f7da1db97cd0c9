//! What a tool is: its definition, a call of it, what the call gives back; and the port every source of tools implements.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::{intent::CallIntent, json::RawJson};

mod definition;
mod request_id;
mod result;
mod standing;

pub use definition::{BadDefinition, ToolDefinition};
pub use request_id::RequestId;
pub use result::ToolResult;
pub use standing::{Standing, Unapproved};

/// A name a tool may be registered under: 1 to 128 of `A-Z a-z 0-9 _ - .`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName(String);

/// Why a text is no tool name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tool name `{shown}` must be 1 to 128 characters of A-Z a-z 0-9 _ - .")]
pub struct BadToolName {
    shown: String,
}

impl ToolName {
    /// Parses a name; inside the house it is never checked again.
    pub fn parse(text: &str) -> Result<Self, BadToolName> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
        if text.is_empty() || text.len() > 128 || !text.bytes().all(allowed) {
            return Err(BadToolName {
                shown: text.chars().take(64).flat_map(char::escape_debug).collect(),
            });
        }
        Ok(Self(text.to_owned()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a tool comes from. Its namespace is the `server` half of `server:tool`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ToolSource {
    /// One of the six tools awf brings along.
    Builtin,
    /// An operation of the plugin of that name.
    Plugin(String),
    /// A tool of the upstream MCP server of that name.
    Mcp(String),
}

impl ToolSource {
    /// The name before the colon in `server:tool`.
    pub fn namespace(&self) -> &str {
        match self {
            Self::Builtin => "builtin",
            Self::Plugin(name) | Self::Mcp(name) => name,
        }
    }
}

impl fmt::Display for ToolSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin => f.write_str("builtin"),
            Self::Plugin(name) => write!(f, "plugin:{name}"),
            Self::Mcp(name) => write!(f, "mcp:{name}"),
        }
    }
}

/// One call, on its way through the router.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The name as the caller wrote it; it may name no tool at all.
    pub name: String,
    /// The arguments as the caller wrote them: any JSON value.
    pub arguments: RawJson,
    /// What the caller says the call is for.
    pub intent: CallIntent,
    /// Who calls, and within what.
    pub context: CallContext,
    /// Fires when the caller no longer wants the answer.
    pub cancel: CancellationToken,
}

/// Who calls, and within what: goes into the record, the span and the log line.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// Ties the answer, the record, the span and what is asked of others together.
    pub request_id: RequestId,
    /// The surface the call came in by.
    pub surface: CallSurface,
    /// The calling program, where it said so.
    pub client: Option<ClientIdentity>,
    /// The MCP connection or command the call belongs to.
    pub session: Option<String>,
    /// The workflow run the call belongs to.
    pub run: Option<String>,
    /// The step of that run.
    pub step: Option<String>,
    /// The trace the call belongs to: its span is a child of this.
    pub trace: Option<TraceContext>,
    /// What brought the call about, where that is not its parent: the agent's turn.
    pub cause: Option<TraceContext>,
}

impl CallContext {
    /// A call that came in by `surface` and carries nothing else yet.
    pub fn new(surface: CallSurface) -> Self {
        Self {
            request_id: RequestId::generate(),
            surface,
            client: None,
            session: None,
            run: None,
            step: None,
            trace: None,
            cause: None,
        }
    }
}

/// The surface a call came in by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallSurface {
    /// An MCP client.
    Mcp,
    /// `awf call`.
    Cli,
    /// The REST API.
    Api,
    /// A workflow step.
    Workflow,
}

impl CallSurface {
    /// Every surface, for parsers and tests.
    pub const ALL: [Self; 4] = [Self::Mcp, Self::Cli, Self::Api, Self::Workflow];

    /// The word used in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Cli => "cli",
            Self::Api => "api",
            Self::Workflow => "workflow",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|surface| surface.as_str() == text)
    }
}

/// The program on the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientIdentity {
    /// As the client names itself.
    pub name: String,
    /// As the client numbers itself.
    pub version: String,
}

/// W3C trace context, carried by value so that no crate but the binary knows a tracing backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// The `traceparent` header.
    pub traceparent: String,
    /// The `tracestate` header, if any.
    pub tracestate: Option<String>,
}

impl TraceContext {
    /// The 32 hex digits that name the trace, if the header is well formed.
    pub fn trace_id(&self) -> Option<&str> {
        let mut parts = self.traceparent.split('-');
        let (version, id) = (parts.next()?, parts.next()?);
        let well_formed =
            version.len() == 2 && id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit());
        (well_formed && id.bytes().any(|b| b != b'0')).then_some(id)
    }
}

/// The host broke. A failure the model should read is a [`ToolResult`] with its error flag set instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolFailure {
    /// No such tool.
    #[error("Unknown tool: {name}")]
    Unknown {
        /// What was asked for, cut to a printable length.
        name: String,
    },
    /// The caller withdrew the call.
    #[error("the call was cancelled")]
    Cancelled,
    /// Nobody approved the source of the tool yet: the message says how to.
    #[error("{0}")]
    NotApproved(String),
    /// Something the tool stands on is gone or refuses: the message says what was tried.
    #[error("{0}")]
    Unavailable(String),
    /// The tool itself broke.
    #[error("internal error in tool `{tool}`: {message}")]
    Internal {
        /// The tool that broke.
        tool: String,
        /// What it said.
        message: String,
    },
}

/// A source of tools: built-ins, a plugin, an upstream server, or the router over all of them.
///
/// Promises, held by the contract suite: `tools` is stable in order; `call` of a name not in `tools` is
/// [`ToolFailure::Unknown`]; a cancelled call ends soon; `close` may be called twice and ends what the provider started.
///
/// A provider whose tools come and go has a `source`. Its `tools` are those last heard of, told without waiting; `refresh`
/// waits, and `revision` tells that there is news.
#[async_trait]
pub trait ToolProvider: Send + Sync {
    /// What can be called.
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure>;
    /// Calls one tool.
    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure>;
    /// Calls one tool that the call was judged by as `tool`. A provider whose tools come and go refuses where that is not what
    /// the tool is at the moment of sending: between judging and sending lie writes to a disk.
    async fn call_judged(
        &self,
        call: ToolCall,
        tool: &ToolDefinition,
    ) -> Result<ToolResult, ToolFailure> {
        let _ = tool;
        self.call(call).await
    }
    /// Ends what this provider started. Idempotent.
    async fn close(&self);

    /// The source that all its tools come from, where there is but one and it is known before they are listed: a server
    /// that starts when it is first needed, or that is down.
    fn source(&self) -> Option<ToolSource> {
        None
    }

    /// Another number whenever `tools` gives another list; 0 as long as nothing was listed. Costs nothing to ask.
    fn revision(&self) -> u64 {
        0
    }

    /// The same tools as one client is to see them: not every client can carry every schema.
    async fn tools_for(
        &self,
        client: Option<&ClientIdentity>,
    ) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        let _ = client;
        self.tools().await
    }

    /// What a caller is told who asked for a tool that is not there.
    fn unknown(&self, name: &str) -> String {
        ToolFailure::Unknown { name: name.to_owned() }.to_string()
    }

    /// Sees to it that `tools` is new enough to judge a call by: starts what is not started, asks again what was asked too
    /// long ago.
    async fn refresh(&self) -> Result<(), ToolFailure> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
