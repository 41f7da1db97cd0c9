//! What a person sees of a result.

use awf_core::{RawJson, ToolResult};
use serde_json::{Value, json};

use super::text;

fn shown(blocks: &Value) -> String {
    text(&ToolResult::from_raw(RawJson::from(json!({ "content": blocks }))))
}

#[test]
fn every_block_is_there() {
    let blocks = json!([
        {"type": "text", "text": "one"},
        {"type": "image", "data": "AAECAw==", "mimeType": "image/png"},
        {"type": "text", "text": "two\nlines"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAEC", "mimeType": "x/y"}},
        {"type": "resource_link", "uri": "file:///c", "name": "c"},
        {"type": "of\u{1b}later"},
    ]);
    let lines = [
        "one",
        "[image/png, 4 bytes; -o json shows it]",
        "two",
        "lines",
        "inside",
        "[x/y, 3 bytes, file:///b; -o json shows it]",
        "[resource_link, file:///c; -o json shows it]",
        "[of\\u{1b}later; -o json shows it]",
    ];
    assert_eq!(shown(&blocks), lines.join("\n"));
}

#[test]
fn a_result_without_blocks_is_empty() {
    for blocks in [json!([]), json!(null), json!("x")] {
        assert_eq!(shown(&blocks), "");
    }
}
