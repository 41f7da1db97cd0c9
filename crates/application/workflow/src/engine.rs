//! Runs workflows: carries the machine's commands out and journals what the world answered.

mod error;
mod notice;
mod ports;
mod request;

pub use error::{EngineError, InterruptedStep};
pub use notice::{Notice, OutputStream};
pub use ports::{AgentSource, EnginePorts, Places, Watcher};
pub use request::{ResumeRequest, RunRequest};

/// Runs workflows.
pub struct Engine {
    ports: EnginePorts,
}

impl Engine {
    /// Starts nothing.
    pub fn new(ports: EnginePorts) -> Self {
        Self { ports }
    }
}
