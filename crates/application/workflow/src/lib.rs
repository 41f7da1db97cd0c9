//! awf-workflow: checks workflows, and runs them.
//!
//! `check` finds everything that can be known without starting anything. `machine` is a pure function from state and event
//! to state and commands. `engine` carries the commands out and journals what the world answered.

#[cfg(test)]
mod built;
mod capture;
mod check;
mod diagram;
mod engine;
mod inputs;
mod machine;
mod paths;
mod plan;
mod program;
mod validator;
mod ways;

pub use check::{OptionRule, STATE_PROPERTIES, Surroundings, check};
pub use diagram::{DiagramOptions, DiagramStyle, Direction, diagram};
pub use engine::{
    AgentSource, Engine, EngineError, EnginePorts, InterruptedStep, Notice, OutputStream, Person,
    Places, ResumeRequest, RunRequest, Totals, Watcher,
};
pub use inputs::{InputSources, Inputs, check_input, missing_inputs, resolve_inputs};
pub use plan::{Plan, PlannedStep, PlannedWay, WayOn, WayTo, plan};
pub use program::Program;
pub use validator::validator_json;
