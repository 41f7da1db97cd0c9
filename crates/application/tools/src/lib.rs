//! awf-tools: the router every tool call passes, and the surfaces that lead to it.
//!
//! A call goes span → resolve → decide → record start → call → record end, whatever surface it came in by.
//! This crate never starts a process and knows no tool: it is handed providers. The only files it touches are those of a
//! session: a private directory with a socket, removed with it.

mod arguments;
mod front;
mod operation_tools;
mod private_dir;
mod router;
mod search;
mod session;
mod surface;

pub use front::{FrontError, McpFront};
pub use operation_tools::{
    OperationTools, UnsupportedSchema, check_inputs, input_schema, typed_input,
};
pub use private_dir::{PrivateDir, sweep_private_dirs};
pub use router::{Answer, Ports, RouterError, ToolRouter, TraceLink};
pub use search::{Found, Hit, SearchFilters, SearchIndex};
pub use session::{
    CallNews, CallWatcher, NoSource, PlaceError, ProxyError, ProxySession, ProxySettings,
    SessionRequest, ToolProxyService, ToolSources,
};
pub use surface::{IntentSurface, TOOLS_MOST, TOOLS_USUAL, ToolList};
