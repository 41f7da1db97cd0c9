//! `/mcp` for requests that stand for themselves (2026-07-28).

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::stage::{Stage, told};

const VERSION: &str = "2026-07-28";

pub(crate) fn request(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "2"},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn with_headers(builder: RequestBuilder, method: &str) -> RequestBuilder {
    builder.header("MCP-Protocol-Version", VERSION).header("Mcp-Method", method)
}

fn look() -> Value {
    request(5, "tools/call", json!({"name": "up_look", "arguments": {}}))
}

#[tokio::test]
async fn each_request_is_answered_without_a_session() {
    let stage = Stage::open().await;
    let discover = request(1, "server/discover", json!({}));
    let (status, body) = told(with_headers(stage.post("/mcp", &discover), "server/discover")).await;
    assert_eq!((status, &body["result"]["resultType"]), (200, &json!("complete")), "{body}");
    let list = request(2, "tools/list", json!({}));
    let sent =
        with_headers(stage.post("/mcp?allow=read", &list), "tools/list").send().await.unwrap();
    assert!(!sent.headers().contains_key("mcp-session-id"));
    let body: Value = serde_json::from_str(&sent.text().await.unwrap()).unwrap();
    assert_eq!(body["result"]["tools"].as_array().unwrap().len(), 4);
    for name in ["up_look", "=?base64?dXBfbG9vaw==?="] {
        let call = with_headers(stage.post("/mcp", &look()), "tools/call").header("Mcp-Name", name);
        let (status, body) = told(call).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!(body["result"]["content"][0]["text"], "look got {}");
    }
    assert_eq!(stage.log.started()[0].client.as_ref().unwrap().name, "modern");
}

#[tokio::test]
async fn headers_that_do_not_say_what_the_body_says_are_refused() {
    let stage = Stage::open().await;
    let rows: [&[(&str, &str)]; 8] = [
        &[("Mcp-Method", "tools/call"), ("Mcp-Name", "up_look")],
        &[
            ("MCP-Protocol-Version", "2025-06-18"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "up_look"),
        ],
        &[("MCP-Protocol-Version", VERSION), ("Mcp-Name", "up_look")],
        &[("MCP-Protocol-Version", VERSION), ("Mcp-Method", "tools/list"), ("Mcp-Name", "up_look")],
        &[("MCP-Protocol-Version", VERSION), ("Mcp-Method", "tools/call")],
        &[("MCP-Protocol-Version", VERSION), ("Mcp-Method", "tools/call"), ("Mcp-Name", "up_wipe")],
        &[
            ("MCP-Protocol-Version", VERSION),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "=?base64?!?="),
        ],
        &[
            ("MCP-Protocol-Version", VERSION),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "up_look"),
            ("Mcp-Name", "up_look"),
        ],
    ];
    for headers in rows {
        let sent = headers
            .iter()
            .fold(stage.post("/mcp", &look()), |sent, (name, value)| sent.header(*name, *value));
        let (status, body) = told(sent).await;
        assert_eq!(status, 400, "{headers:?}");
        assert_eq!(
            (&body["id"], &body["error"]["code"]),
            (&json!(5), &json!(-32020)),
            "{headers:?}"
        );
    }
    assert!(stage.log.started().is_empty());
}

#[tokio::test]
async fn errors_of_the_protocol_show_in_the_status() {
    let stage = Stage::open().await;
    let mut bare = request(1, "tools/list", json!({}));
    bare["params"]["_meta"]
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    let missing = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let rows = [
        (bare, "tools/list", 400, -32602),
        (missing, "tools/list", 400, -32602),
        (request(1, "ping", json!({})), "ping", 404, -32601),
        (request(1, "nothing/such", json!({})), "nothing/such", 404, -32601),
    ];
    for (message, method, status, code) in rows {
        let (given, body) = told(with_headers(stage.post("/mcp", &message), method)).await;
        assert_eq!((given, &body["error"]["code"]), (status, &json!(code)), "{message}");
    }
    let told_of =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(
        told(with_headers(stage.post("/mcp", &told_of), "notifications/cancelled")).await.0,
        202
    );
    let get = stage.get("/mcp").header("MCP-Protocol-Version", VERSION);
    assert_eq!(told(get).await.0, 405);
}

#[tokio::test]
async fn a_client_that_vanishes_cancels_its_call() {
    let stage = Stage::open().await;
    let stuck = request(1, "tools/call", json!({"name": "up_stuck", "arguments": {}}));
    let sent =
        with_headers(stage.post("/mcp", &stuck), "tools/call").header("Mcp-Name", "up_stuck");
    let calling = tokio::spawn(sent.send());
    stage.tools.begun.subscribe().wait_for(|count| *count == 1).await.unwrap();
    calling.abort();
    stage.tools.cancelled.subscribe().wait_for(|count| *count == 1).await.unwrap();
}
