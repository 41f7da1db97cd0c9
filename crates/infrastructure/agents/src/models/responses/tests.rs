//! Responses as Codex sends them, and the events it reads.

use serde_json::{Value, json};

use super::{read, stream, whole};
use crate::models::{
    conversation::{Conversation, Form, Offered, OfferedKind},
    event::Event,
    http::Answer,
    reply::{Call, Reply},
    request::ToolResultSeen,
};

fn names(talk: &Conversation) -> Vec<&str> {
    talk.tools.iter().map(|tool| tool.name.as_str()).collect()
}

/// As Codex sends it when its catalogue of models is awf's.
#[test]
fn a_request_with_namespaces_is_read() {
    let body = json!({
        "model": "gpt-6.1-sol",
        "stream": true,
        "input": [
            {"type": "additional_tools", "role": "developer", "tools": [
                {"type": "namespace", "name": "functions", "tools": [{"type": "function", "name": "list_mcp_resources"}]},
                {"type": "namespace", "name": "mcp__awf_proxy", "tools": [{"type": "function", "name": "Read"}]},
            ]},
            {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "You are Codex"}]},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go"}]},
            {"type": "reasoning"},
            {"type": "function_call", "call_id": "c1", "namespace": "mcp__awf_proxy", "name": "Read", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "Output:one\n"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done"}]},
            {"type": "message", "role": "user", "content": "More"},
        ],
    });
    let read_tool = OfferedKind::Spaced { namespace: "mcp__awf_proxy".into(), name: "Read".into() };
    let wanted = Conversation {
        model: "gpt-6.1-sol".into(),
        form: Form::Stream,
        tools: vec![
            Offered::function("list_mcp_resources"),
            Offered { name: "mcp__awf_proxy/Read".into(), kind: read_tool },
        ],
        results: vec![ToolResultSeen {
            name: Some("mcp__awf_proxy/Read".into()),
            text: "Output:one\n".into(),
            is_error: false,
        }],
        system: "You are Codex".into(),
        prompts: vec!["Go".into(), "More".into()],
        turn: 2,
        ..Conversation::default()
    };
    assert_eq!(read(&body), wanted);
}

#[test]
fn functions_in_scripts_are_listed_where_declared_and_where_told() {
    let description = "Run code\n### `apply_patch`\ndeclare const tools: { apply_patch(input: string): Promise<unknown>; };";
    let body = json!({
        "tools": [{"type": "custom", "name": "exec", "description": description}, {"type": "web_search"}],
        "input": [
            {"type": "custom_tool_call", "call_id": "c1", "name": "exec", "input": "…"},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "callable here: [\"apply_patch\",\"mcp__awf_proxy__Read\"]\n"}]},
        ],
    });
    let talk = read(&body);
    assert_eq!(
        names(&talk),
        ["exec", "web_search", "exec>apply_patch", "exec>mcp__awf_proxy__Read"]
    );
    assert_eq!((talk.turn, talk.form), (1, Form::Whole));
}

#[test]
fn found_tools_are_offered_and_a_search_is_no_turn() {
    let body = json!({
        "tools": [{"type": "tool_search"}],
        "input": [
            {"type": "message", "role": "user", "content": "Go"},
            {"type": "tool_search_call", "call_id": "s1", "arguments": {"query": "fixture stamp"}},
            {"type": "tool_search_output", "call_id": "s1", "tools": [{"type": "namespace", "name": "mcp__awf_proxy", "tools": [{"type": "function", "name": "fixture_stamp"}]}]},
        ],
    });
    let talk = read(&body);
    assert_eq!(names(&talk), ["tool_search", "mcp__awf_proxy/fixture_stamp"]);
    assert_eq!((talk.turn, talk.searches), (0, vec!["fixture stamp".to_owned()]));
}

#[test]
fn the_events_build_the_answer_in_one_piece() {
    let calls = vec![
        Call::Function {
            namespace: Some("mcp__awf_proxy".into()),
            name: "Read".into(),
            arguments: json!({"file_path": "größe.txt"}),
        },
        Call::Text { name: "exec".into(), input: "text(1)".into() },
        Call::Search { query: "read".into() },
    ];
    let reply = Reply { text: "Let me see".into(), calls };
    let answer = Answer { number: 2, model: "m", form: Form::Stream, reply: &reply };
    let events: Vec<Value> = stream(&answer).iter().map(Event::value).collect();
    let of = |kind: &str, key: &str| -> Vec<Value> {
        events
            .iter()
            .filter(|event| event["type"] == kind)
            .map(|event| event[key].clone())
            .collect()
    };
    let whole = whole(&answer);
    let items = whole["output"].as_array().unwrap();
    assert_eq!(&of("response.output_item.done", "item"), items);
    assert_eq!(of("response.output_item.added", "item").len(), 4);
    assert_eq!(of("response.completed", "response"), std::slice::from_ref(&whole));
    let joined =
        |kind: &str| -> String { of(kind, "delta").iter().filter_map(Value::as_str).collect() };
    assert_eq!(joined("response.output_text.delta"), "Let me see");
    assert_eq!(json!(joined("response.function_call_arguments.delta")), items[1]["arguments"]);
    assert_eq!(items[1]["namespace"], "mcp__awf_proxy");
    assert_eq!(items[3]["type"], "tool_search_call");
    assert!(events.iter().enumerate().all(|(index, event)| event["sequence_number"] == index));
}
