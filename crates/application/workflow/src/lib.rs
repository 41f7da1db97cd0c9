//! awf-workflow: checks workflows, and runs them.
//!
//! `check` finds everything that can be known without starting anything. `machine` is a pure function from state and event
//! to state and commands. `engine` carries the commands out and journals what the world answered.

mod check;
mod engine;
mod machine;
