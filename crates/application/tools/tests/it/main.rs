//! The router held to its promises: one record, one decision and one answer for every call, whatever happens.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test, to fail is to panic")]

mod fakes;
mod router;
