//! Arguments that fit, arguments that do not, and schemas that mean harm.

use std::{sync::Arc, time::Instant};

use awf_core::{RawJson, ToolDefinition, ToolSource};
use serde_json::{Value, json};

use super::{ArgumentCheck, ArgumentChecks, Checked, Formats};

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

fn tool(schema: &Value) -> Arc<ToolDefinition> {
    let object = json!({"name": "t", "inputSchema": schema});
    Arc::new(ToolDefinition::from_raw(ToolSource::Mcp("s".into()), object.into()).unwrap())
}

fn check(schema: Value) -> ArgumentCheck {
    ArgumentCheck::new(schema, Formats::Remarks).map_err(|why| panic!("{why}")).unwrap()
}

#[test]
fn wrong_arguments_are_told_with_their_place_and_the_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "deep": {"type": "array", "items": {"type": "object", "required": ["id"]}},
            "pick": {"enum": ["a", "b"]},
        },
        "required": ["text"],
        "additionalProperties": false,
    });
    let check = check(schema.clone());
    let rows = [
        ("{}", "/text", r#"at `/text`: "text" is a required property"#),
        (r#"{"text":5}"#, "/text", r#"at `/text`: value is not of type "string""#),
        (r#"{"text":"a","deep":[{"id":1},{}]}"#, "/deep/1/id", "is a required property"),
        (r#"{"text":"a","pick":"c"}"#, "/pick", r#"value is not one of "a" or "b""#),
        (r#"{"text":"a","a/b":1}"#, "/a~1b", "Additional properties are not allowed"),
        (r#"{"text":"a","text":"b"}"#, "", "duplicate key `text`"),
        (r#"{"text":"a","deep":[{"id":1,"id":2}]}"#, "", "duplicate key `id`"),
        ("[1]", "", "must be a JSON object"),
        ("null", "", "must be a JSON object"),
        (r#"{"text":"a","pick":1e999}"#, "", "number out of range"),
    ];
    for (arguments, path, message) in rows {
        let wrong = check.check(&raw(arguments)).unwrap_err();
        assert_eq!(wrong.path, path, "{arguments}");
        assert_eq!(wrong.schema.as_ref(), Some(&schema));
        assert!(wrong.message.starts_with("invalid arguments: "), "{}", wrong.message);
        assert!(wrong.message.contains(message), "{}", wrong.message);
        assert!(wrong.text().contains("additionalProperties"), "{}", wrong.text());
    }
    check.check(&raw(r#"{"text":"a","deep":[{"id":12345678901234567890123}]}"#)).unwrap();
}

#[test]
fn what_is_told_stays_short_and_repeats_no_value() {
    let check =
        check(json!({"properties": {"a": {"type": "string"}}, "additionalProperties": false}));
    let long = "s3cret".repeat(200_000);
    let wrong = check.check(&raw(&format!(r#"{{"a":["{long}"],"{long}":1}}"#))).unwrap_err();
    assert!(wrong.message.len() < 2_500, "{} bytes", wrong.message.len());
    let wrong = check.check(&raw(r#"{"a":["hidden-value"]}"#)).unwrap_err();
    assert!(!wrong.text().contains("hidden-value"), "{}", wrong.text());
}

#[test]
fn formats_bind_only_where_they_are_meant_to() {
    let schema = json!({"properties": {"url": {"type": "string", "format": "uri"}}});
    let arguments = raw(r#"{"url":"no url"}"#);
    check(schema.clone()).check(&arguments).unwrap();
    ArgumentCheck::new(schema, Formats::Binding).ok().unwrap().check(&arguments).unwrap_err();
}

/// Each part refers to the next one twice.
fn doubling(levels: usize) -> Value {
    let mut parts = serde_json::Map::new();
    for level in 0..levels {
        let next = format!("#/$defs/p{}", level + 1);
        parts.insert(format!("p{level}"), json!({"allOf": [{"$ref": next}, {"$ref": next}]}));
    }
    parts.insert(format!("p{levels}"), json!({"type": "object"}));
    json!({"$ref": "#/$defs/p0", "$defs": parts})
}

#[test]
fn a_schema_that_means_harm_is_not_used() {
    let deep = (0..40).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}));
    let long = json!({"properties": {"a": {"enum": ["x".repeat(300_000)]}}});
    let rows = [
        ("remote", json!({"$ref": "https://example.com/schema.json"})),
        ("remote beneath", json!({"properties": {"a": {"$ref": "http://127.0.0.1:1/x"}}})),
        ("file", json!({"$ref": "file:///etc/passwd"})),
        ("nowhere", json!({"$ref": "#/$defs/none"})),
        ("doubling", doubling(40)),
        ("itself twice", json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]})),
        (
            "itself twice beneath",
            json!({"allOf": [{"properties": {"a": {"$ref": "#"}}}, {"properties": {"a": {"$ref": "#"}}}]}),
        ),
        ("deep", deep),
        ("long", long),
        ("lookahead", json!({"properties": {"a": {"pattern": "^(?=a)(?!b)"}}})),
        ("huge pattern", json!({"properties": {"a": {"pattern": "(a{1000}){1000}"}}})),
        ("no schema", json!({"properties": {"a": {"type": "nonsense"}}})),
    ];
    for (what, schema) in rows {
        let begun = Instant::now();
        let checked =
            ArgumentChecks::default().check(&tool(&schema), &raw(r#"{"a":{"a":{}}}"#), None);
        assert!(matches!(checked, Checked::Unchecked(_)), "{what}: {checked:?}");
        assert!(begun.elapsed().as_secs() < 5, "{what} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_loop_of_references_ends_and_one_through_members_is_checked() {
    let round = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
    ArgumentChecks::default().check(&tool(&round), &raw("{}"), None);
    let tree = json!({
        "type": "object",
        "properties": {"left": {"$ref": "#"}, "right": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        "additionalProperties": false,
    });
    let checks = ArgumentChecks::default();
    let fit = raw(r#"{"left":{"left":{}},"right":null}"#);
    assert_eq!(checks.check(&tool(&tree), &fit, None), Checked::Fit);
    let wrong = raw(r#"{"left":{"left":{"up":1}}}"#);
    assert!(matches!(checks.check(&tool(&tree), &wrong, None), Checked::Wrong(_)));
}

#[test]
fn a_pattern_that_others_choke_on_takes_no_time() {
    let schema = json!({"properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}});
    let arguments = raw(&format!(r#"{{"a":"{}!"}}"#, "a".repeat(100_000)));
    let begun = Instant::now();
    let checked = ArgumentChecks::default().check(&tool(&schema), &arguments, None);
    assert!(matches!(checked, Checked::Wrong(_)), "{checked:?}");
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}

#[test]
fn a_check_is_made_anew_when_the_tool_is_another_one() {
    let checks = ArgumentChecks::default();
    let arguments = raw(r#"{"a":1}"#);
    let number = tool(&json!({"properties": {"a": {"type": "number"}}}));
    let text = tool(&json!({"properties": {"a": {"type": "string"}}}));
    assert_eq!(checks.check(&number, &arguments, None), Checked::Fit);
    assert!(matches!(checks.check(&text, &arguments, None), Checked::Wrong(_)));
    assert_eq!(checks.check(&number, &arguments, None), Checked::Fit);
}

#[test]
fn what_could_not_be_read_is_wrong_whatever_the_schema_says() {
    let checks = ArgumentChecks::default();
    let unusable = tool(&json!({"$ref": "https://example.com/"}));
    for tool in [tool(&json!({})), unusable] {
        let checked = checks.check(&tool, &raw("{}"), Some("both are given"));
        let Checked::Wrong(wrong) = checked else { panic!("{checked:?}") };
        assert_eq!(wrong.message, "invalid arguments: both are given");
    }
}
