//! Both eras on one stream, in every order seen in the field.

use awf_mcp::{Server, ToolReply, handler_fn};
use serde_json::{Value, json, value::to_raw_value};

use crate::peer::{INITIALIZE, MODERN, Peer};

fn echo_server() -> Server {
    let mut server = Server::new("test", "1.2");
    server.set_instructions("be kind");
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    let echo = handler_fn(|context, _arguments| async move {
        let client = context.client.map_or_else(String::new, |client| client.name.clone());
        Ok(ToolReply::text(&format!("{:?} {client}", context.era)))
    });
    server.register_tool("echo", "Echoes", &schema, echo).unwrap();
    server
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

fn call(id: u32, meta: &str) -> String {
    let comma = if meta.is_empty() { "" } else { "," };
    request(id, "tools/call", &format!(r#""name":"echo"{comma}{meta}"#))
}

fn said(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

#[tokio::test]
async fn the_legacy_handshake_and_its_results() {
    let mut peer = Peer::new(echo_server());
    peer.send(INITIALIZE).await;
    assert_eq!(
        peer.line().await.unwrap(),
        concat!(
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"#,
            r#""instructions":"be kind","serverInfo":{"name":"test","version":"1.2"}}}"#
        )
    );
    peer.send(&request(1, "tools/list", "")).await;
    assert_eq!(
        peer.line().await.unwrap(),
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#,
            r#"{"name":"echo","description":"Echoes","inputSchema":{"type":"object"}}]}}"#
        )
    );
    peer.send(&call(2, "")).await;
    assert_eq!(peer.answer().await["result"], json!({"content": said("Legacy peer")}));
    peer.send(&request(3, "shutdown", "")).await;
    assert_eq!(peer.answer().await["result"], json!({}));
    peer.ping().await;
}

#[tokio::test]
async fn the_modern_results() {
    let mut peer = Peer::new(echo_server());
    peer.send(&request(1, "server/discover", MODERN)).await;
    assert_eq!(
        peer.line().await.unwrap(),
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","#,
            r#""supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"#,
            r#""capabilities":{"tools":{}},"instructions":"be kind","ttlMs":0,"cacheScope":"private","#,
            r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1.2"}}}}"#
        )
    );
    peer.send(&request(2, "tools/list", MODERN)).await;
    assert_eq!(
        peer.line().await.unwrap(),
        concat!(
            r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":["#,
            r#"{"name":"echo","description":"Echoes","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}}"#
        )
    );
    peer.send(&call(3, MODERN)).await;
    assert_eq!(
        peer.answer().await["result"],
        json!({"resultType": "complete", "content": said("Modern ")})
    );
    let meta = MODERN.replace(
        "Capabilities\":{}",
        "Capabilities\":{},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"new\"}",
    );
    peer.send(&call(4, &meta)).await;
    assert_eq!(peer.answer().await["result"]["content"], said("Modern new"));
    peer.send(&request(5, "shutdown", MODERN)).await;
    assert_eq!(peer.answer().await["result"], json!({"resultType": "complete"}));
}

/// Lines sent one after the other on a fresh stream, and for each what its answer must hold (JSON pointer, value).
async fn check_sequence(name: &str, steps: &[(String, &str, Value)]) {
    let mut peer = Peer::new(echo_server());
    for (line, pointer, expected) in steps {
        peer.send(line).await;
        let answer = peer.answer().await;
        assert_eq!(answer.pointer(pointer), Some(expected), "{name}: {line} gave {answer}");
    }
    peer.ping().await;
}

#[tokio::test]
async fn sequences_seen_in_the_field() {
    let text = "/result/content/0/text";
    let code = "/error/code";
    let discover = request(1, "server/discover", MODERN);
    let versions = ("/result/supportedVersions/0", json!("2026-07-28"));
    let initialize = |version: &str| INITIALIZE.replace("2025-11-25", version);
    let version = "/result/protocolVersion";
    check_sequence(
        "discover, then a modern call",
        &[
            (discover.clone(), versions.0, versions.1.clone()),
            (call(2, MODERN), text, json!("Modern ")),
        ],
    )
    .await;
    check_sequence(
        "discover, then initialize",
        &[
            (discover, versions.0, versions.1),
            (initialize("2025-11-25"), version, json!("2025-11-25")),
            (call(3, ""), text, json!("Legacy peer")),
        ],
    )
    .await;
    check_sequence("a modern call with no discover", &[(call(1, MODERN), text, json!("Modern "))])
        .await;
    check_sequence(
        "eras interleaved",
        &[
            (initialize("2025-06-18"), version, json!("2025-06-18")),
            (call(3, ""), text, json!("Legacy peer")),
            (call(4, MODERN), text, json!("Modern ")),
            (call(5, ""), text, json!("Legacy peer")),
        ],
    )
    .await;
    check_sequence(
        "versions nobody knows",
        &[
            (initialize("2099-01-01"), version, json!("2025-11-25")),
            (initialize("2026-07-28"), version, json!("2025-11-25")),
            (call(3, &MODERN.replace("2026-07-28", "2099-01-01")), code, json!(-32022)),
        ],
    )
    .await;
    check_sequence(
        "requests before initialize",
        &[
            (call(1, ""), code, json!(-32602)),
            (request(2, "tools/list", ""), code, json!(-32602)),
            (initialize("2024-11-05"), version, json!("2024-11-05")),
            (call(3, ""), text, json!("Legacy peer")),
        ],
    )
    .await;
}
