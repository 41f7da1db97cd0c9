//! What came of a call, as text: the `tool` message has no other form.

use awf_core::ToolResult;
use serde_json::Value;

/// Bytes of a result that the model gets.
const LONGEST: usize = 100 * 1024;

/// All text of a result; other content is named.
pub(super) fn result_text(result: &ToolResult) -> String {
    let view: Value = serde_json::from_str(result.raw().get()).unwrap_or_default();
    let blocks = view["content"].as_array().into_iter().flatten();
    let mut text = blocks.map(block_text).collect::<Vec<_>>().join("\n");
    if text.is_empty() && !view["structuredContent"].is_null() {
        text = view["structuredContent"].to_string();
    }
    if result.is_error() {
        text = format!("error: {text}");
    }
    cut(text)
}

fn block_text(block: &Value) -> String {
    match (block["text"].as_str(), block["resource"]["text"].as_str()) {
        (Some(text), _) | (None, Some(text)) => text.to_owned(),
        (None, None) => {
            let kind = block["type"].as_str().unwrap_or("content");
            let mime = block["mimeType"].as_str().unwrap_or("unknown type");
            format!("[{kind} of {mime}, not shown]")
        }
    }
}

/// At most so much, cut between characters, with a mark.
pub(super) fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        let left_out = text.len() - text.floor_char_boundary(LONGEST);
        text.truncate(text.len() - left_out);
        return format!("{text}\n[cut: {left_out} more bytes]");
    }
    text
}

#[cfg(test)]
mod tests;
