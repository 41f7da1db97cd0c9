//! The four tools in both modes and for both kinds of clients.

use awf_core::{ClientIdentity, Mode};
use serde_json::{Value, json};

use super::Offer;

fn listed(mode: Mode, client: Option<&str>) -> Vec<Value> {
    let client = client.map(|name| ClientIdentity { name: name.into(), version: "1".into() });
    let tools = Offer::new(mode).tools(client.as_ref());
    tools.iter().map(|tool| serde_json::from_str(tool.raw().get()).unwrap()).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn there_are_four_with_hints_that_tell_them_apart() {
    for mode in [Mode::TwoKey, Mode::Inferred] {
        let told: Vec<Value> = listed(mode, None)
            .iter()
            .map(|tool| {
                let hints = &tool["annotations"];
                json!([
                    tool["name"],
                    hints["readOnlyHint"],
                    hints["destructiveHint"],
                    hints["openWorldHint"]
                ])
            })
            .collect();
        let expected = [
            json!(["call_tool_destructive", false, true, true]),
            json!(["call_tool_read", true, false, true]),
            json!(["call_tool_write", false, false, true]),
            json!(["retrieve_tools", true, false, false]),
        ];
        assert_eq!(told, expected);
    }
}

#[test]
fn the_schema_requires_what_the_client_can_write() {
    let rows = [
        (Mode::TwoKey, None, json!(["name", "intent"])),
        (Mode::TwoKey, Some("claude-code"), json!(["name", "intent"])),
        (Mode::TwoKey, Some("Gemini-cli-mcp-client"), json!(["name", "intent_operation_type"])),
        (Mode::Inferred, None, json!(["name"])),
        (Mode::Inferred, Some("gemini"), json!(["name"])),
    ];
    for (mode, client, required) in rows {
        for tool in &listed(mode, client)[..3] {
            assert_eq!(tool["inputSchema"]["required"], required, "{mode:?} {client:?}");
        }
    }
    let nested = &listed(Mode::TwoKey, None)[1]["inputSchema"]["properties"];
    let all = [
        "args",
        "args_json",
        "intent",
        "intent_data_sensitivity",
        "intent_operation_type",
        "intent_reason",
        "name",
    ];
    let mut shown = keys(nested);
    shown.sort_unstable();
    assert_eq!(shown, all);
    assert_eq!(nested["intent"]["required"], json!(["operation_type"]));
    let flat = &listed(Mode::TwoKey, Some("gemini-cli"))[1]["inputSchema"]["properties"];
    assert!(flat.get("intent").is_none() && flat.get("args").is_none());
    let inferred = &listed(Mode::Inferred, None)[1]["inputSchema"]["properties"];
    assert!(inferred.get("intent").is_none() && inferred.get("intent_operation_type").is_none());
}

#[test]
fn descriptions_are_those_of_the_mode() {
    let told = |mode: Mode, index: usize| {
        listed(mode, None)[index]["description"].as_str().unwrap().to_owned()
    };
    assert!(told(Mode::TwoKey, 1).contains("Requires intent.operation_type='read'."));
    assert!(told(Mode::TwoKey, 2).contains("Requires intent.operation_type='write'."));
    assert!(told(Mode::TwoKey, 0).contains("Requires intent.operation_type='destructive'."));
    assert!(told(Mode::TwoKey, 3).ends_with("Intent must match tool variant."));
    assert!(
        told(Mode::Inferred, 1)
            .starts_with("Execute read-only operations that don't modify state.")
    );
    for index in 0..4 {
        assert!(!told(Mode::Inferred, index).contains("ntent"));
    }
}
