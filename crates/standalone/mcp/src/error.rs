//! The JSON-RPC error object and the codes that MCP gives it.

use std::borrow::Cow;

use serde_json::value::{RawValue, to_raw_value};

use crate::{
    era::ALL_VERSIONS,
    wire::{Encode as _, RequestId},
};

/// The codes this crate sends.
pub mod code {
    /// The line is not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// JSON, but not a message.
    pub const INVALID_REQUEST: i64 = -32600;
    /// No such method in this era.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// Parameters of the wrong shape, or a tool nobody registered.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The host broke.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// A header of the request does not say what the request says (2026-07-28).
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The call needs a capability that the client did not declare (2026-07-28).
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// A request named a protocol version that is not spoken here (2026-07-28).
    pub const UNSUPPORTED_VERSION: i64 = -32022;
}

/// How much of a peer's own text an error gives back to it.
const MAX_ECHO: usize = 256;

/// A JSON-RPC error: the protocol was broken, or the host was. What a tool has to say goes into its result.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcError {
    /// See [`code`].
    pub code: i64,
    /// One sentence for the peer.
    pub message: Cow<'static, str>,
    /// Machine-readable detail.
    pub data: Option<Box<RawValue>>,
}

impl RpcError {
    /// An error without `data`.
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// `-32602`.
    pub fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code::INVALID_PARAMS, message)
    }

    /// `-32603`.
    pub fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code::INTERNAL_ERROR, message)
    }

    /// `-32602` with the wording MCP gives for a tool that does not exist. A hostile name is cut.
    pub fn unknown_tool(name: &str) -> Self {
        Self::invalid_params(format!("Unknown tool: {}", clip(name)))
    }

    /// The whole message that answers `id` with this error, or nobody in particular.
    pub fn to_message(&self, id: Option<&RequestId>) -> String {
        let mut text = Vec::new();
        text.error(id, self);
        // The line break ends a message on a stream only.
        text.pop();
        String::from_utf8(text).unwrap_or_default()
    }

    pub(crate) fn parse(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code::PARSE_ERROR, message)
    }

    /// `-32600`.
    pub fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code::INVALID_REQUEST, message)
    }

    pub(crate) fn unknown_method(name: &str) -> Self {
        Self::new(code::METHOD_NOT_FOUND, format!("Method not found: {}", clip(name)))
    }

    /// `-32022`, with the versions that are spoken here.
    pub fn unsupported_version(requested: &str) -> Self {
        let requested = clip(requested);
        let data = serde_json::json!({"supported": ALL_VERSIONS, "requested": requested});
        Self {
            code: code::UNSUPPORTED_VERSION,
            message: format!("Unsupported protocol version: {requested}").into(),
            data: to_raw_value(&data).ok(),
        }
    }
}

/// What of `text` may be echoed: a peer must not be able to make us repeat a megabyte.
pub(crate) fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_ECHO)]
}
