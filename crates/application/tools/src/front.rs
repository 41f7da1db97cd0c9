//! The MCP surface: one source of tools behind one connection.

use std::{io, sync::Arc};

use async_trait::async_trait;
use awf_core::{
    ActivityId, CallContext, CallIntent, CallSurface, RawJson, ToolCall, ToolFailure, ToolProvider,
    TraceContext,
};
use awf_mcp::{Limits, RegisterError, RpcError, Server, ToolHandler, ToolReply};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
};
use tokio_util::sync::CancellationToken;

use crate::front::listing::{Listing, UNCHANGING, identity};

mod listing;

/// Calls that run at once. More than Bash starts at once, so that commands that wait their turn leave room for a Read.
const IN_FLIGHT: usize = 256;
/// Calls that wait. Many and small rather than few: while the queue takes them, cancellations and the end of the
/// connection are seen; their bytes are bounded apart.
const QUEUED: usize = 16 * 1024;

/// Offers a router to MCP clients.
pub struct McpFront {
    server: Server,
    /// Where the tools come and go: what was listed last, and who is told of changes.
    live: Option<(Arc<Listing>, watch::Sender<u64>)>,
}

/// Why a front could not be opened or broke.
#[derive(Debug, thiserror::Error)]
pub enum FrontError {
    /// The tools could not be listed.
    #[error("cannot list tools: {0}")]
    List(#[from] ToolFailure),
    /// A tool cannot be offered.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// The connection broke.
    #[error("the MCP connection broke: {0}")]
    Connection(#[from] io::Error),
}

impl McpFront {
    /// Offers the tools of `provider`, as they are whenever a client asks. What never changes is listed and checked at
    /// once. `trace` is what calls belong to that bring no trace of their own.
    pub async fn new(
        provider: Arc<dyn ToolProvider>,
        trace: Option<TraceContext>,
    ) -> Result<Self, FrontError> {
        let mut server = Server::new("awf", env!("CARGO_PKG_VERSION"));
        server.set_limits(Limits { in_flight: IN_FLIGHT, queued: QUEUED, ..Limits::default() });
        let handler = Arc::new(Calls {
            provider: provider.clone(),
            trace,
            session: ActivityId::generate().to_string(),
        });
        let listing = Arc::new(Listing::new(provider.clone()));
        server.set_lister(listing.clone());
        let mut live = None;
        if provider.revision() == UNCHANGING {
            for tool in provider.tools().await? {
                server.register_raw(tool.raw().as_raw().to_owned(), handler.clone())?;
            }
        } else {
            let (change, changes) = watch::channel(provider.revision());
            server.set_changes(changes);
            live = Some((listing, change));
        }
        // Names nobody registered go through the router too: it records them before they are turned away.
        server.set_fallback(handler);
        Ok(Self { server, live })
    }

    /// Who is told each time a client asks which tools there are. Must not block.
    pub(crate) fn on_listed(&mut self, told: Arc<dyn Fn() + Send + Sync>) {
        self.server.on_listed(told);
    }

    /// Serves one client until it closes its side or `stop` fires.
    pub async fn serve<R, W>(
        &self,
        reader: R,
        writer: W,
        stop: CancellationToken,
    ) -> Result<(), FrontError>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let served = self.server.serve_until(reader, writer, stop);
        match &self.live {
            None => served.await?,
            Some((listing, change)) => tokio::select! {
                biased;
                served = served => served?,
                never = listing.watch(change) => match never {},
            },
        };
        Ok(())
    }
}

/// Turns MCP calls into calls of the provider, and what comes back into MCP replies.
struct Calls {
    provider: Arc<dyn ToolProvider>,
    trace: Option<TraceContext>,
    session: String,
}

#[async_trait]
impl ToolHandler for Calls {
    async fn call(
        &self,
        context: awf_mcp::CallContext,
        arguments: Box<RawValue>,
    ) -> Result<ToolReply, RpcError> {
        let meta = context.meta.as_deref().and_then(trace_of);
        let call = ToolCall {
            name: context.tool,
            arguments: RawJson::from(arguments),
            intent: CallIntent::Direct,
            context: CallContext {
                client: context.client.as_deref().map(identity),
                session: Some(self.session.clone()),
                trace: meta.or_else(|| self.trace.clone()),
                ..CallContext::new(CallSurface::Mcp)
            },
            cancel: context.cancellation,
        };
        match self.provider.call(call).await {
            Ok(result) => Ok(ToolReply::Vouched(result.into_raw().into_string())),
            // JSON-RPC errors are for faults of the protocol; a host that broke says so in a result.
            Err(ToolFailure::Unknown { name }) => {
                Err(RpcError::invalid_params(self.provider.unknown(&name)))
            }
            Err(failure) => Ok(ToolReply::failure(&failure.to_string())),
        }
    }
}

/// The reserved trace keys of a request's `_meta`.
fn trace_of(meta: &RawValue) -> Option<TraceContext> {
    #[derive(Deserialize)]
    struct Trace {
        traceparent: String,
        tracestate: Option<String>,
    }
    let trace: Trace = serde_json::from_str(meta.get()).ok()?;
    let trace = TraceContext { traceparent: trace.traceparent, tracestate: trace.tracestate };
    trace.trace_id().is_some().then_some(trace)
}
