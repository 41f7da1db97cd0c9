//! Answers held against expectations, row by row.

use awf_core::{Expectation, Located, ScriptedCall, Span};
use serde_json::{Map, json};

use crate::scripted::{expect::check, toolbox::Answer};

fn call(expect: Expectation) -> ScriptedCall {
    let span = Span { file: "turns.yaml".into(), line: 4, column: 9, end_line: 4, end_column: 13 };
    ScriptedCall { tool: Located { value: "Read".into(), span }, arguments: Map::new(), expect }
}

fn contains(part: &str) -> Expectation {
    Expectation { contains: vec![part.into()], ..Expectation::default() }
}

fn succeeded(text: &str) -> Answer {
    Answer { text: text.into(), ..Answer::default() }
}

fn failed(text: &str) -> Answer {
    Answer { is_error: true, ..succeeded(text) }
}

fn refused(text: &str) -> Answer {
    Answer { refused: true, ..failed(text) }
}

#[test]
fn what_is_expected_passes() {
    let error = Expectation { error: Some(true), ..Expectation::default() };
    let refusal = Expectation { refused: true, ..Expectation::default() };
    for (expect, answer) in [
        (Expectation::default(), succeeded("")),
        (contains("two"), succeeded("one two three")),
        (error, failed("no such file")),
        (refusal.clone(), refused("")),
        (Expectation { error: Some(true), ..refusal }, refused("")),
    ] {
        assert_eq!(check(&call(expect.clone()), &answer), Ok(()), "{expect:?} {answer:?}");
    }
}

#[test]
fn what_is_not_expected_is_said_with_its_place() {
    let error = || Expectation { error: Some(true), ..Expectation::default() };
    let refusal = || Expectation { refused: true, ..Expectation::default() };
    for (expect, answer, said) in [
        (Expectation::default(), failed("boom"), "to succeed, but it failed: `boom`"),
        (
            contains("x\ny"),
            succeeded("a \"b\"\n"),
            r#"to answer with `x\ny`, but it succeeded: `a "b"`"#,
        ),
        (error(), succeeded("ok"), "to fail, but it succeeded: `ok`"),
        (error(), refused("no"), "to be let through, but it was refused: `no`"),
        (refusal(), succeeded("ok"), "to be refused, but it succeeded: `ok`"),
        (refusal(), failed("boom"), "to be refused, but it failed: `boom`"),
    ] {
        let expected = format!("turns.yaml:4:9: expected `Read` {said}");
        assert_eq!(check(&call(expect), &answer), Err(expected));
    }
}

#[test]
fn a_long_answer_is_cut() {
    let said = check(&call(contains("y")), &succeeded(&"x".repeat(1000))).unwrap_err();
    assert!(said.len() < 400 && said.ends_with("x…`"), "{said}");
}

#[test]
fn a_refusal_is_an_error_with_a_code() {
    let block =
        json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]);
    let read = |result: serde_json::Value| Answer::read(&result.to_string());
    assert_eq!(read(json!({"content": block})), succeeded("a\nb"));
    assert_eq!(read(json!({"content": block, "isError": true})), failed("a\nb"));
    let coded = json!({"content": [], "isError": true, "structuredContent": {"code": "X"}});
    assert_eq!(read(coded), refused(""));
    let structured = json!({"content": [], "structuredContent": {"code": "X"}});
    assert_eq!(read(structured), succeeded(""));
}
