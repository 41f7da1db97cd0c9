//! Results as text.

use awf_core::{RawJson, ToolResult};
use serde_json::json;

use super::{LONGEST, cut, result_text};

#[test]
fn results_become_text() {
    let raw = |value| ToolResult::from_raw(RawJson::from(value));
    let rows = [
        (ToolResult::text("a"), "a"),
        (ToolResult::error("no such file"), "error: no such file"),
        (
            raw(json!({"content": [
                {"type": "text", "text": "a"},
                {"type": "image", "mimeType": "image/png", "data": "AAAA"},
                {"type": "resource", "resource": {"text": "b"}},
                {"type": "odd"},
            ]})),
            "a\n[image of image/png, not shown]\nb\n[odd of unknown type, not shown]",
        ),
        (raw(json!({"structuredContent": {"n": 1}})), r#"{"n":1}"#),
        (raw(json!({})), ""),
    ];
    for (result, text) in rows {
        assert_eq!(result_text(&result), text);
    }
}

#[test]
fn a_long_result_is_cut_between_characters() {
    let long = format!("x{}", "é".repeat(LONGEST));
    let text = result_text(&ToolResult::text(&long));
    let (kept, mark) = text.split_once("\n[cut: ").unwrap();
    assert_eq!((kept.len(), kept.ends_with('é')), (LONGEST - 1, true));
    assert_eq!(mark, format!("{} more bytes]", long.len() - kept.len()));
    assert_eq!(cut("x".repeat(LONGEST)).len(), LONGEST);
}
