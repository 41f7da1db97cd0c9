//! What is refused, in which order, in which words; and that nothing refused ever reaches a server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, code, settings, tool},
        ways::{Case, Expected, Way, by_case, play},
        web::Web,
    },
    server::{failed, text},
    world::World,
};

/// A tool with a schema that says what it wants.
const STRICT: &str = r#"{"name":"strict","description":"takes a title","inputSchema":{"type":"object","properties":{"title":{"type":"string"},"size":{"type":"integer"}},"required":["title"],"additionalProperties":false}}"#;

/// A tool whose description hides a character.
const HIDING: &str =
    r#"{"name":"hiding","description":"harmless\u200b","inputSchema":{"type":"object"}}"#;

fn server(world: &World) -> Upstream {
    let wipes = tool("wipes", r#"{"destructiveHint":true}"#);
    let tools = [&tool("list_repos", r#"{"readOnlyHint":true}"#), &wipes, STRICT, HIDING];
    Upstream::of_tools(world, "github", &tools)
}

/// A call that breaks every rule at once, mended one rule at a time: each rung answers with its own code, and all that is
/// below it is still wrong.
#[test]
fn one_fixed_order_decides_which_fault_is_told() {
    let long = "x".repeat(1001);
    let both = json!({"args": {"size": "large"}, "args_json": "{"});
    let stated = |intent: Value, flat: Value, name: &str| {
        let mut arguments = both.clone();
        arguments["intent"] = intent;
        arguments["intent_operation_type"] = flat;
        if !name.is_empty() {
            arguments["name"] = json!(name);
        }
        arguments
    };
    let all = |operation: Value, sensitivity: &str, reason: &str| json!({"operation_type": operation, "data_sensitivity": sensitivity, "reason": reason});
    let (write, none, nowhere) = (json!("write"), Value::Null, "nowhere:x");
    let good = json!({"operation_type": "read"});
    let rungs = [
        ("INVALID_NAME", stated(json!(7), json!("delete"), "")),
        ("INVALID_NAME", stated(json!(7), json!("delete"), "nowhere")),
        ("INVALID_INTENT", stated(json!(7), json!("delete"), nowhere)),
        (
            "MISSING_OPERATION_TYPE",
            stated(all(none.clone(), "secret", &long), none.clone(), nowhere),
        ),
        (
            "INVALID_OPERATION_TYPE",
            stated(all(json!("delete"), "secret", &long), write.clone(), nowhere),
        ),
        (
            "INVALID_SENSITIVITY",
            stated(all(write.clone(), "secret", &long), json!("read"), nowhere),
        ),
        ("REASON_TOO_LONG", stated(all(write.clone(), "private", &long), json!("read"), nowhere)),
        (
            "INTENT_MISMATCH",
            stated(all(write.clone(), "private", "because"), json!("read"), nowhere),
        ),
        ("INTENT_CONFLICT", stated(good.clone(), write, nowhere)),
        ("UNKNOWN_SERVER", stated(good.clone(), none.clone(), nowhere)),
        ("UNKNOWN_TOOL", stated(good.clone(), none.clone(), "github:nothing")),
        ("SERVER_MISMATCH", stated(good.clone(), none.clone(), "github:wipes")),
        ("TOOL_NOT_APPROVED", stated(good.clone(), none.clone(), "github:hiding")),
        ("INVALID_ARGUMENTS", stated(good, none, "github:strict")),
    ];
    let cases: Vec<Case> = rungs
        .iter()
        .zip(0..)
        .map(|((code, arguments), number)| Case {
            number,
            tool: String::new(),
            label: (*code).to_owned(),
            variant: "call_tool_read".to_owned(),
            arguments: arguments
                .to_string()
                .replace("\"large\"", &format!("\"large\",\"case\":{number}")),
            expected: Expected::Refused {
                code: (*code).to_owned(),
                message: String::new(),
                intent: Value::Null,
            },
        })
        .collect();
    for way in Way::ALL {
        let world = World::new();
        let upstream = server(&world);
        let seen = play(&world, way, (&[&upstream], &json!({})), &cases);
        let codes: Vec<_> = seen.iter().map(|seen| seen.code.clone().unwrap_or_default()).collect();
        let expected: Vec<_> = rungs.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(codes, expected, "{way:?}");
        assert_eq!(upstream.calls(), [], "{way:?}");
        let recorded: Vec<_> = by_case(&world)
            .iter()
            .map(|record| record["metadata"]["decision"]["code"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(recorded, expected, "{way:?}");
    }
}

#[test]
fn a_name_that_is_none_is_told_in_the_words_of_the_specification() {
    let world = World::new();
    let upstream = server(&world);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let intent = json!({"operation_type": "read"});
    for name in [None, Some(json!("")), Some(Value::Null)] {
        let mut arguments = json!({"intent": intent});
        if let Some(name) = &name {
            arguments["name"] = name.clone();
        }
        let refused = gateway.call("call_tool_read", &arguments);
        assert_eq!(text(&refused), "name is required for call_tool_read", "{name:?}");
        assert_eq!(code(&refused), "INVALID_NAME");
    }
    let refused = gateway.call("call_tool_read", &json!({"name": "x", "intent": intent}));
    assert_eq!(text(&refused), "Invalid tool name 'x': use server:tool");
    assert_eq!(upstream.calls(), []);
}

#[test]
fn the_nearest_names_are_told() {
    let world = World::new();
    let upstream = server(&world);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let unknown = gateway.through("call_tool_read", "githup:list_repos", &json!({}));
    assert_eq!(code(&unknown), "UNKNOWN_SERVER");
    assert!(text(&unknown).contains("github"), "{unknown}");
    let unknown = gateway.through("call_tool_read", "github:list_repo", &json!({}));
    assert_eq!(code(&unknown), "UNKNOWN_TOOL");
    assert!(text(&unknown).contains("github:list_repos"), "{unknown}");
    assert_eq!(upstream.calls(), []);
}

#[test]
fn the_old_call_tool_is_gone_and_says_what_to_use() {
    let world = World::new();
    let upstream = server(&world);
    let expected = "Tool 'call_tool' not found. Use call_tool_read, call_tool_write, or call_tool_destructive\nwith matching intent.operation_type. See retrieve_tools for annotations and recommendations.";
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let arguments = json!({"name": "github:list_repos", "args_json": "{}"});
    let id = gateway.send_call("call_tool", &arguments);
    let answer = gateway.answer(id);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(flat(message).contains(&flat(expected)), "{message}");
    let listed = gateway.request("tools/list", &json!({}));
    assert!(!listed.to_string().contains(r#""call_tool""#), "{listed}");
    gateway.close();
    let config = world.config(settings(&[&upstream], &json!({})));
    let mut web = Web::start_mcp(&world, &config);
    let params = json!({"name": "call_tool", "arguments": arguments});
    let answer: Value = serde_json::from_str(&web.ask("tools/call", &params.to_string())).unwrap();
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(
        flat(answer["error"]["message"].as_str().unwrap()).contains(&flat(expected)),
        "{answer}"
    );
    let body = json!({"tool_name": "call_tool", "arguments": arguments}).to_string();
    let reply = web.post("/api/v1/tools/call", &body);
    assert_eq!(reply.status, 404, "{}", reply.body);
    assert!(flat(&reply.body).contains("Tool 'call_tool' not found."), "{}", reply.body);
    assert_eq!(upstream.calls(), []);
}

#[test]
fn arguments_that_cannot_be_read_are_refused() {
    let world = World::new();
    let upstream = server(&world);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let wrong = [
        r#""args":{},"args_json":"{}""#,
        r#""args":[1]"#,
        r#""args":"text""#,
        r#""args":7"#,
        r#""args_json":"[]""#,
        r#""args_json":"{} {}""#,
        r#""args_json":"{\"title\":\"a\"}x""#,
        r#""args_json":"{\"title\":\"a\",\"title\":\"b\"}""#,
        r#""args":{"title":"a","title":"b"}"#,
        r#""args_json":"{\"title\":""#,
        r#""args_json":7"#,
    ];
    for (wrong, id) in wrong.iter().zip(50_000..) {
        let intent = r#""intent":{"operation_type":"write"}"#;
        gateway.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"call_tool_write","arguments":{{"name":"github:strict",{wrong},{intent}}}}}}}"#
        ));
        let answer: Value = serde_json::from_str(&gateway.raw_answer(id)).unwrap();
        assert_eq!(code(&answer["result"]), "INVALID_ARGUMENTS", "{wrong}: {answer}");
    }
    assert_eq!(upstream.calls(), []);
}

#[test]
fn arguments_that_do_not_fit_are_told_with_the_place_and_the_schema() {
    let world = World::new();
    let upstream = server(&world);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let rows = [
        (json!({}), "/title"),
        (json!({"title": 7}), "/title"),
        (json!({"title": "a", "size": "large"}), "/size"),
        (json!({"title": "a", "colour": 1}), "/colour"),
    ];
    for (args, place) in rows {
        let refused = gateway.through("call_tool_write", "github:strict", &args);
        assert_eq!(code(&refused), "INVALID_ARGUMENTS", "{args}");
        assert!(text(&refused).contains(place), "{refused}");
        let shown = refused.to_string();
        assert!(shown.contains("additionalProperties"), "the schema is not told: {shown}");
    }
    assert_eq!(upstream.calls(), []);
    let fits = gateway.through("call_tool_write", "github:strict", &json!({"title": "a"}));
    assert!(!failed(&fits), "{fits}");
    let args_json = json!({"name": "github:strict", "args_json": r#"{"title":"b"}"#, "intent": {"operation_type": "write"}});
    assert!(!failed(&gateway.call("call_tool_write", &args_json)));
    let calls = upstream.calls();
    assert_eq!(calls[0], ("strict".to_owned(), r#"{"title":"a"}"#.to_owned()));
    assert_eq!(calls[1].1, r#"{"title":"b"}"#);
}

#[test]
fn rest_tells_refusals_apart_by_status_and_problem() {
    let world = World::new();
    let upstream = server(&world);
    let mut web = Web::start(&world, &world.config(settings(&[&upstream], &json!({}))));
    let rows = [
        ("github:list_repos", "write", 400, "INTENT_MISMATCH"),
        ("github:wipes", "read", 403, "SERVER_MISMATCH"),
        ("github:hiding", "read", 403, "TOOL_NOT_APPROVED"),
        ("github:nothing", "read", 404, "UNKNOWN_TOOL"),
        ("nowhere:nothing", "read", 404, "UNKNOWN_SERVER"),
        ("github:strict", "read", 400, "INVALID_ARGUMENTS"),
    ];
    for (name, declared, status, code) in rows {
        let arguments =
            json!({"name": name, "args": {"x": 1}, "intent": {"operation_type": declared}});
        let body = json!({"tool_name": "call_tool_read", "arguments": arguments}).to_string();
        let reply = web.post("/api/v1/tools/call", &body);
        assert_eq!(reply.status, status, "{name}: {}", reply.body);
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert!(problem["request_id"].is_string(), "{problem}");
    }
    assert_eq!(upstream.calls(), []);
}

/// A built-in looks at its arguments itself; those of all others are held against the schema before anything is sent.
#[test]
fn arguments_that_do_not_fit_have_the_exit_code_of_who_says_so() {
    let world = World::with_example();
    let upstream = server(&world);
    world.write_user(&settings(&[&upstream], &json!({})));
    for (tool, exit) in [("builtin:Read", 3), ("example:greet", 5), ("github:strict", 5)] {
        let mut command = world.by_user(&["call", "tool-read", tool, "--args", r#"{"x":1}"#]);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(exit), "{tool}: {said}");
    }
    assert_eq!(upstream.calls(), []);
}

/// SC-007 allows 10 ms for each. Not a measure of speed (that is the benchmark's): a decision takes a thousandth of it, and
/// only one that waits for something could take longer.
#[test]
fn a_decision_takes_far_less_than_it_may() {
    const CALLS: u32 = 300;
    let world = World::new();
    let github = server(&world);
    let mut gateway = world.gateway(&[&github], &json!({}));
    // Starts the server, so that only decisions are left to wait for.
    gateway.through("call_tool_read", "github:list_repos", &json!({}));
    let arguments =
        json!({"name": "github:wipes", "args": {}, "intent": {"operation_type": "read"}});
    let begun = Instant::now();
    let sent: Vec<u64> =
        (0..CALLS).map(|_| gateway.send_call("call_tool_read", &arguments)).collect();
    for id in sent {
        assert_eq!(code(&gateway.answer(id)["result"]), "SERVER_MISMATCH");
    }
    assert!(begun.elapsed() < CALLS * Duration::from_millis(10), "{:?}", begun.elapsed());
    assert_eq!(github.calls().len(), 1);
    gateway.close();
}

#[test]
fn a_key_that_nobody_looks_at_stops_the_call_and_says_where_arguments_go() {
    let world = World::new();
    let upstream = Upstream::of_tools(&world, "fake", &[&tool("drop", "{}")]);
    let config = world.config(settings(&[&upstream], &json!({})));
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let mut web = Web::start(&world, &config);
    for key in ["arguments", "params", "id"] {
        let mut arguments =
            json!({"name": "fake:drop", "intent": {"operation_type": "destructive"}});
        arguments[key] = json!({"id": "7"});
        let answer = gateway.call("call_tool_destructive", &arguments);
        let body = json!({"tool_name": "call_tool_destructive", "arguments": arguments});
        let reply = web.post("/api/v1/tools/call", &body.to_string());
        assert_eq!(reply.status, 400, "{}", reply.body);
        for said in [answer.to_string(), reply.body] {
            let wanted = format!("`{key}` is not known beside `name`");
            assert!(said.contains("INVALID_ARGUMENTS") && said.contains(&wanted), "{said}");
            assert!(said.contains("goes into `args`"), "{said}");
        }
    }
    assert_eq!(upstream.calls(), []);
}

#[test]
fn a_call_over_rest_is_an_object() {
    let world = World::new();
    let mut web = Web::start(&world, &world.config(json!({})));
    let call = json!({"name": "builtin:Glob", "args": {"pattern": "*"}, "intent": {"operation_type": "read"}});
    for body in [json!(["call_tool_read", call]), json!([]), json!("call_tool_read")] {
        let reply = web.post("/api/v1/tools/call", &body.to_string());
        assert_eq!(reply.status, 400, "{}", reply.body);
        assert!(reply.body.contains("the body must be `{") && !reply.body.contains("struct"));
    }
    assert_eq!(world.activity(), Vec::<Value>::new());
}
