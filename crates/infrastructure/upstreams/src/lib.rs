//! awf-upstreams: tools of other MCP servers, as they are.
//!
//! A server is a program that the user named, or an address. It is started through a guard when it is first needed, sees
//! the environment it was given and no more, is started again when it died, and is gone when it is closed. What it lists is
//! screened and held against what was approved; what it answers is passed on unaltered.
//!
//! Nothing that an agent can reach approves anything: [`Upstream::approve`] and [`Approvals`] are no part of the port.

mod approvals;
mod backoff;
mod book;
mod canonical;
mod complaints;
mod connection;
mod digest;
mod held;
mod hidden;
mod http;
mod judge;
mod lister;
mod opening;
mod pin;
mod pins;
mod review;
mod screen;
mod snapshot;
mod spec;
mod start;
mod supervisor;
mod upstream;
mod vault;

pub use approvals::Approvals;
pub use hidden::is_hidden;
pub use pins::{PinError, Pins};
pub use review::{Change, Field, Review};
pub use screen::{Withheld, WithheldReason};
pub use spec::{Ground, Limits, Transport, UpstreamSpec};
pub use upstream::Upstream;
pub use vault::VaultError;
