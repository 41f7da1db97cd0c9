//! What an agent finds: the four tools as they are offered, and what `retrieve_tools` says of the others.

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, code, settings, tool},
        web::Web,
    },
    plugin::binary,
    server::{Server, failed, text},
    world::World,
};

const GITHUB: [&str; 4] = [
    r#"{"name":"delete_repo","description":"Delete a GitHub repository","inputSchema":{"type":"object","properties":{"repo":{"type":"string"}}},"annotations":{"readOnlyHint":false,"destructiveHint":true}}"#,
    r#"{"name":"list_repos","description":"List the repositories of an organisation","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#,
    r#"{"name":"create_issue","description":"Create an issue in a repository","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}"#,
    r#"{"name":"star_repository","description":"Star a repository","inputSchema":{"type":"object"}}"#,
];

fn found(gateway: &mut Server, arguments: &Value) -> Value {
    let result = gateway.call("retrieve_tools", arguments);
    assert!(!failed(&result), "{result}");
    let shown: Value = serde_json::from_str(text(&result)).unwrap();
    assert_eq!(shown, result["structuredContent"], "text and structured content differ");
    shown
}

fn entry<'f>(found: &'f Value, name: &str) -> &'f Value {
    let tools = found["tools"].as_array().unwrap();
    let entry = tools.iter().find(|tool| tool["name"] == name);
    entry.unwrap_or_else(|| panic!("no {name} in {found}"))
}

#[test]
fn an_answer_has_every_field_of_the_specification() {
    let world = World::new();
    let upstream = Upstream::of_tools(&world, "github", &GITHUB);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let found = found(&mut gateway, &json!({"query": "repository"}));
    assert_eq!(found["query"], "repository");
    let tools = found["tools"].as_array().unwrap();
    assert!(found["total"].as_u64().unwrap() >= tools.len() as u64, "{found}");
    let expected = [
        (
            "github:delete_repo",
            json!({"readOnlyHint": false, "destructiveHint": true}),
            "call_tool_destructive",
        ),
        ("github:list_repos", json!({"readOnlyHint": true}), "call_tool_read"),
        ("github:create_issue", json!({"readOnlyHint": false}), "call_tool_write"),
        ("github:star_repository", json!({}), "call_tool_write"),
    ];
    for (name, annotations, call_with) in expected {
        let entry = entry(&found, name);
        assert_eq!(entry["server"], "github", "{entry}");
        assert_eq!(entry["annotations"], annotations, "{entry}");
        assert_eq!(entry["call_with"], call_with, "{entry}");
        let description = entry["description"].as_str().unwrap();
        assert!(description.ends_with(&format!("Call it with {call_with}.")), "{entry}");
        assert!(entry["inputSchema"].is_object(), "{entry}");
        let score = entry["score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&score), "{entry}");
    }
    let advice = found["usage_instructions"].as_str().unwrap();
    for part in [
        "Use call_tool_read for read-only operations",
        "call_tool_write for modifications",
        "call_tool_destructive for deletions",
        "Intent must match tool variant",
    ] {
        assert!(advice.contains(part), "no `{part}` in {advice}");
    }
}

#[test]
fn the_same_question_has_the_same_answer_over_every_surface() {
    let world = World::new();
    let upstream = Upstream::of_tools(&world, "github", &GITHUB);
    let arguments = json!({"query": "delete a repository", "limit": 3});
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let first = found(&mut gateway, &arguments);
    assert_eq!(first["tools"][0]["name"], "github:delete_repo", "{first}");
    assert_eq!(found(&mut gateway, &arguments), first);
    gateway.close();
    let mut web = Web::start_mcp(&world, &world.config(settings(&[&upstream], &json!({}))));
    let params = json!({"name": "retrieve_tools", "arguments": arguments}).to_string();
    let answer: Value = serde_json::from_str(&web.ask("tools/call", &params)).unwrap();
    assert_eq!(answer["result"]["structuredContent"], first);
    let body = json!({"tool_name": "retrieve_tools", "arguments": arguments}).to_string();
    let reply = web.post("/api/v1/tools/call", &body);
    let answer: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!((reply.status, &answer["structuredContent"]), (200, &first));
}

#[test]
fn compact_leaves_out_schemas_and_keeps_what_a_call_needs() {
    let world = World::new();
    let upstream = Upstream::of_tools(&world, "github", &GITHUB);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let found = found(&mut gateway, &json!({"query": "delete repository", "detail": "compact"}));
    let entry = entry(&found, "github:delete_repo");
    assert_eq!(entry["call_with"], "call_tool_destructive");
    assert_eq!(entry["annotations"]["destructiveHint"], true);
    assert!(entry.get("inputSchema").is_none(), "{entry}");
    let wrong = gateway.call("retrieve_tools", &json!({"query": "x", "detail": "tiny"}));
    assert_eq!(code(&wrong), "INVALID_ARGUMENTS");
}

#[test]
fn limits_hold_and_their_bounds_are_told() {
    let world = World::new();
    let tools: Vec<String> =
        (0..130).map(|number| tool(&format!("repeat_{number}"), "-")).collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let upstream = Upstream::of_tools(&world, "many", &tools);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let count = |found: &Value| found["tools"].as_array().unwrap().len();
    let first = found(&mut gateway, &json!({"query": "repeat"}));
    assert_eq!((count(&first), &first["total"]), (15, &json!(130)));
    assert_eq!(count(&found(&mut gateway, &json!({"query": "repeat", "limit": 1}))), 1);
    assert_eq!(count(&found(&mut gateway, &json!({"query": "repeat", "limit": 100}))), 100);
    for limit in [json!(0), json!(101), json!(-1), json!("5"), json!(1.5)] {
        let wrong = gateway.call("retrieve_tools", &json!({"query": "repeat", "limit": limit}));
        assert_eq!(code(&wrong), "INVALID_ARGUMENTS", "{limit}");
    }
    let wrong = gateway.call("retrieve_tools", &json!({}));
    assert_eq!(code(&wrong), "INVALID_ARGUMENTS");
}

#[test]
fn filters_stand_in_the_query() {
    let world = World::new();
    let github = Upstream::of_tools(&world, "github", &GITHUB);
    let other = tool("list_repos", r#"{"readOnlyHint":true}"#);
    let gitlab = Upstream::of_tools(&world, "gitlab", &[&other]);
    let mut gateway = world.gateway(&[&github, &gitlab], &json!({}));
    let only = found(&mut gateway, &json!({"query": "server:gitlab list repos"}));
    let servers: Vec<_> =
        only["tools"].as_array().unwrap().iter().map(|tool| &tool["server"]).collect();
    assert_eq!(servers, [&json!("gitlab")], "{only}");
}

#[test]
fn built_ins_and_plugin_operations_are_found_and_called() {
    let world = World::new();
    world.declare(&[json!({"name": "example", "path": binary("awf-plugin-example")})]);
    world.file("f.txt", "hello\n");
    let upstream = Upstream::of_tools(&world, "github", &GITHUB);
    world.write_user(&settings(&[&upstream], &json!({})));
    let mut gateway = Server::start(world.by_user(&["mcp", "serve"]));
    gateway.handshake();
    let read = found(&mut gateway, &json!({"query": "read a file", "limit": 100}));
    assert_eq!(entry(&read, "builtin:Read")["call_with"], "call_tool_read");
    let greet = found(&mut gateway, &json!({"query": "greet", "limit": 100}));
    assert_eq!(entry(&greet, "example:greet")["server"], "example");
    let content = gateway.through("call_tool_read", "builtin:Read", &json!({"file_path": "f.txt"}));
    assert!(text(&content).contains("hello"), "{content}");
    let content = gateway.through("call_tool_read", "Read", &json!({"file_path": "f.txt"}));
    assert!(text(&content).contains("hello"), "a bare name of a built-in: {content}");
    let greeted = gateway.through("call_tool_read", "example:greet", &json!({"name": "Ada"}));
    assert_eq!(text(&greeted), "Good day, Ada.");
    let listed = gateway.through("call_tool_read", "github:list_repos", &json!({}));
    assert!(!failed(&listed), "{listed}");
    gateway.close();
}

#[test]
fn a_server_that_cannot_be_asked_is_named_and_the_others_are_found() {
    let world = World::new();
    let upstream = Upstream::of_tools(&world, "github", &GITHUB);
    let script = r#"{"stages":[],"start":{"stderr":"no licence\n","exit":3}}"#;
    let broken = Upstream::new(&world, "broken", script);
    let mut gateway = world.gateway(&[&upstream, &broken], &json!({}));
    let found = found(&mut gateway, &json!({"query": "delete repository"}));
    entry(&found, "github:delete_repo");
    let unavailable = found["unavailable"].as_array().unwrap();
    assert_eq!(unavailable.len(), 1, "{found}");
    assert_eq!(unavailable[0]["server"], "broken");
    assert!(unavailable[0]["reason"].as_str().unwrap().contains("no licence"), "{found}");
}

fn tools_for(world: &World, client: &str, policy: &Value) -> Vec<Value> {
    let upstream = Upstream::of_tools(world, "github", &GITHUB);
    let config = world.config(settings(&[&upstream], &json!({"intent_declaration": policy})));
    let mut server =
        Server::start(world.command(["mcp", "serve", "--config", config.to_str().unwrap()]));
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"}});
    server.request("initialize", &hello);
    server.notify("notifications/initialized", &json!({}));
    let listed = server.request("tools/list", &json!({}));
    server.close();
    listed["result"]["tools"].as_array().unwrap().clone()
}

fn named<'t>(tools: &'t [Value], name: &str) -> &'t Value {
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn the_four_tools_are_offered_with_annotations_of_their_own() {
    let world = World::new();
    let tools = tools_for(&world, "it", &json!({}));
    let mut names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["call_tool_destructive", "call_tool_read", "call_tool_write", "retrieve_tools"]
    );
    let hints = |name: &str| {
        let annotations = &named(&tools, name)["annotations"];
        (annotations["readOnlyHint"].clone(), annotations["destructiveHint"].clone())
    };
    assert_eq!(hints("retrieve_tools").0, true);
    assert_eq!(hints("call_tool_read").0, true);
    assert_eq!(hints("call_tool_write"), (json!(false), json!(false)));
    assert_eq!(hints("call_tool_destructive"), (json!(false), json!(true)));
}

#[test]
fn descriptions_and_schemas_of_two_key_are_those_of_the_specification() {
    let world = World::new();
    let tools = tools_for(&world, "it", &json!({"mode": "two_key"}));
    let expected = [
        (
            "retrieve_tools",
            "Search for tools across all upstream servers. Results include annotations (readOnlyHint, destructiveHint) and recommended call_with variant. Use call_tool_read for read-only operations, call_tool_write for modifications, call_tool_destructive for deletions. Intent must match tool variant.",
        ),
        (
            "call_tool_read",
            "Execute a read-only tool discovered via retrieve_tools. Use for operations that query data without modifying state. Requires intent.operation_type='read'. Will be rejected if server marks tool as destructive.",
        ),
        (
            "call_tool_write",
            "Execute a state-modifying tool discovered via retrieve_tools. Use for operations that create or update resources. Requires intent.operation_type='write'. Will be rejected if server marks tool as destructive.",
        ),
        (
            "call_tool_destructive",
            "Execute a destructive tool discovered via retrieve_tools. Use for operations that delete or permanently modify resources. Requires intent.operation_type='destructive'. Most permissive - allowed regardless of server annotations.",
        ),
    ];
    for (name, description) in expected {
        assert_eq!(named(&tools, name)["description"], description);
    }
    for word in ["read", "write", "destructive"] {
        let schema = &named(&tools, &format!("call_tool_{word}"))["inputSchema"];
        assert_eq!(schema["required"], json!(["name", "intent"]), "{schema}");
        let properties = &schema["properties"];
        for key in [
            "name",
            "args",
            "args_json",
            "intent",
            "intent_operation_type",
            "intent_data_sensitivity",
            "intent_reason",
        ] {
            assert!(properties.get(key).is_some(), "no {key} in {schema}");
        }
        assert_eq!(properties["intent"]["required"], json!(["operation_type"]), "{schema}");
        let intent = &properties["intent"]["properties"];
        assert!(intent["operation_type"].to_string().contains(word), "{schema}");
        assert_eq!(
            intent["data_sensitivity"]["enum"],
            json!(["public", "internal", "private", "unknown"]),
            "{schema}"
        );
        assert_eq!(intent["reason"]["maxLength"], 1000, "{schema}");
    }
}

#[test]
fn a_gemini_client_is_asked_for_the_flat_key() {
    let world = World::new();
    let tools = tools_for(&world, "gemini-cli-mcp-client", &json!({}));
    let schema = &named(&tools, "call_tool_read")["inputSchema"];
    assert_eq!(schema["required"], json!(["name", "intent_operation_type"]), "{schema}");
}

#[test]
fn inferred_asks_for_flat_strings_only() {
    let world = World::new();
    let tools = tools_for(&world, "it", &json!({"mode": "inferred"}));
    for word in ["read", "write", "destructive"] {
        let schema = &named(&tools, &format!("call_tool_{word}"))["inputSchema"];
        assert_eq!(schema["required"], json!(["name"]), "{schema}");
        assert!(schema["properties"].get("intent").is_none(), "{schema}");
        for key in ["intent_data_sensitivity", "intent_reason"] {
            assert_eq!(schema["properties"][key]["type"], "string", "{schema}");
        }
    }
    let two_key = tools_for(&world, "it", &json!({}));
    let description = |tools: &[Value]| named(tools, "call_tool_read")["description"].clone();
    assert_ne!(description(&tools), description(&two_key));
}

#[test]
fn a_list_of_tools_does_not_grow_with_the_servers() {
    let world = World::new();
    let few = tools_for(&world, "it", &json!({}));
    let tools: Vec<String> = (0..500).map(|number| tool(&format!("t{number}"), "-")).collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let upstream = Upstream::of_tools(&world, "many", &tools);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let listed = gateway.request("tools/list", &json!({}));
    assert_eq!(listed["result"]["tools"], json!(few));
    assert_eq!(upstream.lists(), 0, "nothing is started to list the four");
}
