//! Events as they are written: a name, an id where the place is known, one line of JSON.

use awf_core::{ExportFormat, Over, Place};
use axum::body::Bytes;

/// Shows that the stream is alive.
pub(super) const ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// The first event: where the client stands.
pub(super) fn place(place: Place) -> Bytes {
    Bytes::from(format!("id: {place}\nevent: place\ndata: {{\"id\":\"{place}\"}}\n\n"))
}

/// A call that is over.
pub(super) fn activity(over: &Over) -> Bytes {
    let (place, line) = (over.place, ExportFormat::Json.record(&over.record));
    Bytes::from(format!("id: {place}\nevent: activity\ndata: {line}\n"))
}

/// Calls are missing that nobody can tell any more; it goes on from here.
pub(super) fn lost(place: Place) -> Bytes {
    let told = r#"{"reason":"index_rebuilt"}"#;
    Bytes::from(format!("id: {place}\nevent: gap\ndata: {told}\n\n"))
}

/// The client was too slow, and is left here: without an id, so that it comes back with that of the last call it had.
pub(super) fn too_slow() -> Bytes {
    Bytes::from_static(b"event: gap\ndata: {\"reason\":\"too_slow\"}\n\n")
}

#[cfg(test)]
mod tests;
