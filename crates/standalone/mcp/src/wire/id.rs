//! A request id, kept as the peer wrote it.

use std::{fmt, sync::Arc};

use serde_json::value::RawValue;

/// Longer ids are refused: an id must be echoed whole, so its length is the peer's grip on our memory.
const MAX_ID: usize = 64 * 1024;

/// The id of a request: a JSON string or integer, as its exact text. `1` and `"1"` differ, 2^70 survives.
#[derive(Debug, Clone)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// `None` for what JSON-RPC allows but MCP forbids (null, fractions), and for what nobody allows.
    pub fn parse(raw: &RawValue) -> Option<Self> {
        let text = raw.get();
        let valid = text.len() <= MAX_ID && (text.starts_with('"') || is_integer(text));
        valid.then(|| Self(text.into()))
    }

    pub(crate) fn number(value: u64) -> Self {
        Self(value.to_string().into())
    }

    /// The JSON text, quotes included.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    fn decoded(&self) -> Option<String> {
        // Only an escape can spell one string in two ways.
        self.0.contains('\\').then(|| serde_json::from_str(&self.0).ok()).flatten()
    }
}

impl PartialEq for RequestId {
    fn eq(&self, other: &Self) -> bool {
        if self.0 == other.0 {
            return true;
        }
        match (self.decoded(), other.decoded()) {
            (None, None) => false,
            (Some(a), Some(b)) => a == b,
            (Some(text), None) => plain(&other.0) == Some(text.as_str()),
            (None, Some(text)) => plain(&self.0) == Some(text.as_str()),
        }
    }
}

impl Eq for RequestId {}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn plain(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}
