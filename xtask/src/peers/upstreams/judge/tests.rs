//! What counts as the same answer.

use serde_json::json;

use super::*;

fn case(likeness: Likeness) -> Case {
    Case { tool: "t", arguments: json!({}), likeness }
}

fn result(text: &str) -> Answer {
    Answer::Result(text.to_owned())
}

#[test]
fn the_same_is_the_same_to_the_byte() {
    let case = case(Likeness::Same);
    assert!(compare(&case, &result(r#"{"a":1}"#), r#"{"a":1}"#).is_ok());
    for other in [r#"{"a": 1}"#, r#"{"a":1.0}"#, r#"{"a":1,"_meta":{}}"#] {
        assert!(compare(&case, &result(r#"{"a":1}"#), other).is_err(), "{other}");
    }
}

#[test]
fn kinds_are_compared_and_words_are_not() {
    let case = case(Likeness::Kind("time"));
    let truth = result(r#"{"content":[{"type":"text","text":"1"}]}"#);
    assert!(compare(&case, &truth, r#"{"content":[{"type":"text","text":"2"}]}"#).is_ok());
    assert!(compare(&case, &truth, r#"{"content":[{"type":"image","data":""}]}"#).is_err());
    assert!(compare(&case, &truth, r#"{"content":[],"isError":true}"#).is_err());
}

#[test]
fn a_refusal_must_reach_the_model() {
    let case = case(Likeness::Refused);
    let truth = Answer::Error("needs a task".to_owned());
    let told = r#"{"content":[{"type":"text","text":"it needs a task"}],"isError":true}"#;
    assert!(compare(&case, &truth, told).is_ok());
    assert!(compare(&case, &truth, r#"{"content":[],"isError":true}"#).is_err());
    assert!(expected(&case, &result("{}")).is_err());
}
