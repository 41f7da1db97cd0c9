//! A result for a person: its texts, and of all else that it is there.

use awf_core::{ToolResult, shown};
use serde_json::Value;

/// Every block of a result, each on lines of its own.
pub(super) fn text(result: &ToolResult) -> String {
    let view: Value = serde_json::from_str(result.raw().get()).unwrap_or_default();
    let blocks = view["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    if blocks.is_empty() && view["structuredContent"].is_object() {
        return "[structured content; -o json shows it]".to_owned();
    }
    let texts: Vec<String> = blocks.iter().map(block).collect();
    texts.join("\n")
}

fn block(block: &Value) -> String {
    let kind = block["type"].as_str().unwrap_or("content");
    // A resource may carry its text with it.
    let within = if kind == "resource" { &block["resource"] } else { block };
    if let Some(text) = within["text"].as_str() {
        return text.to_owned();
    }
    let mime = within["mimeType"].as_str().unwrap_or(kind);
    let data = within["data"].as_str().or(within["blob"].as_str());
    let size = data.map(|data| format!(", {} bytes", decoded(data))).unwrap_or_default();
    let link = within["uri"].as_str().map(|uri| format!(", {}", shown(uri))).unwrap_or_default();
    format!("[{}{size}{link}; -o json shows it]", shown(mime))
}

/// How many bytes a text in base64 stands for.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

#[cfg(test)]
mod tests;
