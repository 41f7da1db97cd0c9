//! What MCP says in headers: the version, the session, and of a modern request what its body says too.

use awf_mcp::{LEGACY_VERSIONS, MODERN_VERSION, RpcError, code};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::mcp::{parts::Parts, reply::Fault};

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: &str = "mcp-protocol-version";

/// The version a request's header speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    Nothing,
    Legacy,
    Modern,
}

impl Spoken {
    pub(super) fn read(headers: &HeaderMap) -> Result<Self, Fault> {
        match only(headers, VERSION) {
            Ok(None) => Ok(Self::Nothing),
            Ok(Some(version)) if version == MODERN_VERSION => Ok(Self::Modern),
            Ok(Some(version)) if LEGACY_VERSIONS.contains(&version) => Ok(Self::Legacy),
            Ok(Some(version)) => Err(refused(&RpcError::unsupported_version(version))),
            Err(reason) => Err(refused(&RpcError::new(code::HEADER_MISMATCH, reason))),
        }
    }
}

/// Of a modern request the headers must be there and say what the body says: who stands between acts on them.
pub(super) fn agree(headers: &HeaderMap, parts: &Parts) -> Result<(), Fault> {
    let checked = agrees(headers, parts);
    checked.map_err(|reason| {
        let error = RpcError::new(code::HEADER_MISMATCH, reason);
        Fault::rpc(StatusCode::BAD_REQUEST, Some(&parts.id), &error)
    })
}

fn agrees(headers: &HeaderMap, parts: &Parts) -> Result<(), String> {
    if let Some(version) = &parts.version {
        equal(VERSION, only(headers, VERSION)?, version)?;
    }
    equal("Mcp-Method", only(headers, "mcp-method")?, &parts.method)?;
    match (&parts.name, parts.method.as_str()) {
        (Some(name), "tools/call") => {
            let given = only(headers, "mcp-name")?.map(decoded).transpose()?;
            equal("Mcp-Name", given.as_deref(), name)
        }
        _ => Ok(()),
    }
}

fn equal(header: &str, given: Option<&str>, wanted: &str) -> Result<(), String> {
    match given {
        Some(given) if given == wanted => Ok(()),
        Some(_) => Err(format!("Header mismatch: {header} does not say what the body says")),
        None => Err(format!("Header mismatch: {header} is missing")),
    }
}

/// Text that no header can carry comes wrapped.
fn decoded(value: &str) -> Result<String, String> {
    let Some(wrapped) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="))
    else {
        return Ok(value.to_owned());
    };
    let bytes = STANDARD.decode(wrapped).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| "Header mismatch: Mcp-Name is no valid Base64".to_owned())
}

/// The value of a header, if it is there; twice is an error.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(format!("Header mismatch: {name} is given twice"));
    }
    value.to_str().map(Some).map_err(|_| format!("Header mismatch: {name} is no text"))
}

fn refused(error: &RpcError) -> Fault {
    Fault::rpc(StatusCode::BAD_REQUEST, None, error)
}
