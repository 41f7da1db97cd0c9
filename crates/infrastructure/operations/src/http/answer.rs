//! What a server answered, as an operation gives it.

use awf_core::{OperationResult, RawJson, RawObject};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::{Map, Value};

use crate::wire::Incoming;

/// The result, with the body as text.
pub(super) fn result(incoming: &Incoming) -> OperationResult {
    let Incoming { status, headers, truncated, .. } = incoming;
    let (output, binary) = text(incoming);
    let failed = status.is_client_error() || status.is_server_error();
    let error = failed.then(|| format!("the server answered {status}"));
    let mut data = RawObject::default();
    data.set("status", Value::from(status.as_u16()).into());
    data.set("headers", Value::Object(shown_headers(headers)).into());
    data.set("body", Value::from(output.as_str()).into());
    data.set("truncated", Value::from(*truncated).into());
    data.set("binary", Value::from(binary).into());
    if let Some(json) = json(headers, &output).filter(|_| !truncated && !binary) {
        data.set("json", json);
    }
    OperationResult { success: !failed, output, data, error }
}

/// The body as text, and whether it is none: then what is no text in it is replaced.
fn text(incoming: &Incoming) -> (String, bool) {
    let body = incoming.body.as_slice();
    let fault = match std::str::from_utf8(body) {
        Ok(text) => return (text.to_owned(), false),
        Err(fault) => fault,
    };
    // A character that the cut went through is no sign of anything.
    let halved = incoming.truncated && fault.error_len().is_none();
    let body = if halved { body.get(..fault.valid_up_to()).unwrap_or_default() } else { body };
    (String::from_utf8_lossy(body).into_owned(), !halved)
}

/// The body as it was written, if it is JSON: because the server says so, or plainly.
fn json(headers: &HeaderMap, body: &str) -> Option<RawJson> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let said = kind.to_ascii_lowercase().contains("json");
    let plain = body.trim_start().starts_with(['{', '[']);
    if said || plain { RawJson::parse(body).ok() } else { None }
}

/// By name; of one that came more than once, the values with commas between.
fn shown_headers(headers: &HeaderMap) -> Map<String, Value> {
    let mut shown = Map::new();
    for name in headers.keys() {
        let values = headers.get_all(name).iter();
        let values: Vec<_> =
            values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        shown.insert(name.to_string(), values.join(", ").into());
    }
    shown
}
