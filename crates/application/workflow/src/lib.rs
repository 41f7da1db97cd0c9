//! awf-workflow: checks workflows, and runs them.
//!
//! `check` finds everything that can be known without starting anything. `machine` is a pure function from state and event
//! to state and commands. `engine` carries the commands out and journals what the world answered.

mod check;
mod diagram;
mod engine;
mod machine;
mod plan;

pub use check::{Surroundings, check};
pub use diagram::{DiagramOptions, DiagramStyle, Direction, diagram};
pub use plan::{Plan, PlannedStep, PlannedWay, WayOn, WayTo, plan};
