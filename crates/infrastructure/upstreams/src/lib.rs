//! awf-upstreams: tools of other MCP servers, as they are.
//!
//! A server is a program that the user named. It is started through a guard, sees the environment it was given and no
//! more, and is gone when it is closed. What it lists and answers is passed on unaltered.

mod complaints;
mod upstream;

pub use upstream::{Upstream, UpstreamError, UpstreamSpec};
