//! What is kept of results and decisions.

use awf_core::{Code, StepStatus};
use serde_json::json;

use super::*;
use crate::machine;

fn redactor() -> Redactor {
    Redactor::new(["hunter2hunter2"])
}

#[test]
fn no_text_of_a_result_keeps_a_secret() {
    let secret = || "is hunter2hunter2".to_owned();
    let error = StepError { code: Code::CommandFailed, message: secret() };
    let result = StepResult {
        output: secret(),
        stderr: secret(),
        response: Map::from_iter([("a".to_owned(), json!(["hunter2hunter2", 1]))]),
        json: Some(json!({"b": "hunter2hunter2"})),
        error: Some(error),
        captured: vec![("c".to_owned(), secret())],
        ..machine::finished(StepStatus::Failed, 7)
    };
    let kept = outcome(&redactor(), &TaskOutcome::Step(Box::new(result)));
    let shown = format!("{kept:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
    let TaskOutcome::Step(kept) = kept else { panic!("a step") };
    assert_eq!((kept.exit_code, kept.response["a"][1].clone()), (7, json!(1)));
}

#[test]
fn decisions_survive() {
    for value in [json!(3), json!(null), json!(true), json!(["a", "b"])] {
        let told = TaskOutcome::Value(value);
        assert_eq!(outcome(&redactor(), &told), told);
    }
}
