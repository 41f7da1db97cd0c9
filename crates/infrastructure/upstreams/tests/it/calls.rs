//! What is passed on, both ways.

use awf_core::{Class, ToolFailure, ToolProvider as _, TraceContext};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::stage::{PATIENCE, Stage, call, tool};

#[tokio::test]
async fn arguments_and_results_stay_as_they_are() {
    let stage = Stage::new(&[tool("echo", Class::Read), tool("raw", Class::Read)]);
    let mut asked = call("echo", r#"{ "n": 1180591620717411303424, "b":1, "a" :1.10}"#);
    asked.context.trace = Some(TraceContext {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".into(),
        tracestate: Some("k=v".into()),
    });
    let id = asked.context.request_id.to_string();
    let answer = stage.upstream.call(asked).await.unwrap();
    let text = answer.first_text().unwrap();
    assert!(text.contains(r#"{ "n": 1180591620717411303424, "b":1, "a" :1.10}"#), "{text}");
    let params: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        params["_meta"],
        json!({
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "tracestate": "k=v",
            "awf/request_id": id,
        })
    );
    let raw = stage.call("raw").await.unwrap();
    assert_eq!(
        raw.raw().get(),
        r#"{ "content":[{"type":"strange","n":1180591620717411303424}], "x":1.10 }"#
    );
    stage.end().await;
}

#[tokio::test]
async fn definitions_stay_as_they_are() {
    let stage = Stage::new(&[]);
    let odd =
        r#"{"vendor":{"z":1,"a":1.0},"name":"t","inputSchema":{"maximum":1180591620717411303424}}"#;
    stage.write("tools.json", &format!("[{odd}]"));
    stage.refresh().await.unwrap();
    assert_eq!(stage.upstream.tools().await.unwrap()[0].raw().get(), odd);
    stage.end().await;
}

#[tokio::test]
async fn a_name_that_is_not_listed_reaches_no_server() {
    let stage = Stage::new(&[tool("echo", Class::Read), tool("call_tool", Class::Read)]);
    for name in ["other", "call_tool", "ECHO", "\u{1b}[2J"] {
        let failure = stage.call(name).await.unwrap_err();
        assert!(matches!(failure, ToolFailure::Unknown { .. }), "{failure:?}");
    }
    let withheld = stage.upstream.withheld();
    assert_eq!(withheld.len(), 1);
    assert_eq!(withheld[0].reason.to_string(), "its name is reserved");
    stage.end().await;
}

#[tokio::test]
async fn a_refusal_is_for_the_model_and_a_cancelled_call_ends() {
    let stage = Stage::new(&[tool("refuse", Class::Read), tool("hang", Class::Read)]);
    let refused = stage.call("refuse").await.unwrap();
    assert_eq!((refused.is_error(), refused.first_text().as_deref()), (true, Some("not so")));
    let asked = call("hang", "{}");
    let cancel = asked.cancel.clone();
    let calling = stage.upstream.call(asked);
    let (answer, ()) = tokio::join!(calling, async { cancel.cancel() });
    assert_eq!(answer.unwrap_err(), ToolFailure::Cancelled);
    stage.end().await;
}

#[tokio::test]
async fn a_server_of_the_modern_era_is_served_too() {
    let stage = Stage::new(&[tool("echo", Class::Read)]);
    stage.write("manner", "modern");
    let params: Value = serde_json::from_str(&stage.text("echo").await).unwrap();
    let meta = &params["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert!(meta["awf/request_id"].is_string(), "{meta}");
    stage.end().await;
}

#[tokio::test]
async fn calls_at_once_get_their_own_answers() {
    let stage = Stage::new(&[tool("echo", Class::Read)]);
    let calls = (0..200).map(|number| {
        let asked = call("echo", &format!(r#"{{"number":{number}}}"#));
        let upstream = &stage.upstream;
        async move {
            let text = upstream.call(asked).await.unwrap().first_text().unwrap();
            let params: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(params["arguments"]["number"], number);
        }
    });
    timeout(PATIENCE, futures_util::future::join_all(calls)).await.unwrap();
    assert_eq!(stage.count("starts"), 1, "all shared one start");
    stage.end().await;
}
