//! awf-store: the activity log and the journals of runs on disk.
//!
//! Of the activity log, an append-only journal is the truth; an `SQLite` index over it can be thrown away.
//!
//! ```text
//! <home>/activity/segments/<ulid>.jsonl   events, one segment per writing process (and per 64 MiB)
//! <home>/activity/heads.jsonl             which segments were opened, and where each one ended
//! <home>/activity/index.sqlite            columns to search by, and where in the segments each call stands
//! <home>/runs/<ulid>.jsonl                what happened in one run of a workflow
//! ```
//!
//! An event of the activity log is one line and one `write(2)`, so what was acknowledged survives the death of the process. Every line
//! carries the hash of the line before it; the first line of a segment carries the hash of the entry in `heads.jsonl`
//! that registered it. A writer holds a lock on its segment for as long as it lives; a segment whose lock is free and
//! whose end is not in `heads.jsonl` belonged to a killed process, and whoever queries next writes its end down.
//!
//! # What the chains do not prove
//! A segment beyond the limits of the log is removed after an entry in `heads.jsonl` says so.
//!
//! They hold no key. Whoever may write these files can also write them anew, with every hash recomputed, and from then
//! on they fit. In particular nobody can see from the files alone that
//! - the newest entries of `heads.jsonl` were removed together with the segments they speak of;
//! - the end of a segment that is not sealed (in use, or left by a killed process) was cut;
//! - the whole log was deleted.
//!
//! [`head`] gives the hash that vouches for everything sealed so far: kept where the same user cannot write, it closes
//! the first and the last of these.

mod chain;
mod durable;
mod error;
mod format;
mod heads;
mod index;
mod journal;
mod layout;
mod lines;
mod liveness;
mod retention;
mod runs;
#[cfg(test)]
mod sample;
mod segment;
mod store;
mod turn;
mod verify;
mod wire;

pub use journal::{Durability, Journal};
pub use runs::RunStore;
pub use store::ActivityStore;
pub use verify::{Extent, Fault, Finding, Head, Note, Place, VerifyReport, head, verify};
