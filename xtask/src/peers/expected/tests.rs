//! The judge must be able to say no.

use serde_json::{Value, json};

use super::Expected;

fn list(expected: &Expected) -> Value {
    let tools = expected.annotations.iter();
    let tools: Vec<_> =
        tools.map(|(name, hints)| json!({"name": name, "annotations": hints})).collect();
    json!({"tools": tools})
}

#[test]
fn the_table_has_six_tools_and_calls_each() {
    let expected = Expected::load().unwrap();
    let mut called: Vec<_> = expected.calls.iter().map(|call| call.tool.as_str()).collect();
    called.sort_unstable();
    let listed: Vec<_> = expected.annotations.keys().map(String::as_str).collect();
    assert_eq!(listed, ["Bash", "Edit", "Glob", "Grep", "Read", "Write"]);
    assert_eq!(called, listed);
}

#[test]
fn a_list_that_differs_is_refused() {
    let expected = Expected::load().unwrap();
    let right = list(&expected);
    expected.judge_list(&right).unwrap();

    let mut one_more = right.clone();
    one_more["tools"].as_array_mut().unwrap().push(json!({"name": "More"}));
    let mut other_hint = right.clone();
    other_hint["tools"][0]["annotations"]["destructiveHint"] = json!(false);
    let mut no_hints = right.clone();
    no_hints["tools"][0]["annotations"] = Value::Null;
    let mut other_name = right;
    other_name["tools"][0]["name"] = json!("bash");
    for wrong in [one_more, other_hint, no_hints, other_name] {
        assert!(expected.judge_list(&wrong).is_err(), "{wrong}");
    }
}
