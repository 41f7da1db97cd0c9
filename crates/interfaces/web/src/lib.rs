//! awf-web: what awf offers over HTTP. MCP at `/mcp`, the REST API below `/api/v1`, a page to look at: all behind one key.
//!
//! Every request passes the guards (host, origin, who asks, form) before anything else looks at it. This crate decides about no
//! call: each goes to a [`Gate`], the same one every other surface uses.

mod api;
mod body;
mod guard;
mod house;
mod key;
mod login;
mod mcp;
mod openapi;
mod page;
mod ports;
mod problem;
mod query;
mod reading;
mod room;
mod serve;

pub use house::{WebLimits, WebSettings};
pub use key::{ApiKey, KeyError};
pub use login::login_code;
pub use page::run_file;
pub use ports::{
    AgentChart, AgentProgram, Chart, Clinic, Gate, NoView, ProofChart, ServerChart, View, Views,
    WebPorts,
};
pub use query::percent_encoded;
pub use reading::RunReading;
pub use serve::serve;
