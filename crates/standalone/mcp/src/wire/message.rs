//! One line becomes one JSON-RPC message, or a refusal that says why not.
//!
//! The envelope is read in one pass; `id`, `params`, `result` and `error` stay the text they were.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize,
    de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    error::RpcError,
    wire::{RequestId, scan},
};

/// A JSON-RPC message, its parts as they were written. For transports that must know what they carry.
#[derive(Debug)]
pub enum Message<'a> {
    /// Wants an answer.
    Request {
        /// What the answer will be told by.
        id: RequestId,
        /// What is asked for.
        method: Cow<'a, str>,
        /// Whatever it needs.
        params: Option<&'a RawValue>,
    },
    /// Wants none.
    Notification {
        /// What is told.
        method: Cow<'a, str>,
        /// Whatever belongs to it.
        params: Option<&'a RawValue>,
    },
    /// An answer.
    Response {
        /// What it answers, unless that could not be told.
        id: Option<RequestId>,
        /// The result, or the error object.
        outcome: Result<&'a RawValue, &'a RawValue>,
    },
}

impl<'a> Message<'a> {
    /// Reads one message, by the same rules as [`Server`](crate::Server): what this refuses, that would too.
    pub fn read(text: &'a [u8]) -> Result<Self, Refusal> {
        parse(text)
    }
}

/// An error, and whom it answers: nobody in particular when the id could not be had.
#[derive(Debug)]
pub struct Refusal {
    /// The request that is refused.
    pub id: Option<RequestId>,
    /// Why.
    pub error: RpcError,
}

pub(crate) fn parse(line: &[u8]) -> Result<Message<'_>, Refusal> {
    let nobody = |error| Refusal { id: None, error };
    let text =
        str::from_utf8(line).map_err(|_| nobody(RpcError::parse("Parse error: not UTF-8")))?;
    if !text.starts_with('{') {
        return Err(nobody(not_an_object(text)));
    }
    let mut envelope = Envelope::default();
    envelope.read(text).map_err(|_| nobody(RpcError::parse("Parse error: not JSON")))?;
    if envelope.repeated {
        return Err(nobody(RpcError::invalid_request("Invalid request: a key occurs twice")));
    }
    if scan::has_lone_surrogate(text) {
        let id = envelope.request_id().filter(|id| !scan::has_lone_surrogate(id.as_json()));
        return Err(Refusal { id, error: RpcError::parse("Parse error: half a surrogate pair") });
    }
    if scan::too_deep(text) {
        let error = RpcError::invalid_request(format!(
            "Invalid request: nested deeper than {}",
            scan::MAX_DEPTH
        ));
        return Err(Refusal { id: envelope.request_id(), error });
    }
    envelope.classify()
}

/// The id of a request of which only the beginning is known.
pub(crate) fn salvage_id(head: &[u8]) -> Option<RequestId> {
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&head[..error.valid_up_to()]).ok()?,
    };
    // A number at the very end may go on beyond the cut.
    let text = text.trim_end_matches(|last: char| last.is_ascii_digit());
    let mut envelope = Envelope::default();
    // The error is certain, for the text is cut; what was read before it is what we came for.
    envelope.read(text).ok();
    envelope.request_id().filter(|id| !envelope.repeated && !scan::has_lone_surrogate(id.as_json()))
}

/// The text of a JSON string.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(raw.get()).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

fn not_an_object(text: &str) -> RpcError {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return RpcError::parse("Parse error: not JSON");
    }
    if text.starts_with('[') {
        return RpcError::invalid_request("Invalid request: batches are not part of this protocol");
    }
    RpcError::invalid_request("Invalid request: a message is an object")
}

/// The keys of a message as they came. Filled in place, so that a line that breaks off still yields its id.
#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    repeated: bool,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Other,
}

impl<'a> Envelope<'a> {
    fn read(&mut self, text: &'a str) -> serde_json::Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        DeserializeSeed::deserialize(self, &mut deserializer)?;
        deserializer.end()
    }

    fn request_id(&self) -> Option<RequestId> {
        self.id.and_then(RequestId::parse)
    }

    fn classify(self) -> Result<Message<'a>, Refusal> {
        let refuse =
            |id, text: &'static str| Err(Refusal { id, error: RpcError::invalid_request(text) });
        let id = self.request_id();
        if self.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
            return refuse(id, "Invalid request: `jsonrpc` must be \"2.0\"");
        }
        let outcome = match (self.result, self.error) {
            (_, Some(error)) => Some(Err(error)),
            (Some(result), None) => Some(Ok(result)),
            (None, None) => None,
        };
        let method = match (self.method, outcome) {
            (None, Some(outcome)) => return Ok(Message::Response { id, outcome }),
            (None, None) => return refuse(id, "Invalid request: no `method`"),
            (Some(_), Some(_)) => {
                return refuse(id, "Invalid request: both a request and a response");
            }
            (Some(method), None) => string(method),
        };
        let Some(method) = method else {
            return refuse(id, "Invalid request: `method` must be a string");
        };
        match (id, self.id) {
            (Some(id), _) => Ok(Message::Request { id, method, params: self.params }),
            (None, None) => Ok(Message::Notification { method, params: self.params }),
            (None, Some(_)) => refuse(None, "Invalid request: `id` must be a string or an integer"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Envelope<'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Envelope<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key()? {
            let place = match key {
                Key::Jsonrpc => &mut self.jsonrpc,
                Key::Id => &mut self.id,
                Key::Method => &mut self.method,
                Key::Params => &mut self.params,
                Key::Result => &mut self.result,
                Key::Error => &mut self.error,
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            self.repeated |= place.replace(map.next_value()?).is_some();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
