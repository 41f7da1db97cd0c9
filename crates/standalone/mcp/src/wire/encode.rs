//! Messages written straight into the outgoing buffer; raw parts are copied, never parsed again.

use serde_json::value::RawValue;

use crate::{error::RpcError, wire::RequestId};

/// Appends JSON-RPC to a buffer of bytes.
pub(crate) trait Encode {
    /// JSON text. A line break in it can only stand between tokens, where a space means the same; on this wire it
    /// would end the message.
    fn raw(&mut self, json: &str);

    /// Text as a JSON string.
    fn string(&mut self, text: &str);

    /// A response whose result is written by `body`.
    fn response(&mut self, id: &RequestId, body: impl FnOnce(&mut Self));

    fn error(&mut self, id: Option<&RequestId>, error: &RpcError);

    /// A request whose parameters, an object, get their members from `params`.
    fn request(&mut self, id: &RequestId, method: &str, params: impl FnOnce(&mut Self));

    /// A notification, likewise.
    fn notification(&mut self, method: &str, params: impl FnOnce(&mut Self));
}

impl Encode for Vec<u8> {
    fn raw(&mut self, json: &str) {
        let from = self.len();
        self.extend_from_slice(json.as_bytes());
        if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_some() {
            self[from..]
                .iter_mut()
                .filter(|byte| matches!(byte, b'\n' | b'\r'))
                .for_each(|byte| *byte = b' ');
        }
    }

    fn string(&mut self, text: &str) {
        // Writing a string to memory cannot fail; if it could, an empty string keeps the line valid.
        let from = self.len();
        if serde_json::to_writer(&mut *self, text).is_err() {
            self.truncate(from);
            self.raw("\"\"");
        }
    }

    fn response(&mut self, id: &RequestId, body: impl FnOnce(&mut Self)) {
        self.raw(r#"{"jsonrpc":"2.0","id":"#);
        self.raw(id.as_json());
        self.raw(r#","result":"#);
        body(self);
        self.extend_from_slice(b"}\n");
    }

    fn error(&mut self, id: Option<&RequestId>, error: &RpcError) {
        self.raw(r#"{"jsonrpc":"2.0","id":"#);
        self.raw(id.map_or("null", RequestId::as_json));
        self.raw(r#","error":{"code":"#);
        self.raw(&error.code.to_string());
        self.raw(r#","message":"#);
        self.string(&error.message);
        if let Some(data) = &error.data {
            self.raw(r#","data":"#);
            self.raw(data.get());
        }
        self.extend_from_slice(b"}}\n");
    }

    fn request(&mut self, id: &RequestId, method: &str, params: impl FnOnce(&mut Self)) {
        self.raw(r#"{"jsonrpc":"2.0","id":"#);
        self.raw(id.as_json());
        self.raw(r#","method":"#);
        push_call(self, method, params);
    }

    fn notification(&mut self, method: &str, params: impl FnOnce(&mut Self)) {
        self.raw(r#"{"jsonrpc":"2.0","method":"#);
        push_call(self, method, params);
    }
}

fn push_call(buffer: &mut Vec<u8>, method: &str, params: impl FnOnce(&mut Vec<u8>)) {
    buffer.string(method);
    buffer.raw(r#","params":{"#);
    params(buffer);
    buffer.extend_from_slice(b"}}\n");
}

/// Whether raw JSON is an object. Raw values carry no white space in front.
pub(crate) fn is_object(raw: &RawValue) -> bool {
    raw.get().trim_ascii_start().starts_with('{')
}
