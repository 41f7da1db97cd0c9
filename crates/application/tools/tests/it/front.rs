//! The MCP front over tools that come and go.

use std::sync::Arc;

use awf_core::{Exposure, IntentPolicy, Naming, Redactor, ToolProvider, TwoKeyValidator};
use awf_tools::{IntentSurface, McpFront, Ports, ToolRouter, TraceLink};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio_util::sync::CancellationToken;

use crate::live_source::LiveSource;

/// The other side of a connection, line by line.
struct Peer {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    next_id: u32,
}

impl Peer {
    async fn of(provider: Arc<dyn ToolProvider>, client: &str) -> (Self, Value) {
        let front = McpFront::new(provider, None).await.unwrap();
        let (near, far) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move {
            let (reader, writer) = tokio::io::split(far);
            front.serve(reader, writer, CancellationToken::new()).await
        });
        let (output, input) = tokio::io::split(near);
        let mut peer = Self { input, output: BufReader::new(output).lines(), next_id: 0 };
        let greeting = json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": client, "version": "1"},
        });
        let greeted = peer.ask("initialize", &greeting).await;
        peer.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        (peer, greeted)
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn line(&mut self) -> Value {
        serde_json::from_str(&self.output.next_line().await.unwrap().unwrap()).unwrap()
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let answer = self.line().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    async fn names(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", &json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

async fn router(sources: Vec<Arc<dyn ToolProvider>>, naming: Naming) -> Arc<ToolRouter> {
    let ports = Ports {
        validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
        log: None,
        redactor: Redactor::new([""; 0]),
        trace: TraceLink::default(),
    };
    let exposure = Exposure { naming, ..Exposure::default() };
    Arc::new(ToolRouter::new(sources, exposure, ports).await.unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_client_of_the_direct_surface_sees_the_newest_list_and_hears_of_changes() {
    let one = LiveSource::reading("one", &["look"]);
    let (mut peer, greeted) =
        Peer::of(router(vec![one.clone()], Naming::ByName).await, "peer").await;
    assert_eq!(greeted["result"]["capabilities"]["tools"], json!({"listChanged": true}));
    assert_eq!(LiveSource::count(&one.refreshed), 0);
    assert_eq!(peer.names().await, ["one_look"]);
    let read = json!({"readOnlyHint": true});
    one.lists(one.defined(&[("look", read.clone()), ("see", read)]));
    assert_eq!(peer.line().await["method"], "notifications/tools/list_changed");
    assert_eq!(peer.names().await, ["one_look", "one_see"]);
    let called = peer.ask("tools/call", &json!({"name": "one_see", "arguments": {}})).await;
    assert_eq!(called["result"]["content"][0]["text"], "see got {}");
    // What was just listed is no news.
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    assert_eq!(peer.ask("ping", &json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn the_intent_surface_is_listed_at_once_and_as_the_client_can_carry_it() {
    let one = LiveSource::reading("one", &["look"]);
    for (client, required) in [
        ("claude-code", json!(["name", "intent"])),
        ("gemini-cli-mcp-client", json!(["name", "intent_operation_type"])),
    ] {
        let router = router(vec![one.clone()], Naming::ByAddress).await;
        let surface = IntentSurface::new(router, IntentPolicy::default());
        let (mut peer, greeted) = Peer::of(Arc::new(surface), client).await;
        assert_eq!(greeted["result"]["capabilities"]["tools"], json!({}));
        let listed = peer.ask("tools/list", &json!({})).await;
        assert_eq!(listed["result"]["tools"][1]["inputSchema"]["required"], required, "{client}");
        let gone = peer.ask("tools/call", &json!({"name": "call_tool"})).await;
        assert_eq!(gone["error"]["code"], -32602);
        let text = gone["error"]["message"].as_str().unwrap();
        assert!(text.starts_with("Tool 'call_tool' not found. Use call_tool_read,"), "{text}");
    }
    assert_eq!(LiveSource::count(&one.refreshed), 0, "a listing starts nothing");
}
