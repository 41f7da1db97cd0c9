//! JSON-RPC by hand: a message as it came in, and the three kinds that go out.

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

/// A request, a notification (no id) or a response (no method).
#[derive(Deserialize)]
pub(crate) struct Message<'a> {
    #[serde(borrow)]
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) method: Option<String>,
    #[serde(borrow)]
    pub(crate) params: Option<&'a RawValue>,
}

/// What of `params` anything here looks at.
#[derive(Deserialize, Default)]
pub(crate) struct Params<'a> {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    pub(crate) meta: Option<&'a RawValue>,
    pub(crate) cursor: Option<String>,
}

impl<'a> Message<'a> {
    /// Its parameters, or none where they cannot be read.
    pub(crate) fn params(&self) -> Params<'a> {
        self.params.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }
}

/// A response with a result that is already JSON.
pub(crate) fn result(id: &RawValue, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

pub(crate) fn error(id: &RawValue, code: i64, message: &str) -> String {
    let error = json!({"code": code, "message": message});
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

pub(crate) fn request(id: &str, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(crate) fn notification(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
}
