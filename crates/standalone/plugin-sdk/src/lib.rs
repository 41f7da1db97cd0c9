//! awf-plugin-sdk: plugins for awf, on the wire of go-plugin.
//!
//! A [`Plugin`] has operations, step types and a validator, and is served from `main`. What it is started with and how
//! it answers is what go-plugin has always done, so hosts in Go take it as well. The crate is the outermost
//! layer of a plugin's process: it alone reads the environment and prints the handshake. It never prints anything else
//! to standard output.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use awf_plugin_sdk::{Input, Operation, Plugin, Reply};
//!
//! fn main() -> ExitCode {
//!     let repeat = Operation::new("repeat", |call| {
//!         let (text, times): (String, usize) = (call.input("text")?, call.input("times")?);
//!         Ok(Reply::text(text.repeat(times)).data("times", times))
//!     })
//!     .description("Says something more than once")
//!     .input(Input::string("text").required())
//!     .input(Input::integer("times").default(2))
//!     .read_only();
//!     Plugin::new("parrot", "1.0.0").operation(repeat).serve()
//! }
//! ```

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
