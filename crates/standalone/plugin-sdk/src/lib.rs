//! awf-plugin-sdk: plugins for awf, on the wire of go-plugin.
//!
//! A [`Plugin`] has operations, step types and a validator, and is served from `main`. What it is started with and how
//! it answers is what go-plugin has always done, so hosts in Go take it as well. The crate is the outermost
//! layer of a plugin's process: it alone reads the environment and prints the handshake. It never prints anything else
//! to standard output.

mod call;
mod certificate;
mod environment;
mod input;
mod log;
mod operation;
mod plugin;
mod reply;
mod server;
mod services;
mod step_type;
mod tls;
mod validator;
mod values;
pub mod wire;

pub use call::Call;
pub use input::{Input, Kind};
pub use operation::Operation;
pub use plugin::{Failure, Plugin};
pub use reply::Reply;
pub use serde_json::value::RawValue;
pub use step_type::{Step, StepType};
pub use validator::{Issue, Workflow, WorkflowStep};
