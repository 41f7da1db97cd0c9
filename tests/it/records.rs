//! Every way in, every way out: each surface makes calls that go well, fail, are refused and are interrupted, and each leaves
//! one whole record. What a surface puts into its records, and what becomes of each call, is said as data.

use serde_json::{Value, json};

use crate::{
    intent::{
        Web,
        stage::{Upstream, settings, tool},
    },
    world::World,
};

mod surfaces;

/// A way in, and what its records say of it.
struct Surface {
    name: &'static str,
    source: &'static str,
    /// `"<run>"` where its calls belong to a run.
    run: Value,
    step: Value,
    session: Value,
    client: Value,
    calls: &'static [Call],
    play: fn(&World, &Upstream, &Self),
}

/// A call of a tool of the server `fake`, and what must become of it.
struct Call {
    case: &'static str,
    tool: &'static str,
    /// The variant's word; empty for a call by name.
    variant: &'static str,
    /// What is stated beside a variant, as JSON.
    intent: &'static str,
    status: &'static str,
    /// Operation and origin on record; empty where there is none to tell.
    kept: (&'static str, &'static str),
    /// The code of the refusal.
    code: &'static str,
    error: &'static str,
}

const fn call(case: &'static str, tool: &'static str, status: &'static str) -> Call {
    Call {
        case,
        tool,
        variant: "",
        intent: "",
        status,
        kept: ("read", "derived"),
        code: "",
        error: "",
    }
}

impl Call {
    const fn stating(self, variant: &'static str, intent: &'static str) -> Self {
        Self { variant, intent, ..self }
    }

    const fn kept(self, operation: &'static str, origin: &'static str) -> Self {
        Self { kept: (operation, origin), ..self }
    }

    const fn saying(self, code: &'static str, error: &'static str) -> Self {
        Self { code, error, ..self }
    }

    fn arguments(&self, surface: &Surface) -> Value {
        json!({"from": surface.name, "case": self.case})
    }

    /// The arguments of the variant it is called through.
    fn stated(&self, surface: &Surface) -> Value {
        let mut stated =
            json!({"name": format!("fake:{}", self.tool), "args": self.arguments(surface)});
        if !self.intent.is_empty() {
            stated["intent"] = serde_json::from_str(self.intent).unwrap();
        }
        stated
    }
}

const READ: &str = r#"{"operation_type":"read","data_sensitivity":"internal","reason":"to see"}"#;
const DESTROY: &str =
    r#"{"operation_type":"destructive","data_sensitivity":"internal","reason":"to see"}"#;

/// Calls by name: awf derives what they do, and the ceiling refuses.
const BY_NAME: [Call; 5] = [
    call("goes", "look", "success"),
    call("fails", "fail", "error").saying("", "boom"),
    call("refused", "wipe", "denied")
        .kept("destructive", "derived")
        .saying("ABOVE_CEILING", "Tool 'fake_wipe' is above `tools.allow: write`"),
    call("unknown", "nothing", "denied").kept("", "").saying(
        "UNKNOWN_TOOL",
        "Unknown tool 'fake_nothing': did you mean 'fake_fail' or 'fake_look' or 'fake_stuck'?",
    ),
    call("interrupted", "stuck", "interrupted").saying("", "the call was cancelled"),
];

/// Calls through a variant.
const STATED: [Call; 7] = [
    call("goes", "look", "success").stating("read", READ).kept("read", "nested"),
    call("destroys", "wipe", "success")
        .stating("destructive", DESTROY)
        .kept("destructive", "nested"),
    call("fails", "fail", "error").stating("read", READ).kept("read", "nested").saying("", "boom"),
    call("mismatch", "wipe", "denied")
        .stating("destructive", READ)
        .kept("destructive", "inferred")
        .saying(
            "INTENT_MISMATCH",
            "Intent mismatch: tool is call_tool_destructive but intent declares read",
        ),
    call("unstated", "wipe", "denied")
        .stating("destructive", "")
        .kept("destructive", "inferred")
        .saying("MISSING_INTENT", "intent parameter is required for call_tool_destructive"),
    call("understated", "wipe", "denied").stating("read", READ).kept("read", "nested").saying(
        "SERVER_MISMATCH",
        "Tool 'fake:wipe' is marked destructive by server, use call_tool_destructive",
    ),
    call("interrupted", "stuck", "interrupted")
        .stating("read", READ)
        .kept("read", "nested")
        .saying("", "the call was cancelled"),
];

/// Calls at the terminal, where awf states the operation itself. A reason of more than 1000 characters is too long.
const TYPED: [Call; 6] = [
    call("goes", "look", "success").stating("read", READ).kept("read", "nested"),
    call("destroys", "wipe", "success")
        .stating("destructive", DESTROY)
        .kept("destructive", "nested"),
    call("fails", "fail", "error").stating("read", READ).kept("read", "nested").saying("", "boom"),
    call("too long", "wipe", "denied")
        .stating("destructive", DESTROY)
        .kept("destructive", "nested")
        .saying("REASON_TOO_LONG", "intent.reason exceeds maximum length of 1000 characters"),
    call("understated", "wipe", "denied").stating("read", READ).kept("read", "nested").saying(
        "SERVER_MISMATCH",
        "Tool 'fake:wipe' is marked destructive by server, use call_tool_destructive",
    ),
    call("interrupted", "stuck", "interrupted")
        .stating("read", READ)
        .kept("read", "nested")
        .saying("", "the call was cancelled"),
];

/// The server that all of them call.
fn fake(world: &World) -> Upstream {
    let tools = [
        tool("look", r#"{"readOnlyHint":true}"#),
        tool("fail", r#"{"readOnlyHint":true}"#),
        tool("stuck", r#"{"readOnlyHint":true}"#),
        tool("wipe", r#"{"destructiveHint":true}"#),
    ];
    let script = format!(
        r#"{{"stages":[{{"tools":[{}]}}],"behaviours":{{"fail":{{"error":"boom"}},"stuck":"hang"}}}}"#,
        tools.join(",")
    );
    Upstream::new(world, "fake", &script)
}

/// What the record of a call must be, from the first key to the last. `<…>` stands for any value of that kind.
fn expected(surface: &Surface, call: &Call) -> Value {
    let arguments = call.arguments(surface);
    let response = match (call.status, call.variant) {
        ("success", _) => json!({
            "content": [{"type": "text", "text": arguments.to_string()}],
            "structuredContent": {"echo": arguments},
        }),
        ("error", _) => json!({"content": [{"type": "text", "text": "boom"}], "isError": true}),
        ("denied", "") | ("interrupted", _) => Value::Null,
        ("denied", variant) => json!({
            "content": [{"type": "text", "text": "<text>"}],
            "structuredContent": {
                "code": call.code, "message": "<text>", "request_id": "<id>",
                "details": {"tool": "fake:wipe", "tool_variant": format!("call_tool_{variant}")},
            },
            "isError": true,
        }),
        (other, _) => panic!("no status {other}"),
    };
    let error = if call.error.is_empty() { Value::Null } else { json!(call.error) };
    let server = if call.kept.0.is_empty() { "" } else { "fake" };
    let tool = if server.is_empty() { format!("fake_{}", call.tool) } else { call.tool.to_owned() };
    json!({
        "id": "<id>", "type": "tool_call", "source": surface.source, "server_name": server,
        "tool_name": tool, "status": call.status, "duration_ms": "<number>",
        "timestamp": "<time>", "request_id": "<id>", "run_id": surface.run, "step": surface.step,
        "session_id": surface.session, "client": surface.client, "arguments": arguments,
        "response": response, "response_truncated": false, "error_message": error,
        "trace_id": null, "metadata": metadata(call),
    })
}

fn metadata(call: &Call) -> Value {
    let mut metadata = json!({"decision": {"outcome": "allow"}, "warnings": []});
    if !call.code.is_empty() {
        metadata["decision"] = json!({"outcome": "deny", "code": call.code});
    }
    if !call.variant.is_empty() {
        metadata["tool_variant"] = json!(format!("call_tool_{}", call.variant));
    }
    let (operation, origin) = call.kept;
    if !operation.is_empty() {
        metadata["intent"] = json!({"operation_type": operation, "origin": origin});
    }
    if call.intent.contains("reason") {
        metadata["intent"]["data_sensitivity"] = json!("internal");
        metadata["intent"]["reason"] =
            json!(surfaces::reason(call).chars().take(1000).collect::<String>());
    }
    metadata
}

/// Every place where a record is not as expected.
fn differences(at: &str, said: &Value, expected: &Value) -> Vec<String> {
    match (said, expected) {
        (Value::Object(said), Value::Object(expected)) => {
            let mut keys: Vec<&String> = said.keys().chain(expected.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            let none = json!("<no such key>");
            let value = |map: &serde_json::Map<String, Value>, key| {
                map.get(key).cloned().unwrap_or(none.clone())
            };
            keys.iter()
                .flat_map(|key| {
                    differences(&format!("{at}.{key}"), &value(said, *key), &value(expected, *key))
                })
                .collect()
        }
        (Value::Array(said), Value::Array(expected)) if said.len() == expected.len() => said
            .iter()
            .zip(expected)
            .flat_map(|(said, expected)| differences(at, said, expected))
            .collect(),
        _ if is_of(said, expected) => Vec::new(),
        _ => vec![format!("{at}: {said}, expected {expected}")],
    }
}

fn is_of(said: &Value, expected: &Value) -> bool {
    let text = said.as_str().unwrap_or_default();
    match expected.as_str() {
        Some("<id>" | "<run>") => {
            text.len() == 26 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }
        Some("<time>") => text.len() == 24 && text.starts_with("20") && text.ends_with('Z'),
        Some("<text>") => !text.is_empty(),
        Some("<number>") => said.is_u64(),
        Some(_) | None => said == expected,
    }
}

/// Surface and case of a record.
fn told(record: &Value) -> String {
    let word = |key: &str| record["arguments"][key].as_str().unwrap_or("?").to_owned();
    format!("{}: {}", word("from"), word("case"))
}

#[test]
fn every_surface_leaves_whole_records_of_every_kind_of_end() {
    let world = World::new();
    let fake = fake(&world);
    let surfaces = surfaces::all();
    for surface in &surfaces {
        (surface.play)(&world, &fake, surface);
    }
    let records = world.activity();
    let calls: Vec<(&Surface, &Call)> = surfaces
        .iter()
        .flat_map(|surface| surface.calls.iter().map(move |call| (surface, call)))
        .collect();
    let mut wrong = Vec::new();
    for (surface, call) in &calls {
        let name = format!("{}: {}", surface.name, call.case);
        let found: Vec<&Value> = records.iter().filter(|record| told(record) == name).collect();
        match found[..] {
            [record] => wrong.extend(differences(&name, record, &expected(surface, call))),
            _ => wrong.push(format!("{name}: {} records", found.len())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(records.len(), calls.len());
    let refused = |surface: &Surface, call: &Call| {
        (call.status == "denied" && call.kept.0 == "destructive")
            .then(|| format!("{}: {}", surface.name, call.case))
    };
    let mut refused: Vec<String> =
        calls.iter().filter_map(|(surface, call)| refused(surface, call)).collect();
    refused.sort_unstable();
    assert!(refused.len() > surfaces.len(), "{refused:?}");
    assert_eq!(found(&over_rest(&world, &fake)), refused, "over REST");
    let filter = ["--intent-type", "destructive", "--status", "denied", "-o", "json", "-n", "100"];
    let page = world.awf_json([&["activity", "list"][..], &filter].concat());
    assert_eq!(found(&page), refused, "on the command line");
}

fn over_rest(world: &World, fake: &Upstream) -> Value {
    let mut web = Web::start(world, &world.config(settings(&[fake], &json!({}))));
    let reply = web.get("/api/v1/activity?intent_type=destructive&status=denied&limit=100");
    assert_eq!(reply.status, 200, "{}", reply.body);
    serde_json::from_str(&reply.body).unwrap()
}

fn found(page: &Value) -> Vec<String> {
    assert_eq!(page["next_cursor"], Value::Null);
    let mut found: Vec<String> = page["activities"].as_array().unwrap().iter().map(told).collect();
    found.sort_unstable();
    found
}
