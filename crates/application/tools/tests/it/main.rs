//! The router and a step's session held to their promises: one record, one decision and one answer for every call,
//! whatever happens, and nothing left behind.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test, to fail is to panic")]

mod fakes;
mod front;
mod live;
mod live_source;
mod operations;
mod router;
mod session;
mod session_files;
mod session_stage;
mod surface;
