//! `OpenAI`'s Chat Completions.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::models::{
    INPUT_TOKENS, OUTPUT_TOKENS,
    conversation::{Conversation, Form, Offered, items, text_of, word},
    event::{Event, pieces},
    http::Answer,
    request::ToolResultSeen,
};

pub(super) fn read(body: &Value) -> Conversation {
    let mut talk =
        Conversation { model: word(&body["model"]), form: form(body), ..Conversation::default() };
    let name = |tool: &Value| {
        tool["function"]["name"].as_str().or(tool["type"].as_str()).map(Offered::function)
    };
    talk.tools = items(&body["tools"]).iter().filter_map(name).collect();
    let mut names = HashMap::new();
    for message in items(&body["messages"]) {
        let text = text_of(&message["content"]);
        match message["role"].as_str() {
            Some("assistant") => {
                talk.turn += 1;
                for call in items(&message["tool_calls"]) {
                    names.insert(word(&call["id"]), word(&call["function"]["name"]));
                }
            }
            Some("tool") => talk.results.push(ToolResultSeen {
                name: names.get(&word(&message["tool_call_id"])).cloned(),
                text,
                is_error: false,
            }),
            Some("system" | "developer") => talk.system.push_str(&text),
            _ => talk.prompts.push(text),
        }
    }
    talk
}

fn form(body: &Value) -> Form {
    match Form::of(body) {
        Form::Stream if body["stream_options"]["include_usage"] == true => Form::StreamWithUsage,
        form => form,
    }
}

pub(super) fn whole(answer: &Answer<'_>) -> Value {
    let mut message = json!({"role": "assistant", "content": answer.text()});
    let calls: Vec<_> = calls(answer).collect();
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason(answer)});
    json!({
        "id": answer.id("chatcmpl"),
        "object": "chat.completion",
        "created": 0,
        "model": answer.model,
        "choices": [choice],
        "usage": usage(),
    })
}

pub(super) fn stream(answer: &Answer<'_>) -> Vec<Event> {
    let mut deltas = vec![json!({"role": "assistant", "content": ""})];
    let said = answer.text().map(pieces).unwrap_or_default();
    deltas.extend(said.into_iter().map(|piece| json!({"content": piece})));
    deltas.extend(calls(answer).enumerate().flat_map(|(index, call)| call_deltas(index, &call)));
    let mut chunks: Vec<_> =
        deltas.into_iter().map(|delta| chunk(answer, &delta, &Value::Null)).collect();
    chunks.push(chunk(answer, &json!({}), &json!(finish_reason(answer))));
    if answer.form == Form::StreamWithUsage {
        let mut bill = chunk(answer, &json!({}), &Value::Null);
        bill["choices"] = json!([]);
        bill["usage"] = usage();
        chunks.push(bill);
    }
    chunks.iter().map(Event::data).chain([Event::done()]).collect()
}

fn calls(answer: &Answer<'_>) -> impl Iterator<Item = Value> {
    answer.reply.calls.iter().enumerate().map(|(index, call)| {
        let (name, arguments) = call.plain();
        let function = json!({"name": name, "arguments": arguments.to_string()});
        json!({"id": answer.call_id("call", index), "type": "function", "function": function})
    })
}

/// The call without arguments, then these in pieces.
fn call_deltas(index: usize, call: &Value) -> Vec<Value> {
    let arguments = word(&call["function"]["arguments"]);
    let mut opening = call.clone();
    opening["index"] = json!(index);
    opening["function"]["arguments"] = json!("");
    let piece = |piece: &str| json!({"index": index, "function": {"arguments": piece}});
    let parts = std::iter::once(opening).chain(pieces(&arguments).into_iter().map(piece));
    parts.map(|part| json!({"tool_calls": [part]})).collect()
}

fn chunk(answer: &Answer<'_>, delta: &Value, finish_reason: &Value) -> Value {
    json!({
        "id": answer.id("chatcmpl"),
        "object": "chat.completion.chunk",
        "created": 0,
        "model": answer.model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    })
}

fn finish_reason(answer: &Answer<'_>) -> &'static str {
    if answer.reply.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage() -> Value {
    json!({
        "prompt_tokens": INPUT_TOKENS,
        "completion_tokens": OUTPUT_TOKENS,
        "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
    })
}

#[cfg(test)]
mod tests;
