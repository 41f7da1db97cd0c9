//! Calls of a plugin, as long as all goes well and when it does not.

use std::time::{Duration, Instant};

use awf_core::{
    OperationFailure, OperationProvider as _, RawJson, StepTypeCall, StepTypeResult, TraceContext,
};
use awf_plugins::{Issue, IssueSeverity};
use tokio_util::sync::CancellationToken;

use crate::stage::{PATIENCE, Stage, call, spec};

#[tokio::test]
async fn values_arrive_byte_for_byte() {
    let stage = Stage::new("good");
    let long = "\\n$(x) `y` ".repeat(100_000);
    let inputs = format!(r#"{{"big":12345678901234567890123,"long":"{long}","n":1.000}}"#);
    let mut asked = call("echo", &inputs);
    asked.trace = Some(TraceContext { traceparent: "00-a-b-01".into(), tracestate: None });
    let result = stage.plugins.execute(asked).await.unwrap();
    assert!(result.success);
    assert_eq!(result.output, "00-a-b-01");
    let expected =
        format!(r#"{{"big":12345678901234567890123,"count":3,"long":"{long}","n":1.000}}"#);
    assert!(result.data.into_raw().get() == expected);
    stage.plugins.close().await;
}

#[tokio::test]
async fn an_operation_that_is_not_listed_is_not_asked_for() {
    let stage = Stage::new("good");
    let unknown = OperationFailure::Unknown("peer.ech".into());
    assert_eq!(stage.execute("ech", "{}").await, Err(unknown));
    let refused = stage.execute("refuse", "{}").await.unwrap_err().to_string();
    assert_eq!(refused, "plugin `peer` refused `refuse`: not today (PermissionDenied)");
    stage.plugins.close().await;
}

#[tokio::test]
async fn a_step_type_goes_by_the_name_the_plugin_gave_it() {
    let stage = Stage::new("good");
    let step = |step_type: &str| StepTypeCall {
        plugin: "peer".into(),
        step_type: step_type.into(),
        step: "ask".into(),
        config: RawJson::parse("{\"a\": 1}").unwrap(),
        inputs: RawJson::parse("{\"b\":2}").unwrap(),
        trace: None,
        cancel: CancellationToken::new(),
    };
    for (asked, wire) in [("query", "query"), ("qualified", "peer.qualified")] {
        let expected = StepTypeResult {
            output: format!("ask: {wire} {{\"a\": 1}}"),
            data: [("b".to_owned(), RawJson::from(serde_json::json!(2)))].into_iter().collect(),
            exit_code: 4,
        };
        assert_eq!(stage.plugins.execute_step(step(asked)).await, Ok(expected));
    }
    let unknown = OperationFailure::Unknown("peer.other".into());
    assert_eq!(stage.plugins.execute_step(step("other")).await, Err(unknown));
    stage.plugins.close().await;
}

#[tokio::test]
async fn what_a_validator_finds_is_passed_on() {
    let stage = Stage::new("good");
    let workflow = RawJson::parse("{\"Name\":\"w\"}").unwrap();
    let found = stage.plugins.validate("peer", &workflow, &["a".into()]).await.unwrap();
    let issue = Issue {
        severity: IssueSeverity::Error,
        message: "{\"Name\":\"w\"}".into(),
        step: None,
        field: None,
    };
    assert_eq!(found, [issue]);
    stage.plugins.close().await;
}

#[tokio::test]
async fn a_hang_is_one_failed_call() {
    let mut spec = spec("good");
    spec.timeout = Duration::from_secs(2);
    let stage = Stage::with(spec);
    let pid = stage.pid().await;
    let begun = Instant::now();
    let (hung, went) = tokio::join!(stage.execute("hang", "{}"), stage.execute("echo", "{}"));
    assert!(begun.elapsed() >= Duration::from_secs(2) && begun.elapsed() < PATIENCE);
    let words =
        "plugin `peer` did not answer `hang` within 2 s; a longer `timeout` can be declared";
    assert_eq!(hung, Err(OperationFailure::Unavailable(words.into())));
    assert!(went.unwrap().success);
    assert_eq!(stage.pid().await, pid);
    stage.plugins.close().await;
}

#[tokio::test]
async fn a_call_nobody_wants_ends_at_once() {
    let stage = Stage::new("good");
    let asked = call("hang", "{}");
    let cancel = asked.cancel.clone();
    let pid = stage.pid().await;
    let (ended, ()) = tokio::join!(stage.plugins.execute(asked), async { cancel.cancel() });
    assert_eq!(ended, Err(OperationFailure::Cancelled));
    assert_eq!(stage.pid().await, pid);
    stage.plugins.close().await;
}

#[tokio::test]
async fn an_answer_without_measure_is_one_failed_call() {
    let stage = Stage::new("good");
    let pid = stage.pid().await;
    let (large, went) = tokio::join!(stage.execute("large", "{}"), stage.execute("echo", "{}"));
    let large = large.unwrap_err().to_string();
    assert!(large.starts_with("plugin `peer` answered `large` with more than 16 MiB"), "{large}");
    assert!(went.unwrap().success);
    assert_eq!(stage.pid().await, pid);
    stage.plugins.close().await;
}

#[tokio::test]
async fn complaints_without_end_hold_up_nothing() {
    let stage = Stage::new("good");
    let begun = Instant::now();
    assert!(stage.execute("shout", "{}").await.unwrap().success);
    assert!(begun.elapsed() < Duration::from_secs(30));
    let died = stage.execute("crash", "{}").await.unwrap_err().to_string();
    assert!(died.ends_with("; it said: out of luck"), "{died}");
    stage.plugins.close().await;
}
