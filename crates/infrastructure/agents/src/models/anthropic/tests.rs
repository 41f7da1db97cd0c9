//! Messages as Claude sends them, and the events it reads.

use serde_json::json;

use super::{read, stream, whole};
use crate::models::{
    conversation::{Conversation, Form, Offered},
    http::Answer,
    reply::{Call, Reply},
    request::ToolResultSeen,
};

#[test]
fn a_request_of_claude_is_read() {
    let body = json!({
        "model": "claude-opus-5-5",
        "stream": true,
        "system": [{"type": "text", "text": "You are an agent. "}],
        "tools": [
            {"name": "mcp__awf-proxy__Bash", "input_schema": {}},
            {"name": "DeferredToolPlaceholder", "defer_loading": true},
            {"type": "web_search_20250305"},
        ],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "<system-reminder>"}, {"type": "text", "text": "Go"}]},
            {"role": "system", "content": "# Environment"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "mcp__awf-proxy__Bash", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": [{"type": "text", "text": "exit 1"}]}]},
        ],
    });
    let names = ["mcp__awf-proxy__Bash", "DeferredToolPlaceholder", "web_search_20250305"];
    let wanted = Conversation {
        model: "claude-opus-5-5".into(),
        form: Form::Stream,
        tools: names.map(Offered::function).into(),
        results: vec![ToolResultSeen {
            name: Some("mcp__awf-proxy__Bash".into()),
            text: "exit 1".into(),
            is_error: true,
        }],
        system: "You are an agent. # Environment".into(),
        prompts: vec!["<system-reminder>".into(), "Go".into()],
        turn: 1,
        ..Conversation::default()
    };
    assert_eq!(read(&body), wanted);
}

#[test]
fn the_events_build_the_answer_in_one_piece() {
    let call = Call::Function {
        namespace: None,
        name: "mcp__awf-proxy__Read".into(),
        arguments: json!({"file_path": "größe.txt"}),
    };
    let reply = Reply { text: "Let me see".into(), calls: vec![call] };
    let answer = Answer { number: 3, model: "m", form: Form::Stream, reply: &reply };
    let (mut text, mut input, mut kinds) = (String::new(), String::new(), Vec::new());
    for event in stream(&answer) {
        let event = event.value();
        kinds.push(event["type"].as_str().unwrap().to_owned());
        text += event["delta"]["text"].as_str().unwrap_or_default();
        input += event["delta"]["partial_json"].as_str().unwrap_or_default();
    }
    let whole = whole(&answer);
    assert_eq!(text, "Let me see");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&input).unwrap(),
        whole["content"][1]["input"]
    );
    assert_eq!(whole["stop_reason"], "tool_use");
    assert_eq!(whole["content"][1]["id"], "toolu_awf_3_0");
    let starts = kinds.iter().filter(|kind| *kind == "content_block_start").count();
    let stops = kinds.iter().filter(|kind| *kind == "content_block_stop").count();
    assert_eq!((starts, stops), (2, 2));
    assert_eq!(
        (kinds.first().map(String::as_str), kinds.last().map(String::as_str)),
        (Some("message_start"), Some("message_stop"))
    );
}
