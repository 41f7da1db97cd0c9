//! What a call gives back: an MCP result object, kept as raw JSON.

use serde::{Deserialize, Serialize};
use serde_json::{
    Map, Value, json,
    value::{RawValue, to_raw_value},
};

use crate::{
    escape::escape,
    json::{RawJson, RawObject},
};

/// From here on it pays to escape in our own way.
const LONG_TEXT: usize = 16 * 1024;

/// The answer of a tool, for the model to read. `is_error` marks a failure the model can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    raw: RawJson,
    is_error: bool,
}

impl ToolResult {
    /// Success, as one text block.
    pub fn text(text: &str) -> Self {
        Self::block(text, false)
    }

    /// A failure the model should read, as one text block.
    pub fn error(text: &str) -> Self {
        Self::block(text, true)
    }

    /// A failure with a machine-readable body beside the text.
    pub fn error_with(text: &str, structured: &Value) -> Self {
        let object = json!({
            "content": [{"type": "text", "text": text}],
            "structuredContent": structured,
            "isError": true,
        });
        Self { raw: object.into(), is_error: true }
    }

    /// A result object that came from elsewhere; it is passed on as it is.
    pub fn from_raw(raw: RawJson) -> Self {
        Self { is_error: says_error(raw.get()), raw }
    }

    /// Whether the tool reports a failure.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The whole MCP result object.
    pub fn raw(&self) -> &RawJson {
        &self.raw
    }

    /// Gives the object away without copying it.
    pub fn into_raw(self) -> RawJson {
        self.raw
    }

    /// The text of the first text block, if there is one.
    pub fn first_text(&self) -> Option<String> {
        let view: Value = serde_json::from_str(self.raw.get()).ok()?;
        let blocks = view.get("content")?.as_array()?;
        blocks.iter().find_map(|block| block.get("text")?.as_str().map(str::to_owned))
    }

    /// The same result with `entries` merged into its `_meta`.
    #[must_use]
    pub fn with_meta(self, entries: Map<String, Value>) -> Self {
        let Ok(mut fields) = RawObject::read(&self.raw) else { return self };
        // What is there stays as it was written.
        let old = fields.get("_meta").and_then(|old| RawObject::read(old).ok());
        let mut meta = old.unwrap_or_default();
        for (name, value) in entries {
            meta.set(&name, value.into());
        }
        fields.set("_meta", meta.into_raw());
        Self { raw: fields.into_raw(), is_error: self.is_error }
    }

    /// The same result with an object beside its text, each member as it was written.
    #[must_use]
    pub fn with_structured(self, object: &RawObject) -> Self {
        let Ok(mut fields) = RawObject::read(&self.raw) else { return self };
        fields.set("structuredContent", object.clone().into_raw());
        Self { raw: fields.into_raw(), is_error: self.is_error }
    }

    fn block(text: &str, is_error: bool) -> Self {
        if text.len() > LONG_TEXT {
            return Self { raw: RawJson::written(long_block(text, is_error)), is_error };
        }
        let raw = to_raw_value(&Block {
            content: [TextBlock { kind: "text", text }],
            is_error: is_error.then_some(true),
        });
        Self { raw: raw.map_or_else(|_| RawJson::empty_object(), RawJson::from), is_error }
    }
}

/// Whether the object has `isError: true`. Most have no such key, which a search shows sooner than reading them.
fn says_error(object: &str) -> bool {
    #[derive(Deserialize)]
    struct View<'a> {
        #[serde(borrow, rename = "isError")]
        is_error: Option<&'a RawValue>,
    }
    // A key may be written with escapes.
    (object.contains("isError") || object.contains("\\u"))
        && serde_json::from_str::<View<'_>>(object)
            .is_ok_and(|view| view.is_error.is_some_and(|flag| flag.get() == "true"))
}

/// A long text as one block, escaped in one pass into one buffer.
fn long_block(text: &str, is_error: bool) -> String {
    // A newline and a tab in every line, as numbered lines have, fit without growing.
    let mut json = String::with_capacity(text.len() + text.len() / 16 + 64);
    json.push_str(r#"{"content":[{"type":"text","text":"#);
    escape(text, &mut json);
    json.push_str(if is_error { r#"}],"isError":true}"# } else { "}]}" });
    json
}

#[derive(Serialize)]
struct Block<'a> {
    content: [TextBlock<'a>; 1],
    #[serde(rename = "isError", skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
}

#[derive(Serialize)]
struct TextBlock<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

#[cfg(test)]
mod tests;
