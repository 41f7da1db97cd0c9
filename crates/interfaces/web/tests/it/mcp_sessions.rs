//! `/mcp` for clients that shake hands: sessions of their own, from `initialize` to `DELETE`.

use std::time::Duration;

use awf_web::WebLimits;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::stage::{Stage, told};

pub(crate) fn hello(name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}})
}

pub(crate) fn call(id: &Value, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

/// Opens a session at `path` and gives its id.
pub(crate) async fn opened(stage: &Stage, path: &str, name: &str) -> String {
    let response = stage.post(path, &hello(name)).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.headers()["mcp-session-id"].to_str().unwrap().to_owned()
}

fn within(request: RequestBuilder, id: &str) -> RequestBuilder {
    request.header("Mcp-Session-Id", id).header("MCP-Protocol-Version", "2025-06-18")
}

#[tokio::test]
async fn a_session_goes_from_hello_to_delete() {
    let stage = Stage::open().await;
    let response = stage.post("/mcp", &hello("ide")).send().await.unwrap();
    let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    assert_eq!(id.len(), 64);
    let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(body["result"]["protocolVersion"], "2025-06-18");
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(told(within(stage.post("/mcp", &ready), &id)).await, (202, json!("")));
    let answer = json!({"jsonrpc": "2.0", "id": 9, "result": {}});
    assert_eq!(told(within(stage.post("/mcp", &answer), &id)).await.0, 202);
    let list = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"});
    let (status, body) = told(within(stage.post("/mcp", &list), &id)).await;
    assert_eq!((status, body["result"]["tools"].as_array().unwrap().len()), (200, 5));
    let (_, body) = told(within(stage.post("/mcp", &call(&json!(2), "up_look")), &id)).await;
    assert_eq!(body["result"]["content"][0]["text"], "look got {}");
    let started = stage.log.started();
    assert_eq!(started[0].client.as_ref().unwrap().name, "ide");
    assert!(started[0].session.as_ref().is_some_and(|session| *session != id));
    assert_eq!(told(within(stage.delete("/mcp"), &id)).await.0, 204);
    assert_eq!(told(within(stage.post("/mcp", &list), &id)).await.0, 404);
    assert_eq!(told(within(stage.delete("/mcp"), &id)).await.0, 404);
}

#[tokio::test]
async fn a_message_over_several_lines_is_one_message() {
    let stage = Stage::open().await;
    let pretty = serde_json::to_string_pretty(&hello("ide")).unwrap().replace('\n', "\r\n");
    let response = stage.post("/mcp", &json!(null)).body(pretty).send().await.unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn what_belongs_to_no_session_or_speaks_no_version_is_refused() {
    let stage = Stage::open().await;
    let id = opened(&stage, "/mcp", "ide").await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(told(stage.post("/mcp", &list)).await.0, 400);
    assert_eq!(told(stage.get("/mcp").header("Accept", "text/event-stream")).await.0, 400);
    assert_eq!(told(within(stage.post("/mcp", &list), &"0".repeat(64))).await.0, 404);
    for version in ["2099-01-01", "2000-01-01", "nonsense"] {
        let request = stage.post("/mcp", &list).header("Mcp-Session-Id", &id);
        let (status, body) = told(request.header("MCP-Protocol-Version", version)).await;
        assert_eq!((status, &body["error"]["code"]), (400, &json!(-32022)), "{version}");
    }
    for accept in ["text/html", "image/*"] {
        let request = stage.post("/mcp", &list).header("Mcp-Session-Id", &id);
        assert_eq!(told(request.header("Accept", accept)).await.0, 406);
    }
    assert_eq!(
        told(within(stage.get("/mcp"), &id).header("Accept", "application/json")).await.0,
        406
    );
}

#[tokio::test]
async fn what_is_no_message_is_refused_with_the_code_of_the_protocol() {
    let stage = Stage::open().await;
    let rows = [
        ("{", json!(null), -32700),
        ("[]", json!(null), -32600),
        ("{\"id\": 3, \"method\": \"ping\"}", json!(3), -32600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 3, \"id\": 4, \"method\": \"ping\"}", json!(null), -32600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"a\nb\"}", json!(null), -32700),
    ];
    for (body, id, code) in rows {
        let (status, answer) = told(stage.post("/mcp", &json!(null)).body(body)).await;
        assert_eq!(status, 400, "{body}");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{body}");
    }
}

#[tokio::test]
async fn a_view_belongs_to_its_session() {
    let stage = Stage::open().await;
    let id = opened(&stage, "/mcp?servers=up&allow=read", "ide").await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let (_, body) = told(within(stage.post("/mcp?servers=up&allow=read", &list), &id)).await;
    assert_eq!(body["result"]["tools"].as_array().unwrap().len(), 4, "{body}");
    assert_eq!(told(within(stage.post("/mcp", &list), &id)).await.0, 400);
    let (status, body) = told(stage.post("/mcp?servers=nowhere", &hello("ide"))).await;
    assert_eq!((status, &body["code"]), (404, &json!("UNKNOWN_SERVER")));
    assert_eq!(told(stage.post("/mcp?view=read", &hello("ide"))).await.0, 400);
}

#[tokio::test]
async fn answers_come_as_events_where_the_client_wants_them() {
    let stage = Stage::open().await;
    let id = opened(&stage, "/mcp", "ide").await;
    let mut asked = call(&json!(7), "up_look");
    let both = "application/json, text/event-stream";
    let plain =
        within(stage.post("/mcp", &asked), &id).header("Accept", both).send().await.unwrap();
    assert_eq!(plain.headers()["content-type"], "application/json");
    asked["params"]["_meta"] = json!({"progressToken": 1});
    let events =
        within(stage.post("/mcp", &asked), &id).header("Accept", both).send().await.unwrap();
    assert_eq!(events.headers()["content-type"], "text/event-stream");
    let text = events.text().await.unwrap();
    assert!(text.starts_with("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,"), "{text}");
    assert!(text.ends_with("}\n\n"), "{text}");
}

#[tokio::test]
async fn there_is_one_stream_of_news_and_it_ends_with_the_session() {
    let stage = Stage::open().await;
    let id = opened(&stage, "/mcp", "ide").await;
    let listen = || within(stage.get("/mcp"), &id).header("Accept", "text/event-stream");
    let stream = listen().send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    assert_eq!(told(listen()).await.0, 409);
    assert_eq!(told(within(stage.delete("/mcp"), &id)).await.0, 204);
    assert_eq!(stream.text().await.unwrap(), "");
}

#[tokio::test]
async fn a_call_is_withdrawn_by_a_notification_or_by_leaving() {
    let stage = Stage::open().await;
    let id = opened(&stage, "/mcp", "ide").await;
    let stuck = |number: u64| within(stage.post("/mcp", &call(&json!(number), "up_stuck")), &id);
    let first = tokio::spawn(stuck(1).send());
    stage.tools.begun.subscribe().wait_for(|count| *count == 1).await.unwrap();
    let (status, body) = told(stuck(1)).await;
    assert_eq!((status, &body["error"]["code"]), (400, &json!(-32600)), "an id in use");
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(told(within(stage.post("/mcp", &cancel), &id)).await.0, 202);
    assert_eq!(first.await.unwrap().unwrap().status(), 204);
    let second = tokio::spawn(stuck(2).send());
    stage.tools.begun.subscribe().wait_for(|count| *count == 2).await.unwrap();
    second.abort();
    stage.tools.cancelled.subscribe().wait_for(|count| *count == 2).await.unwrap();
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends() {
    let limits = WebLimits { session_idle: Duration::from_millis(50), ..WebLimits::default() };
    let stage = Stage::with(limits).await;
    let id = opened(&stage, "/mcp", "ide").await;
    let stream = within(stage.get("/mcp"), &id).header("Accept", "text/event-stream");
    // While somebody listens it is in use; so the wait is for a call that ends.
    let stuck = tokio::spawn(within(stage.post("/mcp", &call(&json!(1), "up_stuck")), &id).send());
    stage.tools.begun.subscribe().wait_for(|count| *count == 1).await.unwrap();
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(!stuck.is_finished(), "a session with a call is in use");
    stuck.abort();
    stage.tools.cancelled.subscribe().wait_for(|count| *count == 1).await.unwrap();
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(told(stream).await.0, 404);
}
