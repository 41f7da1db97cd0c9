//! What one client is shown of all there is: `?servers=` and `?allow=` narrow, and never widen.

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, code, in_order, settings, tool},
        web::Web,
    },
    server::{failed, text},
    world::World,
};

const READ: &str = r#"{"readOnlyHint":true}"#;
const DESTROY: &str = r#"{"destructiveHint":true}"#;

fn servers(world: &World) -> [Upstream; 3] {
    let tools = [tool("look", READ), tool("wipe", DESTROY)];
    ["one", "two", "three"]
        .map(|name| Upstream::of_tools(world, name, &[tools[0].as_str(), tools[1].as_str()]))
}

/// All tools that a client finds at an address, in no order.
fn found(web: &mut Web, mcp: &str) -> Vec<String> {
    web.turn_to(mcp);
    web.handshake();
    let params = json!({"name": "retrieve_tools", "arguments": {"query": "-server:nobody", "limit": 100, "detail": "compact"}});
    let answer: Value = serde_json::from_str(&web.ask("tools/call", &params.to_string())).unwrap();
    let tools = answer["result"]["structuredContent"]["tools"].as_array();
    let tools = tools.unwrap_or_else(|| panic!("{answer}"));
    let mut names: Vec<_> =
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

/// A call in good order at the address in use.
fn called(web: &mut Web, variant: &str, name: &str) -> Value {
    let arguments = in_order(variant, name, "{}");
    let params = format!(r#"{{"name":"{variant}","arguments":{arguments}}}"#);
    let answer: Value = serde_json::from_str(&web.ask("tools/call", &params)).unwrap();
    assert!(answer.get("result").is_some(), "{answer}");
    answer["result"].clone()
}

#[test]
fn a_view_shows_its_servers_up_to_its_class_and_no_more() {
    let world = World::new();
    let [one, two, three] = servers(&world);
    let config = world.config(settings(&[&one, &two, &three], &json!({})));
    let mut web = Web::start(&world, &config);
    let all = found(&mut web, "/mcp");
    assert!(all.contains(&"builtin:Bash".to_owned()) && all.contains(&"three:wipe".to_owned()));
    let narrowed = found(&mut web, "/mcp?servers=one,two&allow=read");
    assert_eq!(narrowed, ["one:look", "two:look"]);
    assert!(!failed(&called(&mut web, "call_tool_read", "two:look")));
    let beyond = called(&mut web, "call_tool_destructive", "one:wipe");
    assert_eq!(code(&beyond), "ABOVE_CEILING", "{beyond}");
    let outside = called(&mut web, "call_tool_read", "three:look");
    assert_eq!(code(&outside), "UNKNOWN_SERVER", "{outside}");
    assert!(!text(&outside).contains("three:"), "{outside}");
    assert_eq!(found(&mut web, "/mcp?servers=three"), ["three:look", "three:wipe"]);
    assert!(found(&mut web, "/mcp?allow=read").contains(&"builtin:Read".to_owned()));
    let reached = [&one, &two, &three].map(|upstream| upstream.calls().len());
    assert_eq!(reached, [0, 1, 0]);
}

#[test]
fn a_view_never_widens_what_the_configuration_allows() {
    let world = World::new();
    let [one, two, three] = servers(&world);
    let further = json!({"tools": {"allow": "read"}});
    let config = world.config(settings(&[&one, &two, &three], &further));
    let mut web = Web::start(&world, &config);
    assert_eq!(found(&mut web, "/mcp?servers=one&allow=destructive"), ["one:look"]);
    let beyond = called(&mut web, "call_tool_destructive", "one:wipe");
    assert_eq!(code(&beyond), "ABOVE_CEILING", "{beyond}");
    assert_eq!(one.calls(), []);
}

/// One that is switched off stands in the list of servers and has no tools to show.
#[test]
fn a_server_that_is_switched_off_takes_nobody_s_place() {
    let world = World::new();
    let [one, two, three] = servers(&world);
    let mut config = settings(&[&one, &two, &three], &json!({}));
    // Listed first, whatever the order of the others is.
    config["mcpServers"] = json!([
        {"name": "off", "command": "false", "enabled": false},
        {"name": "one", "command": one.entry()["command"], "args": one.entry()["args"]},
        {"name": "two", "command": two.entry()["command"], "args": two.entry()["args"]},
    ]);
    let mut web = Web::start(&world, &world.config(config));
    assert_eq!(found(&mut web, "/mcp?servers=one"), ["one:look", "one:wipe"]);
    assert_eq!(found(&mut web, "/mcp?servers=two"), ["two:look", "two:wipe"]);
    web.turn_to("/mcp?servers=off");
    let reply = web.post("/mcp?servers=off", &hello());
    assert_eq!(reply.status, 404, "{}", reply.body);
}

fn hello() -> String {
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string()
}

#[test]
fn a_view_that_cannot_be_is_refused_by_its_kind() {
    let world = World::new();
    let [one, two, three] = servers(&world);
    let config = world.config(settings(&[&one, &two, &three], &json!({})));
    let mut web = Web::start(&world, &config);
    let rows = [
        ("servers=nowhere", 404, "one, "),
        ("servers=one,nowhere", 404, "nowhere"),
        ("servers=", 400, "servers"),
        ("servers=one,,two", 400, "servers"),
        ("allow=delete", 400, "destructive"),
        ("allow=", 400, "destructive"),
        ("allow=READ", 400, "destructive"),
        ("allow=read&allow=write", 400, "twice"),
        ("server=one", 400, "servers"),
    ];
    for (query, status, words) in rows {
        let reply = web.post(&format!("/mcp?{query}"), &hello());
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        assert!(reply.body.contains(words), "{query}: {}", reply.body);
    }
    // A session stays what it was opened as.
    found(&mut web, "/mcp?servers=one&allow=read");
    let wider = r#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#;
    let reply = web.post("/mcp", wider);
    assert_eq!(reply.status, 400, "{}", reply.body);
}

#[test]
fn rest_is_narrowed_the_same() {
    let world = World::new();
    let [one, two, three] = servers(&world);
    let config = world.config(settings(&[&one, &two, &three], &json!({})));
    let mut web = Web::start(&world, &config);
    let rows = [
        ("?servers=one&allow=read", "call_tool_read", "one:look", 200, Value::Null),
        (
            "?servers=one&allow=read",
            "call_tool_destructive",
            "one:wipe",
            403,
            "ABOVE_CEILING".into(),
        ),
        ("?servers=one", "call_tool_read", "two:look", 404, "UNKNOWN_SERVER".into()),
        ("?servers=nowhere", "call_tool_read", "one:look", 404, "UNKNOWN_SERVER".into()),
        ("?allow=all", "call_tool_read", "one:look", 400, "INVALID_REQUEST".into()),
    ];
    for (query, variant, name, status, code) in rows {
        let arguments = in_order(variant, name, "{}");
        let body = format!(r#"{{"tool_name":"{variant}","arguments":{arguments}}}"#);
        let reply = web.post(&format!("/api/v1/tools/call{query}"), &body);
        assert_eq!(reply.status, status, "{query} {name}: {}", reply.body);
        let answer: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(answer["code"], code, "{query} {name}: {answer}");
    }
    assert_eq!([one.calls().len(), two.calls().len()], [1, 0]);
}
