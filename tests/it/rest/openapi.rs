//! The served `OpenAPI` document, and the answers of the running binary held against it.

use serde_json::{Value, json};

use crate::{
    intent::{
        Web,
        stage::{Upstream, in_order, settings, tool},
    },
    world::World,
};

/// Every object of ours has the members that are described and no others, so that an answer and its description can only
/// change together. What tools say of themselves is theirs.
fn closed(document: &Value) -> Value {
    let mut components = document["components"].clone();
    for (name, schema) in components["schemas"].as_object_mut().unwrap() {
        if name != "ToolResult" && schema["type"] == "object" {
            schema["additionalProperties"] = json!(false);
        }
    }
    components
}

/// Fails unless `answer` is what the document says of this operation and status.
fn hold(document: &Value, operation: &str, status: u16, answer: &Value) {
    let (method, path) = operation.split_once(' ').unwrap();
    let described = &document["paths"][path][method]["responses"][status.to_string()];
    let content = described["content"]
        .as_object()
        .unwrap_or_else(|| panic!("{operation} {status}: {described}"));
    let mut schema = content.values().next().unwrap()["schema"].clone();
    schema["components"] = closed(document);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(answer)
        .map(|fault| format!("{} at {}", fault, fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{operation} {status}: {faults:?}\n{answer}");
}

fn stage() -> (World, Upstream, Web) {
    let world = World::new();
    world.file("a.txt", "hello\n");
    let hiding =
        r#"{"name":"hiding","description":"nice TAG tool","inputSchema":{"type":"object"}}"#;
    let hiding = hiding.replace("TAG", "\u{E0041}");
    let up =
        Upstream::of_tools(&world, "up", &[&tool("look", r#"{"readOnlyHint":true}"#), &hiding]);
    let web = Web::start(&world, &world.config(settings(&[&up], &json!({}))));
    (world, up, web)
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn both_addresses_give_the_same_document_and_need_the_key() {
    let (_world, _up, mut web) = stage();
    let one = web.get("/api/v1/openapi.json");
    assert_eq!((one.status, one.header("content-type")), (200, Some("application/json")));
    assert_eq!(web.get("/openapi.json").body, one.body);
    let document = json_of(&one.body);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{document}");
    for path in ["/openapi.json", "/api/v1/openapi.json"] {
        assert_eq!(web.raw(&format!("GET {path}"), &[("Host", web.address())], "").status, 401);
        assert_eq!(web.get(&format!("{path}?x=1")).status, 400);
    }
}

#[test]
fn answers_are_what_the_document_says() {
    let (world, _up, mut web) = stage();
    let call = |variant: &str, name: &str, args: &str| {
        let arguments = in_order(variant, name, args);
        format!(r#"{{"tool_name":"{variant}","arguments":{arguments}}}"#)
    };
    let document = json_of(&web.get("/openapi.json").body);
    for (body, status) in [
        (call("call_tool_read", "up:look", "{}"), 200),
        (call("call_tool_read", "builtin:Read", r#"{"file_path":"a.txt"}"#), 200),
        (call("call_tool_read", "builtin:Read", r#"{"file_path":"missing"}"#), 200),
        (call("call_tool_write", "up:look", "{}"), 200),
        (call("call_tool_read", "builtin:Bash", r#"{"command":"true"}"#), 403),
        (call("call_tool_read", "builtin:Read", r#"{"file_path":1}"#), 200),
        (call("call_tool_read", "up:nothing", "{}"), 404),
        (r#"{"tool_name":"call_tool_read","arguments":{"name":"up:look"}}"#.to_owned(), 400),
        (r#"{"tool_name":"retrieve_tools","arguments":{"query":"look"}}"#.to_owned(), 200),
        (r#"{"tool":"x"}"#.to_owned(), 400),
    ] {
        let reply = web.post("/api/v1/tools/call", &body);
        assert_eq!(reply.status, status, "{body}: {}", reply.body);
        hold(&document, "post /api/v1/tools/call", status, &json_of(&reply.body));
    }
    let id = world.activity()[0]["id"].as_str().unwrap().to_owned();
    for (operation, path, status) in [
        ("get /api/v1/activity", "activity?limit=100", 200),
        ("get /api/v1/activity", "activity?limit=1", 200),
        ("get /api/v1/activity", "activity?limit=0", 400),
        ("get /api/v1/activity/{id}", &format!("activity/{id}"), 200),
        ("get /api/v1/activity/{id}", "activity/x", 404),
        ("get /api/v1/activity/summary", "activity/summary", 200),
        ("get /api/v1/activity/summary", "activity/summary?tool=none", 200),
        ("get /api/v1/activity/export", "activity/export?format=xml", 400),
        ("get /api/v1/events", "events?status=started", 400),
        ("get /api/v1/runs", "runs", 200),
        ("get /api/v1/runs/{id}", "runs/x", 404),
        ("get /api/v1/tools", "tools", 200),
        ("get /api/v1/tools", "tools?query=read+a+file", 200),
        ("get /api/v1/tools", "tools?servers=nobody", 404),
        ("get /api/v1/openapi.json", "openapi.json", 200),
    ] {
        let reply = web.get(&format!("/api/v1/{path}"));
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
        hold(&document, operation, status, &json_of(&reply.body));
    }
    let exported = web.get("/api/v1/activity/export");
    assert_eq!(exported.header("content-type"), Some("application/x-ndjson"));
    let record =
        json!({"$ref": "#/components/schemas/ActivityRecord", "components": closed(&document)});
    let record = jsonschema::validator_for(&record).unwrap();
    assert!(exported.body.lines().all(|line| record.is_valid(&json_of(line))), "{}", exported.body);
}

/// A run with a scripted agent, as the API tells it.
#[test]
fn a_run_is_what_the_document_says() {
    let (world, _up, mut web) = stage();
    let demo = world.awf(["demo"]);
    assert!(demo.status.success(), "{}", String::from_utf8_lossy(&demo.stderr));
    let document = json_of(&web.get("/openapi.json").body);
    let page = json_of(&web.get("/api/v1/runs").body);
    hold(&document, "get /api/v1/runs", 200, &page);
    let id = page["runs"][0]["id"].as_str().unwrap_or_else(|| panic!("{page}")).to_owned();
    let run = json_of(&web.get(&format!("/api/v1/runs/{id}")).body);
    assert!(!run["steps"].as_array().unwrap().is_empty(), "{run}");
    hold(&document, "get /api/v1/runs/{id}", 200, &run);
}

/// For a person: every path of the document, no script, and nothing from elsewhere.
#[test]
fn the_page_about_it_names_every_path() {
    let (_world, _up, mut web) = stage();
    let document = json_of(&web.get("/openapi.json").body);
    let page = web.get("/docs");
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(page.body.contains(path.as_str()), "{path}");
    }
    assert!(!page.body.contains("://"), "{}", page.body);
    let stranger = web.raw("GET /docs", &[("Host", web.address())], "");
    assert_eq!(stranger.status, 303, "{}", stranger.body);
}
