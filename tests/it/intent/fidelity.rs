//! What passes through stays as it was, byte for byte: results, arguments, annotations, unknown fields, big numbers.

use serde_json::{json, value::RawValue};

use crate::{
    intent::{
        stage::{Upstream, in_order, settings},
        web::Web,
    },
    world::World,
};

/// Results that a careless proxy would alter.
const RESULTS: [(&str, &str); 8] = [
    (
        "image",
        r#"{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png","annotations":{"audience":["user"], "priority":0.10}}]}"#,
    ),
    (
        "audio",
        r#"{"content":[{"data":"UklGRiYAAABXQVZF","mimeType":"audio/wav","type":"audio"}],"isError":false}"#,
    ),
    (
        "resource",
        r#"{"content":[{"type":"resource","resource":{"uri":"file:///a%20b","mimeType":"text/plain","text":"x\u0000y","size":1e3}}]}"#,
    ),
    (
        "unknown",
        r#"{"content":[{"type":"hologram","depth":12345678901234567890123,"layers":[1.10, 2.50]}],"vendor/extra":{"b":1, "a":2}}"#,
    ),
    (
        "structured",
        r#"{"content":[],"structuredContent":{"big":9007199254740993,"order":{"z":1,"a":2},"float":1.10,"e":1E400}}"#,
    ),
    ("escapes", r#"{"content":[{"type":"text","text":"\u00e9 é \ud83d\ude00 \/ \u2028"}]}"#),
    (
        "meta",
        r#"{"content":[{"type":"text","text":"m"}],"_meta":{"vendor.example/trace":[1,2 ,3]}}"#,
    ),
    (
        "failure",
        r#"{"content":[{"type":"text","text":"no such repo"}],"isError":true,"structuredContent":{"n":-9223372036854775809}}"#,
    ),
];

/// Annotations and further fields that nobody here knows.
const VENDOR: &str = r#"{"readOnlyHint":true,"title":"T\u00e9st","vendor/risk":1.10,"x-list":[3,1 ,2],"big":12345678901234567890123}"#;

fn upstream(world: &World) -> Upstream {
    let tools: Vec<String> = RESULTS
        .iter()
        .map(|(name, _)| {
            format!(
                r#"{{"name":"{name}","title":"Title of {name}","description":"gives a result","inputSchema":{{"type":"object","x-vendor":1.10}},"annotations":{VENDOR},"execution":{{"taskSupport":"forbidden"}},"icons":[]}}"#
            )
        })
        .chain([r#"{"name":"echo","description":"echoes","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#.to_owned()])
        .collect();
    let behaviours: Vec<String> =
        RESULTS.iter().map(|(name, result)| format!(r#""{name}":{{"result":{result}}}"#)).collect();
    let script = format!(
        r#"{{"stages":[{{"tools":[{}]}}],"behaviours":{{{}}}}}"#,
        tools.join(","),
        behaviours.join(",")
    );
    Upstream::new(world, "fake", &script)
}

#[test]
fn results_arrive_byte_for_byte_over_mcp_http_and_rest() {
    let world = World::new();
    let upstream = upstream(&world);
    let config = world.config(settings(&[&upstream], &json!({})));
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let mut web = Web::start_mcp(&world, &config);
    for ((name, result), id) in RESULTS.iter().zip(70_000..) {
        let arguments = in_order("call_tool_read", &format!("fake:{name}"), "{}");
        let params = format!(r#"{{"name":"call_tool_read","arguments":{arguments}}}"#);
        gateway.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#
        ));
        let wanted = format!(r#""result":{result}"#);
        let answer = gateway.raw_answer(id);
        assert!(answer.contains(&wanted), "{name} over stdio: {answer}");
        let answer = web.ask("tools/call", &params);
        assert!(answer.contains(&wanted), "{name} over HTTP: {answer}");
        let body = format!(r#"{{"tool_name":"call_tool_read","arguments":{arguments}}}"#);
        let reply = web.post("/api/v1/tools/call", &body);
        assert_eq!((reply.status, reply.body.as_str()), (200, *result), "{name} over REST");
    }
}

#[test]
fn results_arrive_byte_for_byte_on_the_command_line() {
    let world = World::new();
    let upstream = upstream(&world);
    let config = world.config(settings(&[&upstream], &json!({})));
    for (name, result) in RESULTS {
        let tool = format!("fake:{name}");
        let output = world.awf([
            "call",
            "tool-read",
            &tool,
            "-o",
            "json",
            "--config",
            config.to_str().unwrap(),
        ]);
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), result);
        let code = if name == "failure" { 3 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{name}");
    }
}

#[test]
fn arguments_arrive_byte_for_byte() {
    let world = World::new();
    let upstream = upstream(&world);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let mut web = Web::start(&world, &world.config(settings(&[&upstream], &json!({}))));
    let raw = [
        r#"{"b":1, "a":[1 ,2]}"#,
        r#"{"big":123456789012345678901234567890,"small":-9223372036854775809}"#,
        r#"{"f":1.10,"e":1E5,"z":-0.0}"#,
        r#"{"text":"$(id) `x` \u0000 \ud83d\ude00 é \/"}"#,
        r#"{"_meta":{"x":1},"name":"other:tool","intent":{"operation_type":"destructive"}}"#,
    ];
    for (args, id) in raw.iter().zip(80_000..) {
        let arguments = in_order("call_tool_read", "fake:echo", args);
        gateway.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"call_tool_read","arguments":{arguments}}}}}"#
        ));
        let answer = gateway.raw_answer(id);
        let echoed = format!(r#""structuredContent":{{"echo":{args}}}"#);
        assert!(answer.contains(&echoed), "{args}: {answer}");
        let body = format!(r#"{{"tool_name":"call_tool_read","arguments":{arguments}}}"#);
        let reply = web.post("/api/v1/tools/call", &body);
        assert!(reply.body.contains(&echoed), "{args}: {}", reply.body);
        let as_text = format!(
            r#"{{"name":"fake:echo","args_json":{},"intent":{{"operation_type":"read"}}}}"#,
            json!(args)
        );
        let id = id + 1000;
        gateway.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"call_tool_read","arguments":{as_text}}}}}"#
        ));
        let answer = gateway.raw_answer(id);
        assert!(answer.contains(&echoed), "{args} as args_json: {answer}");
    }
    let received: Vec<String> = upstream.calls().into_iter().map(|(_, args)| args).collect();
    let expected: Vec<&str> = raw.iter().flat_map(|args| [*args; 3]).collect();
    assert_eq!(received, expected);
}

/// A warning goes into `_meta`; everything else stays as it was.
#[test]
fn a_warning_alters_nothing_but_the_meta() {
    let world = World::new();
    let script = r#"{"stages":[{"tools":[{"name":"make","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}]}],
        "behaviours":{"make":{"result":{"content":[{"type":"hologram","n":12345678901234567890123}],"x":1.10,"_meta":{"vendor":1.10}}}}}"#;
    let upstream = Upstream::new(&world, "fake", script);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let arguments = in_order("call_tool_read", "fake:make", "{}");
    gateway.line(&format!(
        r#"{{"jsonrpc":"2.0","id":90001,"method":"tools/call","params":{{"name":"call_tool_read","arguments":{arguments}}}}}"#
    ));
    let answer = gateway.raw_answer(90_001);
    for part in [
        r#""content":[{"type":"hologram","n":12345678901234567890123}]"#,
        r#""x":1.10"#,
        r#""vendor":1.10"#,
        "UNDERSTATED_INTENT",
    ] {
        assert!(answer.contains(part), "no {part} in {answer}");
    }
}

#[test]
fn annotations_and_schemas_are_found_as_the_server_wrote_them() {
    let world = World::new();
    let upstream = upstream(&world);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    gateway.line(
        r#"{"jsonrpc":"2.0","id":90002,"method":"tools/call","params":{"name":"retrieve_tools","arguments":{"query":"gives a result","limit":100}}}"#,
    );
    let answer = gateway.raw_answer(90_002);
    let structured = answer.split(r#""structuredContent":"#).nth(1).unwrap();
    assert_eq!(structured.matches(VENDOR).count(), RESULTS.len(), "{structured}");
    let schema = r#""inputSchema":{"type":"object","x-vendor":1.10}"#;
    assert_eq!(structured.matches(schema).count(), RESULTS.len(), "{structured}");
}

#[derive(serde::Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    result: Listed<'a>,
}
#[derive(serde::Deserialize)]
struct Listed<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}

#[test]
fn a_direct_surface_lists_the_tool_as_it_is_but_for_its_name() {
    let world = World::new();
    let upstream = upstream(&world);
    let further = json!({"intercept_builtins": false});
    let mut server = world.serve_with(settings(&[&upstream], &further));
    server.line(r#"{"jsonrpc":"2.0","id":90003,"method":"tools/list","params":{}}"#);
    let answer = server.raw_answer(90_003);
    let answer: Answer<'_> = serde_json::from_str(&answer).unwrap();
    let image = answer.result.tools.iter().find(|tool| tool.get().contains(r#""fake_image""#));
    let image = image.unwrap().get();
    for part in [
        VENDOR,
        r#""execution":{"taskSupport":"forbidden"}"#,
        r#""icons":[]"#,
        r#""inputSchema":{"type":"object","x-vendor":1.10}"#,
    ] {
        assert!(image.contains(part), "no {part} in {image}");
    }
}
