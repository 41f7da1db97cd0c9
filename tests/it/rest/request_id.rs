//! One id for one request: in the header, in the record, on the span, and in what an upstream server is told.

use std::fs;

use opentelemetry_proto::tonic::{common::v1::any_value::Value as Any, trace::v1::Span};
use serde_json::{Value, json};

use crate::{
    intent::{
        Web,
        stage::{Upstream, in_order, settings, tool},
    },
    receiver::Receiver,
    server::Server,
    world::World,
};

fn upstream(world: &World) -> Upstream {
    Upstream::of_tools(world, "up", &[&tool("look", r#"{"readOnlyHint":true}"#)])
}

/// The ids that the server was told, call by call.
fn passed_on(up: &Upstream) -> Vec<String> {
    let counted = fs::read_to_string(up.file("count")).unwrap();
    let calls = counted.lines().filter_map(|line| line.strip_prefix("call\t"));
    let metas = calls.map(|line| line.split('\t').nth(2).unwrap());
    let read = metas.map(|meta| serde_json::from_str::<Value>(meta).unwrap());
    read.map(|meta| meta["awf/request_id"].as_str().unwrap().to_owned()).collect()
}

fn on_spans(spans: &[Span]) -> Vec<String> {
    let ids = spans.iter().filter_map(|span| {
        let found = span.attributes.iter().find(|given| given.key == "awf.request.id")?;
        match found.value.clone()?.value? {
            Any::StringValue(id) => Some(id),
            _ => None,
        }
    });
    ids.collect()
}

fn on_record(world: &World) -> Vec<String> {
    let records = world.activity().into_iter().rev();
    records.map(|record| record["request_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn header_record_span_and_upstream_have_the_same_id() {
    let receiver = Receiver::grpc().await;
    let world = World::new();
    let up = upstream(&world);
    let config = world.config(settings(&[&up], &json!({})));
    let mut serve =
        world.command(["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()]);
    serve.env("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint());
    let web = Web::started(&world, serve);
    let arguments = in_order("call_tool_read", "up:look", "{}");
    let body = format!(r#"{{"tool_name":"call_tool_read","arguments":{arguments}}}"#);
    let longest = "x".repeat(128);
    let (too_long, spaced) = ("x".repeat(129), "two words");
    let mut headers = Vec::new();
    for (given, kept) in [
        (None, false),
        (Some("ci-run/42:step[7]"), true),
        (Some(longest.as_str()), true),
        (Some(too_long.as_str()), false),
        (Some(spaced), false),
        (Some(""), false),
    ] {
        let mut sent = vec![
            ("Host", web.address()),
            ("X-API-Key", web.key()),
            ("Content-Type", "application/json"),
        ];
        sent.extend(given.map(|id| ("X-Request-Id", id)));
        let reply = web.raw("POST /api/v1/tools/call", &sent, &body);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let id = reply.header("x-request-id").unwrap().to_owned();
        assert_eq!(given == Some(id.as_str()), kept, "{given:?} became {id}");
        headers.push(id);
    }
    web.close();
    assert_eq!(on_record(&world), headers);
    assert_eq!(on_spans(&receiver.spans()), headers);
    assert_eq!(passed_on(&up), headers);
}

#[tokio::test(flavor = "multi_thread")]
async fn over_mcp_record_span_and_upstream_have_the_same_id() {
    let receiver = Receiver::grpc().await;
    let world = World::new();
    let up = upstream(&world);
    let config = world.config(settings(&[&up], &json!({})));
    let mut serve = world.command(["mcp", "serve", "--config", config.to_str().unwrap()]);
    serve.env("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint());
    let mut gateway = Server::start(serve);
    gateway.handshake();
    gateway.through("call_tool_read", "up:look", &json!({}));
    // A warning carries the id to the caller as well.
    let warned = gateway.through("call_tool_write", "up:look", &json!({}));
    assert!(gateway.close().0.success());
    let ids = on_record(&world);
    assert_eq!(warned["_meta"]["awf/request_id"], ids[1].as_str(), "{warned}");
    assert_eq!((ids.len(), on_spans(&receiver.spans())), (2, ids.clone()));
    assert_eq!(passed_on(&up), ids);
}

#[test]
fn every_answer_has_one() {
    let world = World::new();
    let mut web = Web::start(&world, &world.config(json!({})));
    for path in ["/api/v1/activity", "/api/v1/tools", "/nothing", "/api/v1/activity?x=1"] {
        let reply = web.get(path);
        assert_eq!(reply.header("x-request-id").map(str::len), Some(26), "{path}");
    }
    let sent = [("Host", web.address()), ("X-Request-Id", "mine")];
    let refused = web.raw("GET /api/v1/activity", &sent, "");
    assert_eq!((refused.status, refused.header("x-request-id")), (401, Some("mine")));
    let foreign = web.raw("GET /", &[("Host", "evil.example"), ("X-Request-Id", "mine")], "");
    assert_eq!((foreign.status, foreign.header("x-request-id")), (403, Some("mine")));
}
