//! awf-operations: operations that are part of awf, behind the port that plugins are behind.
//!
//! Never logs or repeats what a request carries, nor any part of a URL but its origin: the rest may hold a key. Never holds
//! more of an answer than its limit, and never starts a process but through awf-process.

mod catalog;
mod http;
mod included;
mod inputs;
mod notify;
mod trouble;
mod wire;

pub use catalog::catalog;
pub use included::Included;
