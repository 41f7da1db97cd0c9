//! MCP over any byte stream, for programs that must pass tools through unharmed.
//!
//! The crate has two halves on one wire. [`Server`] offers tools to a peer, [`Client`] calls the tools of one.
//! Both keep tool definitions, arguments and results as raw JSON: unknown fields, vendor keys, integers beyond
//! 2^53 and the order of keys survive. Both bound every line, so a hostile peer costs at most a fixed amount
//! of memory and never the session.
//!
//! One server speaks both eras of MCP at once: the `initialize` handshake of 2024-11-05 to 2025-11-25, and the
//! sessionless 2026-07-28, where each request says its version in `_meta`.
//!
//! ```no_run
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use awf_mcp::{Server, ToolReply, handler_fn, stdio};
//! use serde_json::value::to_raw_value;
//!
//! let mut server = Server::new("echo", "1.0");
//! let schema = to_raw_value(&serde_json::json!({"type": "object"}))?;
//! server.register_tool("echo", "Gives back its arguments", &schema, handler_fn(|_context, arguments| async move {
//!     Ok(ToolReply::text(arguments.get()))
//! }))?;
//! let (reader, writer) = stdio()?;
//! server.serve(reader, writer).await?;
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod client;
mod era;
mod error;
mod server;
mod stdio;
mod tool;
mod wire;

pub use client::{
    Client, ClientError, ClientOptions, NotificationSink, Opening, ServerIdentity, ToolRequest,
};
pub use era::{Era, LEGACY_VERSIONS, MODERN_VERSION, VERSION_KEY};
pub use error::{RpcError, code};
pub use server::{Ended, Limits, RegisterError, Server};
pub use stdio::{Stdin, Stdout, stdio};
pub use tool::{
    CallContext, Implementation, Progress, ProgressUpdate, ToolHandler, ToolLister, ToolReply,
    handler_fn,
};
pub use wire::{MAX_DEPTH, MAX_LINE, Message, Refusal, RequestId};
