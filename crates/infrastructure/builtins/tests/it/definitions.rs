//! The six tool objects, exactly as a client lists them.

use std::{fs, path::Path};

use awf_core::{Class, ToolFailure, ToolProvider as _};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::stage::Stage;

#[tokio::test]
async fn the_six_tools_are_listed_as_written_down() {
    let stage = Stage::new();
    let listed: Vec<Value> = stage
        .tools
        .tools()
        .await
        .unwrap()
        .iter()
        .map(|tool| serde_json::from_str(tool.raw().get()).unwrap())
        .collect();
    let listed = serde_json::to_string_pretty(&listed).unwrap() + "\n";
    if listed != include_str!("../tools.json") {
        let found = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tools.json");
        fs::write(&found, listed).unwrap();
        panic!("tests/tools.json differs from what is listed: {}", found.display());
    }
}

#[tokio::test]
async fn every_tool_has_all_four_hints_and_its_class() {
    let stage = Stage::new();
    let classes: Vec<(String, Class)> = stage
        .tools
        .tools()
        .await
        .unwrap()
        .iter()
        .map(|tool| (tool.name().to_string(), tool.annotations().class()))
        .collect();
    let expected = [
        ("Read", Class::Read),
        ("Write", Class::Write),
        ("Edit", Class::Write),
        ("Bash", Class::Destructive),
        ("Glob", Class::Read),
        ("Grep", Class::Read),
    ];
    assert_eq!(classes, expected.map(|(name, class)| (name.to_owned(), class)));
    for tool in stage.tools.tools().await.unwrap() {
        let hints = tool.annotations();
        for hint in [hints.read_only, hints.destructive, hints.idempotent, hints.open_world] {
            assert!(matches!(hint, awf_core::Hint::Set(_)), "{}", tool.name());
        }
    }
}

#[tokio::test]
async fn schemas_are_plain_objects_that_every_provider_takes() {
    fn check(schema: &Value, at: &str) {
        let Some(object) = schema.as_object() else { return };
        for word in ["$ref", "$defs", "$schema", "anyOf", "oneOf", "allOf", "format", "title"] {
            assert!(!object.contains_key(word), "{at}: {word}");
        }
        assert!(object["type"].is_string(), "{at}: {}", object["type"]);
        for (name, property) in
            object.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            assert!(property["description"].is_string(), "{at}.{name} has no description");
            check(property, &format!("{at}.{name}"));
        }
    }
    for tool in Stage::new().tools.tools().await.unwrap() {
        let schema: Value = serde_json::from_str(tool.input_schema().unwrap().get()).unwrap();
        assert_eq!(schema["additionalProperties"], Value::Bool(false), "{}", tool.name());
        check(&schema, tool.name().as_str());
    }
}

#[tokio::test]
async fn a_name_that_is_none_of_the_six_is_unknown() {
    let stage = Stage::new();
    let raw = awf_core::RawJson::empty_object();
    let answer = stage.call_with("read", raw, CancellationToken::new()).await;
    assert_eq!(answer, Err(ToolFailure::Unknown { name: "read".into() }));
}
