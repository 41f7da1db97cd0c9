//! What is heard of a tool, and where it ends.

use awf_core::{RawJson, ToolDefinition, ToolSource};
use serde_json::{Value, json};

use super::{Field, MOST_PARTS, for_each_text};

fn texts(tool: Value) -> Vec<(Field, String)> {
    let tool =
        ToolDefinition::from_raw(ToolSource::Mcp("hub".into()), RawJson::from(tool)).unwrap();
    let mut texts = Vec::new();
    for_each_text(&tool, |field, text| texts.push((field, text.to_owned())));
    texts
}

#[test]
fn names_texts_and_arguments_are_read_nested_ones_too() {
    let schema = json!({"type": "object", "properties": {
        "repo": {"type": "string", "description": "owner/name"},
        "filter": {"type": "object", "properties": {"state": {"enum": ["open", 1, "closed"]}}},
        "labels": {"type": "array", "items": {"type": "string", "description": "a label"}},
        "odd": 7,
        "either": {"anyOf": [{"properties": {"inner": {}}}, null]},
    }});
    let heard = texts(
        json!({"name": "list", "title": "List", "description": "Lists.", "inputSchema": schema}),
    );
    let of = |wanted: Field| -> Vec<&str> {
        let mut of: Vec<_> = heard
            .iter()
            .filter(|(field, _)| *field == wanted)
            .map(|(_, text)| text.as_str())
            .collect();
        of.sort_unstable();
        of
    };
    assert_eq!(of(Field::Name), ["list"]);
    assert_eq!(of(Field::Server), ["hub"]);
    assert_eq!(of(Field::Description), ["List", "Lists."]);
    assert_eq!(
        of(Field::Argument),
        ["either", "filter", "inner", "labels", "odd", "repo", "state"]
    );
    assert_eq!(of(Field::ArgumentText), ["a label", "closed", "open", "owner/name"]);
}

#[test]
fn depth_breadth_and_length_are_bounded() {
    let mut deep = json!({"properties": {"bottom": {}}});
    for level in 0..60 {
        deep = json!({"properties": {format!("level{level}"): deep}});
    }
    let heard = texts(json!({"name": "deep", "inputSchema": deep}));
    assert!(heard.len() < 10 && !heard.iter().any(|(_, text)| text == "bottom"));

    let broad: serde_json::Map<String, Value> =
        (0..10_000).map(|n| (format!("p{n}"), json!({"description": "x".repeat(100)}))).collect();
    let heard = texts(json!({"name": "broad", "inputSchema": {"properties": broad}}));
    assert!(heard.len() <= 3 + 2 * MOST_PARTS);

    let long =
        texts(json!({"name": "long", "description": "ä".repeat(1 << 20), "inputSchema": {}}));
    assert!(long.iter().all(|(_, text)| text.len() <= 8 * 1024));
}
