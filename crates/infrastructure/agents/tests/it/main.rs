//! Agents from outside: what they say, what they call, and that nothing of theirs is left.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test, to fail is to panic")]

mod asking;
mod cli;
mod model;
mod models;
mod openai;
mod openai_keys;
mod openai_streams;
mod scripted;
mod stage;
