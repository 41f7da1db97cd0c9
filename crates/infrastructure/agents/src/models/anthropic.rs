//! Anthropic's Messages.

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
    let mut talk = Conversation {
        model: word(&body["model"]),
        form: Form::of(body),
        system: text_of(&body["system"]),
        ..Conversation::default()
    };
    // A tool that the service runs itself has a type and perhaps no name.
    let name =
        |tool: &Value| tool["name"].as_str().or(tool["type"].as_str()).map(Offered::function);
    talk.tools = items(&body["tools"]).iter().filter_map(name).collect();
    let mut names = HashMap::new();
    for message in items(&body["messages"]) {
        let content = &message["content"];
        match message["role"].as_str() {
            Some("assistant") => {
                talk.turn += 1;
                for block in items(content).iter().filter(|block| block["type"] == "tool_use") {
                    names.insert(word(&block["id"]), word(&block["name"]));
                }
            }
            Some("system") => talk.system.push_str(&text_of(content)),
            _ => hear(&mut talk, content, &names),
        }
    }
    talk
}

fn hear(talk: &mut Conversation, content: &Value, names: &HashMap<String, String>) {
    if let Some(text) = content.as_str() {
        talk.prompts.push(text.to_owned());
    }
    for block in items(content) {
        match block["type"].as_str() {
            Some("tool_result") => talk.results.push(ToolResultSeen {
                name: names.get(&word(&block["tool_use_id"])).cloned(),
                text: text_of(&block["content"]),
                is_error: block["is_error"] == true,
            }),
            Some("text") => talk.prompts.push(word(&block["text"])),
            _ => {}
        }
    }
}

pub(super) fn whole(answer: &Answer<'_>) -> Value {
    message(answer, &blocks(answer), &json!(stop_reason(answer)), OUTPUT_TOKENS)
}

pub(super) fn stream(answer: &Answer<'_>) -> Vec<Event> {
    let begun = message(answer, &[], &Value::Null, 1);
    let mut events = vec![json!({"type": "message_start", "message": begun})];
    for (index, block) in blocks(answer).into_iter().enumerate() {
        let (empty, deltas) = in_pieces(&block);
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        events.extend(deltas.into_iter().map(delta));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({"stop_reason": stop_reason(answer), "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": delta, "usage": usage(OUTPUT_TOKENS)}));
    events.push(json!({"type": "message_stop"}));
    events.iter().map(Event::typed).collect()
}

fn message(answer: &Answer<'_>, content: &[Value], stop_reason: &Value, output: u64) -> Value {
    json!({
        "id": answer.id("msg"),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": usage(output),
    })
}

fn usage(output: u64) -> Value {
    json!({
        "input_tokens": INPUT_TOKENS,
        "output_tokens": output,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    })
}

fn stop_reason(answer: &Answer<'_>) -> &'static str {
    if answer.reply.calls.is_empty() { "end_turn" } else { "tool_use" }
}

fn blocks(answer: &Answer<'_>) -> Vec<Value> {
    let text = answer.text().map(|text| json!({"type": "text", "text": text}));
    let calls = answer.reply.calls.iter().enumerate().map(|(index, call)| {
        let (name, input) = call.plain();
        json!({"type": "tool_use", "id": answer.call_id("toolu", index), "name": name, "input": input})
    });
    text.into_iter().chain(calls).collect()
}

/// A block without its content, and the content as deltas.
fn in_pieces(block: &Value) -> (Value, Vec<Value>) {
    if block["type"] == "text" {
        let text = word(&block["text"]);
        let delta = |piece: &str| json!({"type": "text_delta", "text": piece});
        return (
            json!({"type": "text", "text": ""}),
            pieces(&text).into_iter().map(delta).collect(),
        );
    }
    let input = block["input"].to_string();
    let mut empty = block.clone();
    empty["input"] = json!({});
    let delta = |piece: &str| json!({"type": "input_json_delta", "partial_json": piece});
    (empty, pieces(&input).into_iter().map(delta).collect())
}

#[cfg(test)]
mod tests;
