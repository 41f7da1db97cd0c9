//! A tool as `retrieve_tools` tells of it.

use std::sync::Arc;

use awf_core::{Class, RawJson, Standing, ToolDefinition, ToolSource, Unannotated};
use serde_json::{Value, json};

use super::{Detail, Entry, Hit};

fn definition(raw: &str) -> ToolDefinition {
    let raw = RawJson::parse(raw).unwrap();
    ToolDefinition::from_raw(ToolSource::Mcp("git".into()), raw).unwrap()
}

fn entry(tool: ToolDefinition, unannotated: Unannotated, detail: Detail) -> String {
    let hit = Hit { tool: Arc::new(tool), score: 0.5 };
    serde_json::to_string(&Entry::new(&hit, unannotated, detail)).unwrap()
}

#[test]
fn schema_and_annotations_come_as_the_server_wrote_them() {
    let raw = r#"{"name":"rm","description":"Removes","inputSchema":{"z":1.10, "a":2},"annotations":{"x-vendor":1180591620717411303424, "destructiveHint":true}}"#;
    let told = entry(definition(raw), Unannotated::Trust, Detail::Full);
    assert_eq!(
        told,
        r#"{"name":"git:rm","server":"git","description":"Removes. Call it with call_tool_destructive.","inputSchema":{"z":1.10, "a":2},"score":0.5,"annotations":{"x-vendor":1180591620717411303424, "destructiveHint":true},"call_with":"call_tool_destructive"}"#
    );
}

#[test]
fn the_variant_follows_the_policy_and_the_class_the_tool_is_held_to() {
    let bare = r#"{"name":"a","inputSchema":{}}"#;
    let read = r#"{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":true}}"#;
    let held = definition(read).judged(Class::Destructive, Standing::Approved);
    for (tool, unannotated, expected) in [
        (definition(bare), Unannotated::Trust, "call_tool_write"),
        (definition(bare), Unannotated::Write, "call_tool_write"),
        (definition(bare), Unannotated::Destructive, "call_tool_destructive"),
        (definition(read), Unannotated::Destructive, "call_tool_read"),
        (held, Unannotated::Trust, "call_tool_destructive"),
    ] {
        let told: Value = serde_json::from_str(&entry(tool, unannotated, Detail::Full)).unwrap();
        assert_eq!(told["call_with"], expected);
        assert_eq!(told["description"], format!("Call it with {expected}."));
        assert!(told["annotations"].is_object());
    }
}

#[test]
fn compact_keeps_what_a_call_needs() {
    let raw = json!({
        "name": "a",
        "description": format!("First one. {}", "second ".repeat(100)),
        "inputSchema": {
            "type": "object",
            "properties": {"q": {"type": "string"}, "n": {"type": "integer"}, "x": {}},
            "required": ["q"],
        },
    });
    let told = entry(definition(&raw.to_string()), Unannotated::Trust, Detail::Compact);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["description"], "First one. Call it with call_tool_write.");
    let mut parameters: Vec<&str> =
        told["parameters"].as_str().unwrap().trim_matches(['(', ')']).split(", ").collect();
    parameters.sort_unstable();
    assert_eq!(parameters, ["n?: integer", "q: string", "x?: any"]);
    assert_eq!((&told["annotations"], told.get("inputSchema")), (&json!({}), None));
    let long = json!({"name": "a", "description": "x".repeat(900), "inputSchema": {}});
    let told = entry(definition(&long.to_string()), Unannotated::Trust, Detail::Compact);
    assert!(told.len() < 450, "{told}");
}
