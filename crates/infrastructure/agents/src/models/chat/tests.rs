//! Chat completions as `OpenCode` sends them, and the chunks a client reads.

use serde_json::{Value, json};

use super::{read, stream, whole};
use crate::models::{
    conversation::{Conversation, Form, Offered},
    http::Answer,
    reply::{Call, Reply},
    request::ToolResultSeen,
};

#[test]
fn a_request_of_opencode_is_read() {
    let call = json!({"id": "c1", "type": "function", "function": {"name": "awf-proxy_Read", "arguments": "{}"}});
    let body = json!({
        "model": "some-model",
        "stream": true,
        "stream_options": {"include_usage": true},
        "tools": [{"type": "function", "function": {"name": "awf-proxy_Read"}}],
        "messages": [
            {"role": "system", "content": "You are opencode"},
            {"role": "user", "content": [{"type": "text", "text": "Go"}]},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "one\n"},
        ],
    });
    let wanted = Conversation {
        model: "some-model".into(),
        form: Form::StreamWithUsage,
        tools: vec![Offered::function("awf-proxy_Read")],
        results: vec![ToolResultSeen {
            name: Some("awf-proxy_Read".into()),
            text: "one\n".into(),
            is_error: false,
        }],
        system: "You are opencode".into(),
        prompts: vec!["Go".into()],
        turn: 1,
        ..Conversation::default()
    };
    assert_eq!(read(&body), wanted);
}

#[test]
fn the_chunks_build_the_answer_in_one_piece() {
    let function = |name: &str| Call::Function {
        namespace: None,
        name: name.into(),
        arguments: json!({"command": "echo größer"}),
    };
    let reply = Reply { text: "Two at once".into(), calls: vec![function("a"), function("b")] };
    let answer = Answer { number: 7, model: "m", form: Form::StreamWithUsage, reply: &reply };
    let mut events = stream(&answer);
    assert_eq!(events.pop().unwrap().to_bytes(), "data: [DONE]\n\n");
    let chunks: Vec<Value> = events.iter().map(super::Event::value).collect();
    let mut message = json!({"role": "assistant", "content": "", "tool_calls": []});
    for delta in
        chunks.iter().filter_map(|chunk| chunk["choices"].get(0)).map(|choice| &choice["delta"])
    {
        put_together(&mut message, delta);
    }
    assert_eq!(message, whole(&answer)["choices"][0]["message"]);
    assert_eq!(chunks.last().unwrap()["usage"]["total_tokens"], 110);
    let finished = chunks.iter().filter_map(|chunk| chunk["choices"][0]["finish_reason"].as_str());
    assert_eq!(finished.collect::<Vec<_>>(), ["tool_calls"]);
}

/// As a client does.
fn put_together(message: &mut Value, delta: &Value) {
    let append = |to: &mut Value, more: &Value| {
        *to = json!(to.as_str().unwrap_or_default().to_owned() + more.as_str().unwrap_or_default());
    };
    append(&mut message["content"], &delta["content"]);
    for part in delta["tool_calls"].as_array().into_iter().flatten() {
        let calls = message["tool_calls"].as_array_mut().unwrap();
        let index = usize::try_from(part["index"].as_u64().unwrap()).unwrap();
        if index == calls.len() {
            let mut opened = part.clone();
            opened.as_object_mut().unwrap().remove("index");
            calls.push(opened);
        } else {
            append(&mut calls[index]["function"]["arguments"], &part["function"]["arguments"]);
        }
    }
}

#[test]
fn a_bill_is_sent_to_those_who_ask() {
    let reply = Reply { text: "Hi".into(), calls: Vec::new() };
    let answer = Answer { number: 0, model: "m", form: Form::Stream, reply: &reply };
    let mut events = stream(&answer);
    events.pop();
    assert!(events.iter().all(|event| event.value().get("usage").is_none()));
}
