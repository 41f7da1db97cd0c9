//! Secrets in calls over REST and MCP over HTTP, and all that can be read over REST.

use std::{
    fs::{self, Permissions},
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    time::Duration,
};

use serde_json::json;

use crate::{
    intent::{
        Web,
        stage::{Upstream, settings, tool},
    },
    secrets::{Stage, canary},
    world::logging_to,
};

/// REST and MCP over HTTP, and all that can be read over REST.
pub(super) fn served(stage: &mut Stage) {
    let fake = Upstream::of_tools(&stage.world, "fake", &[&tool("says", "-")]);
    let config = stage.world.config(settings(&[&fake], &json!({})));
    let own = stage.world.home().join("api-key");
    fs::write(&own, canary("own key")).unwrap();
    fs::set_permissions(&own, Permissions::from_mode(0o600)).unwrap();
    let log = stage.world.beside("serve.log");
    let mut web = Web::started(
        &stage.world,
        logging_to(
            &log,
            &stage.awf(&["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()]),
        ),
    );
    web.handshake();
    let events = listen(&web);
    let call = |way: &str| json!({"name": "fake:says", "args": {"private_key": canary(way)}, "intent": {"operation_type": "write"}});
    let body = json!({"tool_name": "call_tool_write", "arguments": call("arg rest")});
    stage.arrived.push(web.post("/api/v1/tools/call", &body.to_string()).body);
    let params = json!({"name": "call_tool_write", "arguments": call("arg http")});
    stage.arrived.push(web.ask("tools/call", &params.to_string()));
    // The key of awf itself, handed to a tool by somebody who should not.
    let stated = json!({"name": "fake:says", "args": {"note": canary("own key")}, "intent": {"operation_type": "write"}});
    let body = json!({"tool_name": "call_tool_write", "arguments": stated});
    stage.arrived.push(web.post("/api/v1/tools/call", &body.to_string()).body);
    for path in [
        "/activity?limit=100",
        "/activity/summary",
        "/activity/export?format=json",
        "/activity/export?format=csv",
        "/tools",
        "/runs",
    ] {
        let reply = web.get(&format!("/api/v1{path}"));
        stage.sink(&format!("REST {path}"), reply.body);
    }
    stage.sink("REST /events", heard(events, 3));
    let said = fs::read_to_string(&log).unwrap();
    assert!(said.contains("tool call"), "{said}");
    stage.sink("stderr of serve", said);
}

/// A stream of events that has begun.
fn listen(web: &Web) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(web.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (address, key) = (web.address(), web.key());
    write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\n\r\n")
        .unwrap();
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    while !line.starts_with("event: place") {
        line.clear();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0);
    }
    stream
}

/// All it says up to the end of so many calls.
fn heard(mut stream: BufReader<TcpStream>, calls: usize) -> String {
    let mut text = String::new();
    while text.matches("event: activity").count() < calls || !text.ends_with("\n\n") {
        assert_ne!(stream.read_line(&mut text).unwrap(), 0, "{text}");
    }
    text
}
