//! Spans at a real OTLP receiver, by gRPC and by HTTP, and nothing at all when nobody asked.

use std::process::Command;

use opentelemetry_proto::tonic::{common::v1::any_value::Value as Any, trace::v1::Span};
use serde_json::json;

use crate::{receiver::Receiver, server::Server, world::World};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

fn traceparent() -> String {
    format!("00-{TRACE}-{PARENT}-01")
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let value =
        span.attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    Some(match value {
        Any::StringValue(text) => text,
        Any::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// Calls Read (with a trace of its own), a failing Bash and an unknown tool; gives what stderr said.
fn three_calls(world: &World, configure: impl FnOnce(&mut Command)) -> String {
    world.file("f.txt", "x\n");
    let mut command = world.serve_command(&world.config(json!({})));
    configure(&mut command);
    let mut server = Server::start(command);
    server.handshake();
    let meta = json!({"traceparent": traceparent()});
    server.request(
        "tools/call",
        &json!({"name": "Read", "arguments": {"file_path": "f.txt"}, "_meta": meta}),
    );
    server.call("Bash", &json!({"command": "exit 1"}));
    server.request("tools/call", &json!({"name": "Nope", "arguments": {}}));
    let (status, stderr) = server.close();
    assert!(status.success(), "{stderr}");
    stderr
}

fn check(spans: &[Span], stderr: &str) {
    let by_name = |name: &str| {
        let found: Vec<&Span> = spans.iter().filter(|span| span.name == name).collect();
        assert_eq!(
            found.len(),
            1,
            "{name} among {:?}",
            spans.iter().map(|span| &span.name).collect::<Vec<_>>()
        );
        found[0]
    };
    let read = by_name("tool.call.Read");
    assert_eq!(hex(&read.trace_id), TRACE);
    assert_eq!(hex(&read.parent_span_id), PARENT);
    let expected = [
        ("tool.name", "Read"),
        ("tool.source", "builtin"),
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "Read"),
        ("mcp.method.name", "tools/call"),
        ("awf.intent.operation_type", "read"),
    ];
    for (key, value) in expected {
        assert_eq!(attribute(read, key).as_deref(), Some(value), "{key} of {read:?}");
    }
    assert!(
        attribute(read, "tool.duration_ms").is_some() && attribute(read, "error.type").is_none(),
        "{read:?}"
    );
    assert_eq!(attribute(by_name("tool.call.Bash"), "error.type").as_deref(), Some("tool_error"));
    assert_eq!(attribute(by_name("tool.call.Nope"), "error.type").as_deref(), Some("UNKNOWN_TOOL"));
    assert_eq!(spans.len(), 3, "one span per call");
    assert_eq!(stderr.matches("tool call").count(), 3, "one log line per call: {stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_arrive_by_grpc() {
    let receiver = Receiver::grpc().await;
    let world = World::new();
    let endpoint = receiver.endpoint();
    let stderr = three_calls(&world, |command| {
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    });
    check(&receiver.spans(), &stderr);
    let records = world.activity();
    assert_eq!(
        records.iter().find(|record| record["tool_name"] == "Read").unwrap()["trace_id"],
        TRACE
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_arrive_by_http() {
    let receiver = Receiver::http().await;
    let endpoint = receiver.endpoint();
    let stderr = three_calls(&World::new(), |command| {
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint).args(["--otel-exporter", "otlp-http"]);
    });
    check(&receiver.spans(), &stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_trace_of_its_own_joins_the_parent_process() {
    let receiver = Receiver::grpc().await;
    let world = World::new();
    let mut command = world.command([
        "call",
        "tool-destructive",
        "builtin:Bash",
        "--args",
        r#"{"command":"true"}"#,
    ]);
    let output = command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint())
        .env("TRACEPARENT", traceparent())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let spans = receiver.spans();
    assert_eq!(spans.len(), 1);
    assert_eq!(
        (hex(&spans[0].trace_id).as_str(), hex(&spans[0].parent_span_id).as_str()),
        (TRACE, PARENT)
    );
    assert_eq!(attribute(&spans[0], "awf.tool.variant").as_deref(), Some("call_tool_destructive"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_when_nobody_asked() {
    let receiver = Receiver::grpc().await;
    three_calls(&World::new(), |command| {
        command
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint())
            .args(["--otel-exporter", "none"]);
    });
    three_calls(&World::new(), |_| {});
    assert_eq!(receiver.spans().len(), 0);
}

#[test]
fn an_exporter_that_cannot_be_had_is_a_clear_error() {
    let world = World::new();
    let mut command = world.command(["call", "tool-read", "builtin:Glob"]);
    let output = command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.example:4317")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("TLS"));
}
