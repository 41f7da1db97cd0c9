//! What a session promises: every call by every way in belongs to its step, is counted, and ends with it.

use std::sync::{Arc, atomic::Ordering};

use awf_core::{
    ActivityEvent, CallStarted, Ceiling, Code, Exposure, Operation, Outcome, OwnToolEnd,
    OwnToolUse, RawJson, Reach, RefusalCode, Status, StdioAccess, Surface, ToolAccess, ToolCall,
    ToolCalls, ToolSource,
};
use awf_mcp::{Client, ClientError, ToolRequest};
use awf_tools::{CallNews, ProxyError, ProxySettings, SessionRequest, ToolProxyService};
use serde_json::{json, value::to_raw_value};
use tokio_util::sync::CancellationToken;

use crate::{
    fakes::{FakeLog, FakeProvider, direct},
    session_stage::{Sources, Stage, TRACE, config_of, connect},
};

async fn call(client: &Client, name: &str) -> Result<String, ClientError> {
    let arguments = to_raw_value(&json!({"file_path": "a.txt"})).unwrap();
    let request = ToolRequest { name, arguments: &arguments, meta: None };
    let result = client.call_tool(request, &CancellationToken::new()).await;
    result.map(|result| result.get().to_owned())
}

fn started(log: &FakeLog) -> Vec<CallStarted> {
    let events = log.events.lock().unwrap();
    events
        .iter()
        .filter_map(|event| match event {
            ActivityEvent::Started(started) => Some((**started).clone()),
            ActivityEvent::Ended(_) => None,
        })
        .collect()
}

#[tokio::test]
async fn an_agent_is_told_to_start_awf_with_the_file_of_its_session() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    let ToolAccess::Stdio(access) = session.access() else { panic!("not over stdio") };
    let config = config_of(&session);
    assert_eq!(
        access,
        StdioAccess {
            command: "/opt/awf".into(),
            args: vec!["mcp-serve".into(), "--config".into(), config.into()],
            env: Vec::new(),
            reach: Reach::Exclusive,
        }
    );
    session.close().await;
    let mut additive = stage.request("fix");
    additive.proxy.intercept_builtins = false;
    let session = stage.service().open(additive).await.unwrap();
    let ToolAccess::Stdio(access) = session.access() else { panic!("not over stdio") };
    assert_eq!(access.reach, Reach::Additive);
}

#[tokio::test]
async fn a_call_over_the_socket_is_recorded_with_run_step_trace_and_client() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    let client = connect(&session).await;
    assert!(call(&client, "up_look").await.unwrap().contains("look got"));
    let [record] = &started(&stage.log)[..] else { panic!("not one record") };
    assert_eq!((record.run.as_deref(), record.step.as_deref()), (Some("01RUN"), Some("fix")));
    assert_eq!(record.trace_id.as_deref(), TRACE.split('-').nth(1));
    assert_eq!(record.client.as_ref().unwrap().name, "fake-agent");
}

#[tokio::test]
async fn a_call_in_this_process_belongs_to_the_step_too() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    session.router().call(direct("up_look")).await.unwrap();
    let [record] = &started(&stage.log)[..] else { panic!("not one record") };
    assert_eq!((record.run.as_deref(), record.step.as_deref()), (Some("01RUN"), Some("fix")));
    assert_eq!(session.calls(), ToolCalls { made: 1, denied: 0, bypassed: 0 });
}

#[tokio::test]
async fn calls_are_counted_and_told_also_when_no_journal_is_kept() {
    let stage = Stage::new();
    let service = ToolProxyService::new(ProxySettings { log: None, ..stage.settings() });
    let session = service.open(stage.request("fix")).await.unwrap();
    let client = connect(&session).await;
    call(&client, "up_look").await.unwrap();
    call(&client, "nope").await.unwrap_err();
    assert_eq!(session.calls(), ToolCalls { made: 2, denied: 1, bypassed: 0 });
    let news = stage.news.lock().unwrap();
    let [look, nope] = &news[..] else { panic!("not two news: {news:?}") };
    let expected = CallNews {
        server: "up".into(),
        tool: "look".into(),
        operation: Some(Operation::Read),
        outcome: Outcome::Allow,
        status: Status::Success,
        error: None,
        elapsed: look.elapsed,
        subject: "a.txt".into(),
    };
    assert_eq!(*look, expected);
    assert_eq!((nope.outcome, nope.is_error()), (Outcome::Deny(RefusalCode::UnknownTool), true));
}

#[tokio::test]
async fn a_call_the_journal_stops_is_told_as_refused() {
    let stage = Stage::new();
    stage.log.broken.store(true, Ordering::SeqCst);
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    session.router().call(direct("up_wipe")).await.unwrap();
    assert_eq!(session.calls(), ToolCalls { made: 1, denied: 1, bypassed: 0 });
    let outcome = stage.news.lock().unwrap()[0].outcome;
    assert_eq!(outcome, Outcome::Deny(RefusalCode::JournalUnavailable));
}

#[tokio::test]
async fn connections_at_once_and_one_after_the_other_are_all_served() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    assert!(!session.connected() && session.listed() == 0);
    let (first, second) = (connect(&session).await, connect(&session).await);
    assert!(session.connected() && session.listed() == 0);
    assert_eq!(second.list_tools().await.unwrap().len(), 4);
    assert_eq!(session.listed(), 1);
    call(&first, "up_look").await.unwrap();
    call(&second, "up_look").await.unwrap();
    first.close().await;
    call(&connect(&session).await, "up_look").await.unwrap();
    let records = started(&stage.log);
    let sessions: std::collections::HashSet<_> = records.iter().map(|call| &call.session).collect();
    assert_eq!(sessions.len(), 3, "each connection has an id of its own");
}

#[tokio::test]
async fn two_steps_have_separate_sockets_and_records() {
    let stage = Stage::new();
    let service = stage.service();
    let one = service.open(stage.request("one")).await.unwrap();
    let two = service.open(stage.request("two")).await.unwrap();
    call(&connect(&one).await, "up_look").await.unwrap();
    one.close().await;
    call(&connect(&two).await, "up_look").await.unwrap();
    assert_eq!(two.calls(), ToolCalls { made: 1, denied: 0, bypassed: 0 });
    let steps: Vec<_> = started(&stage.log).into_iter().map(|call| call.step.unwrap()).collect();
    assert_eq!(steps, ["one", "two"]);
}

#[tokio::test]
async fn a_tool_used_past_the_session_is_on_record_and_told() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    let seen = |tool: &str, end| OwnToolUse {
        tool: tool.to_owned(),
        arguments: RawJson::parse(r#"{"command":"rm -rf /"}"#).unwrap(),
        end,
    };
    session.bypassed("codex", seen("shell", OwnToolEnd::Ran)).await;
    let no_such = OwnToolEnd::Unavailable("unsupported call: web".to_owned());
    session.bypassed("codex", seen("web", no_such)).await;
    assert_eq!(session.calls(), ToolCalls { made: 1, denied: 1, bypassed: 1 });
    let records = started(&stage.log);
    let told: Vec<_> = records
        .iter()
        .map(|call| (call.server.as_str(), call.tool.as_str(), call.outcome))
        .collect();
    let unknown = Outcome::Deny(RefusalCode::UnknownTool);
    assert_eq!(told, [("codex", "shell", Outcome::Warn), ("codex", "web", unknown)]);
    assert_eq!(records[0].warnings[0].code, "BYPASSED");
    assert_eq!(records[0].step.as_deref(), Some("fix"));
    let statuses: Vec<_> = stage.news.lock().unwrap().iter().map(|news| news.status).collect();
    assert_eq!(statuses, [Status::Bypassed, Status::Denied]);
    assert_eq!(stage.news.lock().unwrap()[0].subject, "rm -rf /");
}

#[tokio::test]
async fn closing_ends_calls_connections_and_sources_and_leaves_no_file() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    let client = Arc::new(connect(&session).await);
    let stuck = tokio::spawn({
        let client = client.clone();
        async move { call(&client, "up_stuck").await }
    });
    while stage.provider.calls.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    session.close().await;
    let answer = stuck.await.unwrap();
    assert!(answer.as_ref().is_ok_and(|text| text.contains("cancelled")), "{answer:?}");
    assert!(matches!(call(&client, "up_look").await, Err(ClientError::Closed)));
    assert_eq!(stage.provider.closed.load(Ordering::SeqCst), 1);
    assert_eq!(stage.left(), Vec::<String>::new());
}

#[tokio::test]
async fn a_session_that_is_dropped_hangs_up_and_leaves_no_file() {
    let stage = Stage::new();
    let session = stage.service().open(stage.request("fix")).await.unwrap();
    let client = connect(&session).await;
    drop(session);
    assert!(matches!(call(&client, "up_look").await, Err(ClientError::Closed)));
    assert_eq!(stage.left(), Vec::<String>::new());
}

#[tokio::test]
async fn a_step_lowers_the_ceiling_and_never_raises_it() {
    let stage = Stage::new();
    let rows = [
        (Operation::Destructive, None, 4),
        (Operation::Destructive, Some(Operation::Read), 3),
        (Operation::Read, Some(Operation::Destructive), 3),
        (Operation::Read, None, 3),
    ];
    for (bound, allow, listed) in rows {
        let exposure = Exposure { ceiling: Ceiling(bound), ..Exposure::default() };
        let service = ToolProxyService::new(ProxySettings { exposure, ..stage.settings() });
        let request = SessionRequest { allow, ..stage.request("fix") };
        let session = service.open(request).await.unwrap();
        assert_eq!(session.router().tools().await.unwrap().len(), listed, "{bound:?} {allow:?}");
        session.close().await;
    }
}

/// What a session that cannot be opened says.
async fn refused(stage: &Stage, sources: Sources, request: SessionRequest) -> ProxyError {
    let settings = ProxySettings { sources: Arc::new(sources), ..stage.settings() };
    let refused = ToolProxyService::new(settings).open(request).await.err().unwrap();
    assert_eq!(stage.left(), Vec::<String>::new(), "something was set up");
    refused
}

#[tokio::test]
async fn names_that_collide_close_what_was_opened_and_set_up_nothing() {
    let stage = Stage::new();
    let twin = FakeProvider::new(ToolSource::Plugin("up".into()));
    let sources = Sources(Ok(vec![stage.provider.clone(), twin.clone()]));
    let error = refused(&stage, sources, stage.request("fix")).await;
    assert_eq!(error.code(), Code::NameCollision, "{error}");
    assert_eq!(twin.closed.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_cannot_be_offered_has_a_code_and_a_reason() {
    let stage = Stage::new();
    let plugins = || Sources(Err("plugins are not supported by this version".into()));
    let error = refused(&stage, plugins(), stage.request("fix")).await;
    assert_eq!(error.code(), Code::ProxyUnavailable);
    assert_eq!(
        error.to_string(),
        "cannot offer tools to step `fix`: plugins are not supported by this version"
    );
    let error = refused(&stage, Sources(Ok(Vec::new())), stage.request("fix")).await;
    assert_eq!(error.code(), Code::ProxyEmpty);
}

#[tokio::test]
async fn a_step_on_the_intent_surface_has_four_tools_by_every_way_in() {
    let stage = Stage::new();
    let request = SessionRequest { surface: Surface::Intent, ..stage.request("fix") };
    let session = stage.service().open(request).await.unwrap();
    let client = connect(&session).await;
    let names: Vec<String> =
        client.list_tools().await.unwrap().iter().map(|tool| name(tool)).collect();
    let four = ["call_tool_destructive", "call_tool_read", "call_tool_write", "retrieve_tools"];
    assert_eq!(names, four);
    let look = json!({"name": "up:look", "intent": {"operation_type": "read"}});
    let arguments = to_raw_value(&look).unwrap();
    let request = ToolRequest { name: "call_tool_read", arguments: &arguments, meta: None };
    let result = client.call_tool(request, &CancellationToken::new()).await.unwrap();
    assert!(result.get().contains("look got {}"), "{}", result.get());
    let inside = ToolCall { arguments: look.into(), ..direct("call_tool_read") };
    let result = session.router().call(inside).await.unwrap();
    assert!(result.raw().get().contains("look got {}"), "{result:?}");
    let gone = call(&client, "call_tool").await.unwrap_err().to_string();
    assert!(gone.contains("Tool 'call_tool' not found. Use call_tool_read,"), "{gone}");
    let unknown = call(&client, "up_look").await.unwrap_err().to_string();
    assert!(unknown.contains("Unknown tool: up_look"), "{unknown}");
    let records = started(&stage.log);
    assert_eq!(records.len(), 4);
    assert!(records.iter().all(|call| call.step.as_deref() == Some("fix")));
    assert_eq!(session.calls(), ToolCalls { made: 4, denied: 2, bypassed: 0 });
}

fn name(tool: &serde_json::value::RawValue) -> String {
    let tool: serde_json::Value = serde_json::from_str(tool.get()).unwrap();
    tool["name"].as_str().unwrap().to_owned()
}
