//! Fences and JSON.

use serde_json::json;

use super::*;

fn outcome(text: &str) -> AgentOutcome {
    AgentOutcome { text: text.to_owned(), ..AgentOutcome::default() }
}

#[test]
fn fences_go_when_the_answer_is_one_block() {
    let rows = [
        ("plain", "plain"),
        ("```json\n{\"a\": 1}\n```", "{\"a\": 1}"),
        ("\n```\ntwo\nlines\n```\n", "two\nlines"),
        ("before\n```\nx\n```", "before\n```\nx\n```"),
        ("```\na\n```\nb\n```\nc\n```", "```\na\n```\nb\n```\nc\n```"),
        ("```", "```"),
    ];
    for (text, wanted) in rows {
        assert_eq!(read(outcome(text), OutputFormat::Text).output, wanted, "{text}");
    }
}

#[test]
fn json_must_be_json() {
    let good = read(outcome("```json\n{\"a\": [1]}\n```"), OutputFormat::Json);
    assert_eq!((good.status, good.json), (StepStatus::Completed, Some(json!({"a": [1]}))));
    let bad = read(outcome("sorry"), OutputFormat::Json);
    assert_eq!((bad.status, bad.output.as_str()), (StepStatus::Failed, "sorry"));
    assert!(bad.error.unwrap().message.starts_with("the answer is not JSON"));
}
