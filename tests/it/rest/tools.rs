//! `GET /api/v1/tools`: what can be called over `POST /api/v1/tools/call`, and nothing that nobody approved.

use serde_json::{Value, json};

use crate::{
    intent::{
        Web,
        stage::{Upstream, in_order, settings, tool},
    },
    world::World,
};

const READ: &str = r#"{"readOnlyHint":true,"x-vendor":1}"#;
const DESTROY: &str = r#"{"destructiveHint":true}"#;

fn stage(world: &World) -> (Upstream, Web) {
    let hiding =
        r#"{"name":"hiding","description":"nice TAG tool","inputSchema":{"type":"object"}}"#;
    let hiding = hiding.replace("TAG", "\u{E0041}");
    let tools = [tool("look", READ), tool("wipe", DESTROY), tool("plain", "-"), hiding];
    let up = Upstream::of_tools(world, "up", &tools.each_ref().map(String::as_str));
    let web = Web::start(world, &world.config(settings(&[&up], &json!({}))));
    (up, web)
}

fn listed(web: &mut Web, query: &str) -> Value {
    let reply = web.get(&format!("/api/v1/tools{query}"));
    assert_eq!(reply.status, 200, "{query}: {}", reply.body);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    serde_json::from_str(&reply.body).unwrap()
}

fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn every_tool_is_listed_as_it_is_called_and_as_its_server_describes_it() {
    let world = World::new();
    let (up, mut web) = stage(&world);
    let list = listed(&mut web, "?servers=up");
    assert_eq!(names(&list), ["up:look", "up:plain", "up:wipe"]);
    assert_eq!(list["total"], 3);
    assert_eq!(
        list["tools"][0],
        json!({
            "name": "up:look", "server": "up", "description": "look of a test",
            "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true, "x-vendor": 1},
            "class": "read", "call_with": "call_tool_read", "score": 1.0,
        })
    );
    let rest = |at: usize| (&list["tools"][at]["class"], &list["tools"][at]["call_with"]);
    assert_eq!(rest(1), (&json!("unannotated"), &json!("call_tool_write")));
    assert_eq!(rest(2), (&json!("destructive"), &json!("call_tool_destructive")));
    // What hides something is named, with what to do; what it says is not repeated.
    assert_eq!(list["blocked"][0]["name"], "up:hiding", "{list}");
    assert!(list["blocked"][0]["reason"].as_str().unwrap().contains("awf mcp approve up"));
    assert!(!list.to_string().contains("nice"), "{list}");
    for tool in list["tools"].as_array().unwrap() {
        let variant = tool["call_with"].as_str().unwrap();
        let arguments = in_order(variant, tool["name"].as_str().unwrap(), "{}");
        let body = format!(r#"{{"tool_name":"{variant}","arguments":{arguments}}}"#);
        let reply = web.post("/api/v1/tools/call", &body);
        assert_eq!(reply.status, 200, "{tool}: {}", reply.body);
    }
    assert_eq!(up.calls().len(), 3);
    assert_eq!(world.activity().len(), 3, "a list is no call");
}

#[test]
fn a_list_is_narrowed_by_the_view_and_by_words() {
    let world = World::new();
    let (_up, mut web) = stage(&world);
    assert_eq!(names(&listed(&mut web, "?servers=up&allow=read")), ["up:look"]);
    let all = listed(&mut web, "");
    assert!(names(&all).contains(&"builtin:Bash") && names(&all).contains(&"up:wipe"), "{all}");
    let (found, total) = (listed(&mut web, "?query=run+a+shell+command&limit=1"), &all["total"]);
    assert_eq!((names(&found), found["total"] != *total), (vec!["builtin:Bash"], true));
    assert!(found["tools"][0]["score"].as_f64().unwrap() < 1.0, "{found}");
    let asked = json!({"query": "write text", "limit": 5});
    let body = json!({"tool_name": "retrieve_tools", "arguments": asked}).to_string();
    let retrieved: Value =
        serde_json::from_str(&web.post("/api/v1/tools/call", &body).body).unwrap();
    let searched = listed(&mut web, "?query=write+text&limit=5");
    let order = |list: &Value| {
        let tools = list["tools"].as_array().unwrap().clone();
        tools.into_iter().map(|tool| (tool["name"].clone(), tool["score"].clone())).collect()
    };
    let (one, other): (Vec<_>, Vec<_>) = (order(&searched), order(&retrieved["structuredContent"]));
    assert!(one.len() > 1 && one == other, "{one:?} {other:?}");
}

#[test]
fn what_cannot_be_asked_is_told_with_what_can() {
    let world = World::new();
    let (_up, mut web) = stage(&world);
    for (query, status, code, detail) in [
        ("?servers=nobody", 404, "UNKNOWN_SERVER", "unknown server `nobody`: there are builtin"),
        ("?servers=", 400, "INVALID_REQUEST", "`servers` must be names of servers"),
        ("?allow=all", 400, "INVALID_REQUEST", "`allow` must be read, write or destructive"),
        ("?limit=0", 400, "INVALID_REQUEST", "`limit` must be a number from 1 to 100"),
        ("?query=+", 400, "INVALID_REQUEST", "`query` must be a few words"),
        (
            "?q=x",
            400,
            "INVALID_REQUEST",
            "unknown parameter `q`: there are `servers`, `allow`, `query`",
        ),
    ] {
        let reply = web.get(&format!("/api/v1/tools{query}"));
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(problem["code"], code, "{problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
    }
}
