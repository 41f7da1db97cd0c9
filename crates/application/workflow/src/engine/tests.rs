//! The engine with real shells and agents that are not.

mod agents;
mod commands;
mod flow;
mod interruption;
mod plugins;
mod stage;
