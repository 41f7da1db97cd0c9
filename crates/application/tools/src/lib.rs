//! awf-tools: the router every tool call passes, and the surfaces that lead to it.
//!
//! A call goes span → resolve → decide → record start → call → record end, whatever surface it came in by.
//! This crate never starts a process, opens a file or knows which tools exist: it is handed providers.

mod front;
mod router;

pub use front::{FrontError, McpFront};
pub use router::{Answer, Ports, RouterError, ToolRouter, TraceLink};
