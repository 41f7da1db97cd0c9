//! What crosses the byte stream: bounded lines in, JSON-RPC messages with raw parts, coalesced bytes out.
//!
//! Nothing in here knows a method name or a protocol version.

mod encode;
mod fields;
mod id;
mod lines;
mod message;
mod outbox;
mod scan;

pub(crate) use encode::{Encode, is_object};
pub(crate) use fields::RawFields;
pub use id::RequestId;
pub use lines::MAX_LINE;
pub(crate) use lines::{Line, LineBuffer};
pub use message::{Message, Refusal};
pub(crate) use message::{parse, salvage_id, string};
pub(crate) use outbox::{Flow, Outbox};
pub use scan::MAX_DEPTH;
