//! The two eras of MCP, and all that differs between them. Nothing outside this file decides by version.
//!
//! Legacy peers open with `initialize` and speak one of [`LEGACY_VERSIONS`]. Modern peers ([`MODERN_VERSION`]) have
//! no handshake: every request names its version in `_meta` and is judged alone. Both may be mixed on one stream.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    error::RpcError,
    tool::Implementation,
    wire::{Encode, RawFields, is_object, string},
};

/// The revisions with a handshake, newest first.
pub const LEGACY_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The sessionless revision.
pub const MODERN_VERSION: &str = "2026-07-28";

pub(crate) const ALL_VERSIONS: [&str; 5] = {
    let [a, b, c, d] = LEGACY_VERSIONS;
    [MODERN_VERSION, a, b, c, d]
};

/// The key of a request's `_meta` that says its version.
pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT_INFO_KEY: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// Which rules a request is served by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// With a handshake: 2024-11-05 to 2025-11-25.
    Legacy,
    /// Without: 2026-07-28.
    Modern,
}

/// Whether this stream has seen `initialize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handshake {
    Awaited,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Initialize,
    Discover,
    Ping,
    Shutdown,
    ListTools,
    CallTool,
}

impl Method {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "initialize" => Self::Initialize,
            "server/discover" => Self::Discover,
            "ping" => Self::Ping,
            "shutdown" => Self::Shutdown,
            "tools/list" => Self::ListTools,
            "tools/call" => Self::CallTool,
            _ => return None,
        })
    }
}

/// What the protocol itself reads in a request's `_meta`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "progressToken")]
    pub(crate) progress_token: Option<&'a RawValue>,
}

/// Decides by which rules a request is served, or why it is not.
pub(crate) fn judge(
    method: Method,
    name: &str,
    meta: &Meta<'_>,
    handshake: Handshake,
) -> Result<Era, RpcError> {
    let era = match meta.version {
        Some(version) => by_version(version, meta)?,
        None => without_version(method, handshake)?,
    };
    match (method, era) {
        (Method::Initialize | Method::Ping, Era::Modern) => Err(RpcError::unknown_method(name)),
        _ => Ok(era),
    }
}

fn by_version(version: &RawValue, meta: &Meta<'_>) -> Result<Era, RpcError> {
    let Some(version) = string(version) else {
        return Err(RpcError::invalid_params(format!(
            "Invalid params: _meta[\"{VERSION_KEY}\"] must be a string"
        )));
    };
    if LEGACY_VERSIONS.contains(&&*version) {
        return Ok(Era::Legacy);
    }
    if version != MODERN_VERSION {
        return Err(RpcError::unsupported_version(&version));
    }
    if meta.capabilities.is_some_and(is_object) {
        return Ok(Era::Modern);
    }
    Err(RpcError::invalid_params(format!(
        "Invalid params: _meta[\"{CAPABILITIES_KEY}\"] must be an object"
    )))
}

fn without_version(method: Method, handshake: Handshake) -> Result<Era, RpcError> {
    let known = match method {
        Method::Initialize | Method::Ping | Method::Shutdown => true,
        Method::ListTools | Method::CallTool => handshake == Handshake::Done,
        Method::Discover => false,
    };
    let missing = || {
        RpcError::invalid_params(format!(
            "Invalid params: _meta lacks \"{VERSION_KEY}\" and \"{CAPABILITIES_KEY}\" (or send `initialize` first)"
        ))
    };
    known.then_some(Era::Legacy).ok_or_else(missing)
}

/// The version `initialize` is answered with: the peer's own if we speak it, else our newest with a handshake.
pub(crate) fn negotiate(requested: &str) -> &'static str {
    LEGACY_VERSIONS.into_iter().find(|version| *version == requested).unwrap_or(LEGACY_VERSIONS[0])
}

/// How a server presents itself.
pub(crate) struct Identity<'a> {
    pub(crate) server: &'a Implementation,
    pub(crate) instructions: Option<&'a str>,
    /// The list of tools may change, and peers with a handshake are told.
    pub(crate) changing: bool,
}

impl Identity<'_> {
    /// The result of `initialize`.
    pub(crate) fn write_initialized(&self, version: &str, out: &mut Vec<u8>) {
        out.raw(r#"{"protocolVersion":"#);
        out.string(version);
        self.write_abilities(if self.changing { r#"{"listChanged":true}"# } else { "{}" }, out);
        out.raw(r#","serverInfo":"#);
        write_implementation(self.server, out);
        out.raw("}");
    }

    /// The result of `server/discover`.
    pub(crate) fn write_discovered(&self, out: &mut Vec<u8>) {
        out.raw(r#"{"resultType":"complete","supportedVersions":["#);
        for (index, version) in ALL_VERSIONS.iter().enumerate() {
            out.raw(if index == 0 { "" } else { "," });
            out.string(version);
        }
        out.raw("]");
        self.write_abilities("{}", out);
        out.raw(CACHE_HINTS);
        out.raw(r#","_meta":{"#);
        out.string(SERVER_INFO_KEY);
        out.raw(":");
        write_implementation(self.server, out);
        out.raw("}}");
    }

    fn write_abilities(&self, tools: &str, out: &mut Vec<u8>) {
        out.raw(r#","capabilities":{"tools":"#);
        out.raw(tools);
        out.raw("}");
        if let Some(instructions) = self.instructions {
            out.raw(r#","instructions":"#);
            out.string(instructions);
        }
    }
}

pub(crate) fn write_implementation(implementation: &Implementation, out: &mut Vec<u8>) {
    out.raw(r#"{"name":"#);
    out.string(&implementation.name);
    out.raw(r#","version":"#);
    out.string(&implementation.version);
    out.raw("}");
}

/// The set of tools may differ in the next process and for the next user, so nothing of it is worth keeping.
const CACHE_HINTS: &str = r#","ttlMs":0,"cacheScope":"private""#;

/// The empty result.
pub(crate) fn write_empty(era: Era, out: &mut Vec<u8>) {
    out.raw(match era {
        Era::Legacy => "{}",
        Era::Modern => r#"{"resultType":"complete"}"#,
    });
}

/// The result of `tools/list`, from the inside of its array.
pub(crate) fn write_tools(era: Era, tools: &str, out: &mut Vec<u8>) {
    out.raw(match era {
        Era::Legacy => r#"{"tools":["#,
        Era::Modern => r#"{"resultType":"complete","tools":["#,
    });
    out.raw(tools);
    out.raw("]");
    out.raw(match era {
        Era::Legacy => "",
        Era::Modern => CACHE_HINTS,
    });
    out.raw("}");
}

/// A tool's own result, byte for byte but for `resultType`, which modern peers need and legacy peers must not see.
pub(crate) fn write_call_result(era: Era, result: &str, out: &mut Vec<u8>) {
    let body = result.trim_ascii();
    let stripped = without_result_type(body);
    let body = stripped.as_deref().unwrap_or(body);
    match (era, body.strip_prefix('{')) {
        (Era::Modern, Some(rest)) => {
            let empty = rest.trim_ascii_start().starts_with('}');
            out.raw(if empty {
                r#"{"resultType":"complete""#
            } else {
                r#"{"resultType":"complete","#
            });
            out.raw(rest);
        }
        (Era::Legacy, _) | (Era::Modern, None) => out.raw(body),
    }
}

/// The object without a `resultType` of its own; `None` if it has none, which a search of the text shows cheaply.
fn without_result_type(object: &str) -> Option<String> {
    memchr::memmem::find(object.as_bytes(), b"\"resultType\"")?;
    let fields: RawFields<'_> = serde_json::from_str(object).ok()?;
    let kept = fields.0.iter().filter(|(key, _)| key != "resultType");
    let mut text = Vec::with_capacity(object.len());
    for (index, (key, value)) in kept.clone().enumerate() {
        text.raw(if index == 0 { "{" } else { "," });
        text.string(key);
        text.raw(":");
        text.raw(value.get());
    }
    text.raw(if text.is_empty() { "{}" } else { "}" });
    (kept.count() < fields.0.len()).then(|| String::from_utf8(text).ok()).flatten()
}

/// What a modern client puts into the `_meta` of each request: members without braces.
pub(crate) fn modern_meta(client: &Implementation) -> String {
    let mut out = Vec::new();
    out.string(VERSION_KEY);
    out.raw(":");
    out.string(MODERN_VERSION);
    out.raw(",");
    out.string(CAPABILITIES_KEY);
    out.raw(":{},");
    out.string(CLIENT_INFO_KEY);
    out.raw(":");
    write_implementation(client, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Writes the `_meta` member of a request: what the era needs, then what the caller passes on. A caller may pass on
/// the `_meta` of a request it serves itself, so what that says of version and client is left out.
pub(crate) fn write_meta(
    comma: &str,
    ours: Option<&str>,
    passed: Option<&RawValue>,
    out: &mut Vec<u8>,
) {
    let fields = passed.and_then(|raw| serde_json::from_str::<RawFields<'_>>(raw.get()).ok());
    let mut kept = fields
        .iter()
        .flat_map(|fields| &fields.0)
        .filter(|(key, _)| {
            ![VERSION_KEY, CAPABILITIES_KEY, CLIENT_INFO_KEY].contains(&key.as_str())
        })
        .peekable();
    if ours.is_none() && kept.peek().is_none() {
        return;
    }
    out.raw(comma);
    out.raw(r#""_meta":{"#);
    out.raw(ours.unwrap_or_default());
    let mut separator = if ours.is_some() { "," } else { "" };
    for (key, value) in kept {
        out.raw(separator);
        out.string(key);
        out.raw(":");
        out.raw(value.get());
        separator = ",";
    }
    out.raw("}");
}

/// Whether a result is final. Legacy results are, for they know nothing else.
pub(crate) fn is_complete(result: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct View<'a> {
        #[serde(borrow, rename = "resultType")]
        result_type: Option<&'a RawValue>,
    }
    memchr::memmem::find(result.get().as_bytes(), b"\"resultType\"").is_none()
        || serde_json::from_str::<View<'_>>(result.get()).is_ok_and(|view| {
            view.result_type.and_then(string).is_none_or(|value| value == "complete")
        })
}

#[cfg(test)]
mod tests;
