//! What is kept of calls through the variants, and how it is found again: on the command line and over REST.

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, settings, tool},
        web::Web,
    },
    world::World,
};

/// A world in which each variant was used once, and one call was refused.
fn world() -> (World, Upstream) {
    let world = World::new();
    let fake = Upstream::of_tools(
        &world,
        "fake",
        &[&tool("act", "-"), &tool("wipe", r#"{"destructiveHint":true}"#)],
    );
    let mut gateway = world.gateway(&[&fake], &json!({}));
    for word in ["read", "write", "destructive"] {
        let intent = json!({"operation_type": word, "data_sensitivity": "private", "reason": format!("to {word}")});
        let arguments = json!({"name": "fake:act", "args": {}, "intent": intent});
        gateway.call(&format!("call_tool_{word}"), &arguments);
    }
    gateway.through("call_tool_read", "fake:wipe", &json!({}));
    gateway.close();
    (world, fake)
}

/// Operation and variant of each, sorted: records of one millisecond have no order of their own.
fn told(page: &Value) -> Vec<(String, String)> {
    let records = page["activities"].as_array().unwrap().iter();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut told: Vec<(String, String)> = records
        .map(|record| {
            let metadata = &record["metadata"];
            (word(&metadata["intent"]["operation_type"]), word(&metadata["tool_variant"]))
        })
        .collect();
    told.sort_unstable();
    told
}

fn pair(word: &str) -> (String, String) {
    (word.to_owned(), format!("call_tool_{word}"))
}

#[test]
fn the_whole_intent_is_kept_and_shown() {
    let (world, _fake) = world();
    let records = world.activity();
    assert_eq!(records.len(), 4);
    let wanted = |name: &str, tool: &str| {
        let found = records.iter().find(|record| {
            record["metadata"]["tool_variant"] == name && record["tool_name"] == tool
        });
        found.unwrap_or_else(|| panic!("no {name} of {tool} in {records:?}"))
    };
    let written = wanted("call_tool_write", "act");
    let kept = &written["metadata"];
    let intent = json!({"operation_type": "write", "data_sensitivity": "private", "reason": "to write", "origin": "nested"});
    assert_eq!((&kept["intent"], &kept["tool_variant"]), (&intent, &json!("call_tool_write")));
    assert_eq!(written["server_name"], "fake");
    let bare = &wanted("call_tool_read", "wipe")["metadata"]["intent"];
    assert_eq!(bare, &json!({"operation_type": "read", "origin": "nested"}));
    let show = world.awf(["activity", "show", written["id"].as_str().unwrap()]);
    let shown = String::from_utf8(show.stdout).unwrap();
    for part in ["write", "private", "to write", "call_tool_write"] {
        assert!(shown.contains(part), "no {part} in {shown}");
    }
    let yaml = world.awf(["activity", "list", "-o", "yaml"]);
    let yaml = String::from_utf8(yaml.stdout).unwrap();
    for part in
        ["operation_type: write", "data_sensitivity: private", "tool_variant: call_tool_write"]
    {
        assert!(yaml.contains(part), "no {part} in {yaml}");
    }
}

#[test]
fn the_table_has_a_column_with_the_operation_and_an_icon() {
    let (world, _fake) = world();
    let listed = world.awf(["activity", "list"]);
    let with = String::from_utf8(listed.stdout).unwrap();
    assert!(with.lines().next().unwrap().contains("INTENT"), "{with}");
    for word in ["read", "write", "destr"] {
        assert!(with.contains(word), "no {word} in {with}");
    }
    let listed = world.awf(["activity", "list", "--no-icons"]);
    let without = String::from_utf8(listed.stdout).unwrap();
    assert!(!with.is_ascii() && without.is_ascii(), "{with}\n{without}");
}

#[test]
fn calls_are_found_by_their_operation_on_the_command_line() {
    let (world, _fake) = world();
    for (word, expected) in [
        ("read", vec![pair("read"), pair("read")]),
        ("write", vec![pair("write")]),
        ("destructive", vec![pair("destructive")]),
    ] {
        let page = world.awf_json(["activity", "list", "--intent-type", word, "-o", "json"]);
        assert_eq!(told(&page), expected);
    }
}

#[test]
fn calls_are_found_by_their_operation_over_rest() {
    let (world, fake) = world();
    let mut web = Web::start(&world, &world.config(settings(&[&fake], &json!({}))));
    let mut page = |query: &str| {
        let reply = web.get(&format!("/api/v1/activity{query}"));
        let page: Value = serde_json::from_str(&reply.body).unwrap();
        (reply.status, page)
    };
    let (status, all) = page("");
    assert_eq!(status, 200, "{all}");
    let operations = [pair("destructive"), pair("read"), pair("read"), pair("write")];
    assert_eq!(told(&all), operations, "{all}");
    assert_eq!(told(&page("?intent_type=destructive").1), [pair("destructive")]);
    assert_eq!(told(&page("?intent_type=read").1), [pair("read"), pair("read")]);
    assert_eq!(told(&page("?intent_type=read&status=denied").1), [pair("read")]);
    let (status, problem) = page("?intent_type=delete");
    assert_eq!(status, 400, "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains("destructive"), "{problem}");
}
