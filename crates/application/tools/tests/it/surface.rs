//! The intent surface: what reaches the tools, what is refused first, and what is on record.

use std::sync::Arc;

use awf_core::{
    ActivityEvent, CallEnded, CallStarted, Class, Exposure, IntentPolicy, Naming, Operation,
    Origin, Outcome, RawJson, Redactor, RefusalCode, Standing, Status, ToolCall, ToolDefinition,
    ToolFailure, ToolProvider, ToolSource, TwoKeyValidator, Variant,
};
use awf_tools::{IntentSurface, Ports, ToolRouter, TraceLink};
use serde_json::{Value, json};

use crate::{
    fakes::{FakeLog, FakeProvider, direct},
    live_source::{LiveSource, Next},
};

struct House {
    surface: IntentSurface,
    log: Arc<FakeLog>,
    up: Arc<LiveSource>,
}

async fn house_over(sources: Vec<Arc<dyn ToolProvider>>, up: Arc<LiveSource>) -> House {
    let log = Arc::new(FakeLog::default());
    let policy = IntentPolicy::default();
    let ports = Ports {
        validator: Arc::new(TwoKeyValidator::new(policy)),
        log: Some(log.clone()),
        redactor: Redactor::new([""; 0]),
        trace: TraceLink::default(),
    };
    let exposure = Exposure { naming: Naming::ByAddress, ..Exposure::default() };
    let router = ToolRouter::new(sources, exposure, ports).await.unwrap();
    House { surface: IntentSurface::new(Arc::new(router), policy), log, up }
}

/// A server `up` with `look` (reads, wants a number `n`) and `wipe` (destroys).
async fn house() -> House {
    let up = LiveSource::new("up", &[]);
    up.will(Next::List(Some(vec![
        defined(&json!({
            "name": "look",
            "description": "Looks at things",
            "inputSchema": {"type": "object", "properties": {"n": {"type": "number"}}},
            "annotations": {"readOnlyHint": true, "x-vendor": 1},
        })),
        defined(&json!({
            "name": "wipe",
            "description": "Wipes things",
            "inputSchema": {"type": "object"},
            "annotations": {"destructiveHint": true},
        })),
    ])));
    house_over(vec![up.clone()], up).await
}

fn defined(raw: &Value) -> Arc<ToolDefinition> {
    let source = ToolSource::Mcp("up".into());
    Arc::new(ToolDefinition::from_raw(source, raw.clone().into()).unwrap())
}

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall { arguments: arguments.clone().into(), ..direct(name) }
}

fn raw_call(name: &str, arguments: &str) -> ToolCall {
    ToolCall { arguments: RawJson::parse(arguments).unwrap(), ..direct(name) }
}

impl House {
    fn last(&self) -> (CallStarted, CallEnded) {
        match self.log.events.lock().unwrap().as_slice() {
            [.., ActivityEvent::Started(started), ActivityEvent::Ended(ended)] => {
                ((**started).clone(), (**ended).clone())
            }
            other => panic!("no call on record: {other:?}"),
        }
    }

    async fn refused(&self, call: ToolCall) -> RefusalCode {
        let answer = self.surface.judge_and_call(call).await.unwrap();
        assert!(answer.result.is_error());
        let code = answer.refusal.unwrap().code;
        let (started, ended) = self.last();
        assert_eq!((started.outcome, ended.status), (Outcome::Deny(code), Status::Denied));
        code
    }

    async fn found(&self, arguments: &Value) -> Value {
        let result = self.surface.call(call("retrieve_tools", arguments)).await.unwrap();
        let view: Value = serde_json::from_str(result.raw().get()).unwrap();
        let text: Value =
            serde_json::from_str(view["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, view["structuredContent"]);
        text
    }
}

#[tokio::test]
async fn a_call_through_a_variant_reaches_the_tool_with_its_own_arguments() {
    let house = house().await;
    for arguments in [
        r#"{"name":"up:look","args":{"n":1.10},"intent":{"operation_type":"read","reason":"why"}}"#,
        r#"{"name":"up:look","args_json":"{\"n\":1.10}","intent_operation_type":"read","intent_reason":"why"}"#,
    ] {
        let result = house.surface.call(raw_call("call_tool_read", arguments)).await.unwrap();
        assert_eq!(result.first_text().as_deref(), Some(r#"look got {"n":1.10}"#));
        let (started, ended) = house.last();
        assert_eq!((started.server.as_str(), started.tool.as_str()), ("up", "look"));
        assert_eq!(started.variant, Some(Variant(Operation::Read)));
        assert_eq!(started.intent.unwrap().reason.as_deref(), Some("why"));
        assert_eq!(ended.status, Status::Success);
    }
}

#[tokio::test]
async fn the_fixed_order_decides_which_fault_is_told_and_nothing_is_reached() {
    let house = house().await;
    // Every fault at once, mended one by one.
    let mut arguments = json!({
        "name": 7, "args": {"n": "x"}, "args_json": "{} x",
        "intent": 5, "intent_data_sensitivity": "secret", "intent_reason": "r".repeat(1001),
    });
    let steps = [
        (RefusalCode::InvalidName, "name", json!("nowhere:none")),
        (RefusalCode::InvalidIntent, "intent", json!({})),
        (RefusalCode::MissingOperationType, "intent", json!({"operation_type": "look"})),
        (RefusalCode::InvalidOperationType, "intent", json!({"operation_type": "write"})),
        (RefusalCode::InvalidSensitivity, "intent_data_sensitivity", json!("private")),
        (RefusalCode::ReasonTooLong, "intent_reason", json!("short")),
        (
            RefusalCode::IntentMismatch,
            "intent",
            json!({"operation_type": "read", "reason": "other"}),
        ),
        (RefusalCode::IntentConflict, "intent", json!({"operation_type": "read"})),
        (RefusalCode::UnknownServer, "name", json!("up:none")),
        (RefusalCode::UnknownTool, "name", json!("up:wipe")),
        (RefusalCode::ServerMismatch, "name", json!("up:look")),
        (RefusalCode::InvalidArguments, "args_json", Value::Null),
        (RefusalCode::InvalidArguments, "args", json!({"n": 1})),
    ];
    for (code, key, mended) in steps {
        assert_eq!(house.refused(call("call_tool_read", &arguments)).await, code, "{arguments}");
        arguments[key] = mended;
    }
    assert_eq!(LiveSource::count(&house.up.calls), 0);
    house.surface.call(call("call_tool_read", &arguments)).await.unwrap();
    assert_eq!(LiveSource::count(&house.up.calls), 1);
}

#[tokio::test]
async fn approval_comes_before_the_arguments() {
    let house = house().await;
    let look = json!({"name": "look", "inputSchema": {}, "annotations": {"readOnlyHint": true}});
    let source = ToolSource::Mcp("up".into());
    let changed = ToolDefinition::from_raw(source, look.into()).unwrap();
    let changed = changed.judged(Class::Read, Standing::Changed);
    house.up.will(Next::List(Some(vec![Arc::new(changed)])));
    let arguments = json!({"name": "up:look", "args": [], "intent": {"operation_type": "read"}});
    let code = house.refused(call("call_tool_read", &arguments)).await;
    assert_eq!(code, RefusalCode::ToolChanged);
    let found = house.found(&json!({"query": "look"})).await;
    assert_eq!((&found["total"], &found["tools"]), (&json!(0), &json!([])));
    assert_eq!(found["blocked"][0]["name"], "up:look");
    assert_eq!(LiveSource::count(&house.up.calls), 0);
}

#[tokio::test]
async fn wrong_arguments_are_told_with_place_schema_and_variant() {
    let house = house().await;
    for given in [
        r#""args":{"n":"x"}"#,
        r#""args":[1]"#,
        r#""args":{"n":1,"n":2}"#,
        r#""args_json":"{\"n\":1} {}""#,
        r#""args_json":"[]""#,
        r#""args":{},"args_json":"{}""#,
    ] {
        let arguments = format!(r#"{{"name":"up:look",{given},"intent_operation_type":"read"}}"#);
        let call = raw_call("call_tool_read", &arguments);
        let request_id = call.context.request_id.to_string();
        let answer = house.surface.judge_and_call(call).await.unwrap();
        let result: Value = serde_json::from_str(answer.result.raw().get()).unwrap();
        let told = &result["structuredContent"];
        assert_eq!(told["code"], "INVALID_ARGUMENTS", "{given}");
        assert_eq!(told["request_id"], request_id);
        let details = &told["details"];
        assert_eq!(
            (&details["tool"], &details["tool_variant"]),
            (&json!("up:look"), &json!("call_tool_read"))
        );
        assert_eq!(details["schema"]["properties"]["n"]["type"], "number");
        assert_eq!(details["path"], if given.contains("\"x\"") { "/n" } else { "" });
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(told["message"].as_str().unwrap()) && text.contains("\"number\""));
    }
    assert_eq!(LiveSource::count(&house.up.calls), 0);
}

#[tokio::test]
async fn a_schema_that_cannot_be_used_is_a_warning_and_the_call_goes_on() {
    let house = house().await;
    let remote = json!({
        "name": "look",
        "inputSchema": {"$ref": "https://example.com/schema.json"},
        "annotations": {"readOnlyHint": true},
    });
    house.up.will(Next::List(Some(vec![defined(&remote)])));
    let arguments = json!({"name": "up:look", "args": {"n": "x"}, "intent_operation_type": "read"});
    let result = house.surface.call(call("call_tool_read", &arguments)).await.unwrap();
    assert!(!result.is_error() && result.raw().get().contains("UNCHECKED_ARGUMENTS"), "{result:?}");
    assert_eq!(house.last().0.outcome, Outcome::Warn);
    assert_eq!(LiveSource::count(&house.up.calls), 1);
}

#[tokio::test]
async fn names_the_surface_does_not_have_are_unknown_and_recorded() {
    let fixed = FakeProvider::new(ToolSource::Builtin);
    let up = LiveSource::reading("up", &["look"]);
    let house = house_over(vec![fixed.clone(), up.clone()], up).await;
    for name in ["call_tool", "look", "up_look", "up:look", "Read"] {
        let failure = house.surface.judge_and_call(call(name, &json!({}))).await.unwrap_err();
        assert_eq!(failure, ToolFailure::Unknown { name: name.into() });
        let (started, ended) = house.last();
        assert_eq!(started.outcome, Outcome::Deny(RefusalCode::UnknownTool));
        assert_eq!(ended.status, Status::Denied);
    }
    assert_eq!(fixed.calls.load(std::sync::atomic::Ordering::SeqCst), 0);
    assert_eq!(
        house.surface.unknown("call_tool"),
        "Tool 'call_tool' not found. Use call_tool_read, call_tool_write, or call_tool_destructive with matching intent.operation_type. See retrieve_tools for annotations and recommendations."
    );
    assert_eq!(house.surface.unknown("other"), "Unknown tool: other");
}

#[tokio::test]
async fn a_search_asks_all_sources_and_is_on_record() {
    let house = house().await;
    let found = house.found(&json!({"query": "look"})).await;
    assert_eq!((&found["query"], &found["total"]), (&json!("look"), &json!(1)));
    let tool = &found["tools"][0];
    assert_eq!((&tool["name"], &tool["server"]), (&json!("up:look"), &json!("up")));
    assert_eq!(tool["description"], "Looks at things. Call it with call_tool_read.");
    assert_eq!(tool["annotations"], json!({"readOnlyHint": true, "x-vendor": 1}));
    assert_eq!(tool["call_with"], "call_tool_read");
    assert!(tool["inputSchema"]["properties"]["n"].is_object());
    // As many decimals as say something.
    let score = tool["score"].as_f64().unwrap();
    assert!(
        score > 0.0 && score <= 1.0 && tool["score"].to_string().len() <= "0.1234".len(),
        "{tool}"
    );
    assert!(
        found["usage_instructions"].as_str().unwrap().ends_with("Intent must match tool variant.")
    );
    assert!(found.get("unavailable").is_none() && found.get("blocked").is_none());
    let (started, ended) = house.last();
    assert_eq!((started.server.as_str(), started.tool.as_str()), ("awf", "retrieve_tools"));
    let intent = started.intent.unwrap();
    assert_eq!((intent.operation, intent.origin), (Operation::Read, Origin::Derived));
    assert_eq!(ended.status, Status::Success);
}

#[tokio::test]
async fn a_search_tells_which_servers_could_not_be_asked_and_follows_changes() {
    let house = house().await;
    house.found(&json!({"query": "look"})).await;
    house.up.will(Next::List(Some(vec![defined(&json!({"name": "new_look", "inputSchema": {}}))])));
    let found = house.found(&json!({"query": "look", "detail": "compact"})).await;
    assert_eq!(found["tools"][0]["name"], "up:new_look");
    assert_eq!(found["tools"][0]["call_with"], "call_tool_write");
    house.up.will(Next::Fail(ToolFailure::Unavailable("it left".into())));
    let found = house.found(&json!({"query": "look"})).await;
    assert_eq!(found["unavailable"], json!([{"server": "up", "reason": "it left"}]));
}

#[tokio::test]
async fn a_wrong_search_is_refused_with_what_may_be_asked() {
    let house = house().await;
    for arguments in
        [json!({}), json!({"query": "a", "limit": 0}), json!({"query": "a", "detail": 1})]
    {
        let code = house.refused(call("retrieve_tools", &arguments)).await;
        assert_eq!(code, RefusalCode::InvalidArguments);
    }
    assert_eq!(LiveSource::count(&house.up.refreshed), 0);
}

#[tokio::test]
async fn ten_thousand_tools_are_searched_and_called() {
    let names: Vec<String> = (0..10_000).map(|n| format!("tool_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let up = LiveSource::reading("up", &names);
    let house = house_over(vec![up.clone()], up.clone()).await;
    for _ in 0..3 {
        let found = house.found(&json!({"query": "tool_77", "limit": 5})).await;
        assert_eq!(found["tools"][0]["name"], "up:tool_77");
    }
    let arguments = json!({"name": "up:tool_9999", "intent_operation_type": "read"});
    house.surface.call(call("call_tool_read", &arguments)).await.unwrap();
    assert_eq!((LiveSource::count(&up.listed), LiveSource::count(&up.calls)), (2, 1));
    assert_eq!(house.surface.tools().await.unwrap().len(), 4);
}
