//! The workflow language, as the built binary runs it: each test is a workflow and what must come of it.

use crate::{workflow::Ran, world::World};

mod inputs;
mod loops;
mod parallel;
mod reach;
mod routes;
mod steps;

/// Runs a workflow in a world of its own.
fn run(text: &str) -> Ran {
    World::new().run(text, &[])
}

/// A chain of shell steps that ends in a message.
fn states(initial: &str, states: &str) -> String {
    format!("name: w\nstates:\n  initial: {initial}\n{states}")
}
