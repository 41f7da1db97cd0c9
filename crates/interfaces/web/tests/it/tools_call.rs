//! `POST /api/v1/tools/call`: what a call comes to, and the status that says so.

use serde_json::{Value, json};

use crate::stage::{Stage, told};

fn stated(variant: &str, name: &str, operation: &str) -> Value {
    json!({"tool_name": variant, "arguments": {"name": name, "intent": {"operation_type": operation}}})
}

#[tokio::test]
async fn the_answer_is_the_result_of_the_tool_also_when_it_is_an_error() {
    let stage = Stage::open().await;
    let call = json!({"tool_name": "up_look", "arguments": {"big": 1}});
    let raw = call.to_string().replace("\"big\":1", "\"big\":12345678901234567890123");
    let request = stage.post("/api/v1/tools/call", &json!(null)).body(raw);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(response.text().await.unwrap().contains("12345678901234567890123"));
    let (status, body) =
        told(stage.post("/api/v1/tools/call", &json!({"tool_name": "up_fails"}))).await;
    assert_eq!((status, &body["isError"]), (200, &json!(true)));
}

#[tokio::test]
async fn each_refusal_has_its_status_its_code_and_the_literal_message() {
    let stage = Stage::open().await;
    let rows = [
        (stated("call_tool_read", "up:wipe", "read"), 403, "SERVER_MISMATCH"),
        (stated("call_tool_read", "up:look", "write"), 400, "INTENT_MISMATCH"),
        (stated("call_tool_read", "up:look", "erase"), 400, "INVALID_OPERATION_TYPE"),
        (stated("call_tool_read", "nowhere:look", "read"), 404, "UNKNOWN_SERVER"),
        (stated("call_tool_read", "up:nothing", "read"), 404, "UNKNOWN_TOOL"),
        (
            json!({"tool_name": "call_tool_read", "arguments": {"name": "up:look"}}),
            400,
            "MISSING_INTENT",
        ),
        (json!({"tool_name": "call_tool", "arguments": {}}), 404, "UNKNOWN_TOOL"),
        (json!({"tool_name": "up_gone", "arguments": {}}), 409, "NOT_CONNECTED"),
    ];
    for (call, expected, code) in rows {
        let response = stage.post("/api/v1/tools/call", &call).send().await.unwrap();
        assert_eq!(response.status(), expected, "{call}");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert_eq!((&body["code"], &body["request_id"]), (&json!(code), &json!(id)), "{body}");
        assert_eq!(stage.log.started().last().unwrap().request_id, id);
    }
    let (_, body) =
        told(stage.post("/api/v1/tools/call", &stated("call_tool_read", "up:wipe", "read"))).await;
    let message = "Tool 'up:wipe' is marked destructive by server, use call_tool_destructive";
    assert!(body["detail"].as_str().unwrap().starts_with(message), "{body}");
    assert_eq!(body["details"], json!({"tool": "up:wipe", "tool_variant": "call_tool_read"}));
    assert_eq!(*stage.tools.begun.borrow(), 1, "refused calls reach no tool");
}

#[tokio::test]
async fn a_body_of_another_shape_is_refused() {
    let stage = Stage::open().await;
    let bodies = [
        "",
        "[]",
        "{}",
        "null",
        "{\"tool_name\": 1}",
        "{\"tool_name\": \"x\", \"extra\": 1}",
        "{\"tool_name\": \"x\", \"tool_name\": \"y\"}",
        "{\"tool_name\": \"x\", \"arguments\": []}",
        "{\"tool_name\": \"x\"} {}",
    ];
    for body in bodies {
        let request = stage.post("/api/v1/tools/call", &json!(null)).body(body);
        let (status, answer) = told(request).await;
        assert_eq!((status, &answer["code"]), (400, &json!("INVALID_REQUEST")), "{body}: {answer}");
    }
    assert!(stage.log.started().is_empty());
}

#[tokio::test]
async fn a_view_narrows_what_can_be_called() {
    let stage = Stage::open().await;
    let wipe = stated("call_tool_destructive", "up:wipe", "destructive");
    assert_eq!(told(stage.post("/api/v1/tools/call", &wipe)).await.0, 200);
    let (status, body) = told(stage.post("/api/v1/tools/call?allow=read", &wipe)).await;
    assert_eq!((status, &body["code"]), (403, &json!("ABOVE_CEILING")));
    let (status, body) = told(stage.post("/api/v1/tools/call?servers=other", &wipe)).await;
    assert_eq!((status, &body["code"]), (404, &json!("UNKNOWN_SERVER")));
    assert_eq!(told(stage.post("/api/v1/tools/call?allow=all", &wipe)).await.0, 400);
}
