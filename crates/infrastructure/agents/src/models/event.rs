//! Server-sent events, as all four protocols use them.

use bytes::Bytes;
use serde_json::Value;

/// One event.
#[derive(Debug, PartialEq)]
pub(super) struct Event {
    name: Option<String>,
    data: String,
}

impl Event {
    /// Data alone.
    pub(super) fn data(data: &Value) -> Self {
        Self { name: None, data: data.to_string() }
    }

    /// Named after the `type` that the data has.
    pub(super) fn typed(data: &Value) -> Self {
        let name = data["type"].as_str().map(str::to_owned);
        Self { name, data: data.to_string() }
    }

    /// The end of a stream of chat completions, which is no JSON.
    pub(super) fn done() -> Self {
        Self { name: None, data: "[DONE]".to_owned() }
    }

    pub(super) fn to_bytes(&self) -> Bytes {
        let name = self.name.as_ref().map(|name| format!("event: {name}\n")).unwrap_or_default();
        Bytes::from(format!("{name}data: {}\n\n", self.data))
    }

    #[cfg(test)]
    pub(super) fn value(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

/// A text in three pieces, so that a client that expects it whole is found out. An empty one is one empty piece.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let first = text.floor_char_boundary(text.len() / 3);
    let second = text.floor_char_boundary(text.len() * 2 / 3).max(first);
    let (rest, third) = text.split_at(second);
    let (first, second) = rest.split_at(first);
    let pieces: Vec<_> =
        [first, second, third].into_iter().filter(|piece| !piece.is_empty()).collect();
    if pieces.is_empty() { vec![""] } else { pieces }
}
