//! An answer in Responses: items, and as a stream the events that build them.

use serde_json::{Value, json};

use crate::models::{
    INPUT_TOKENS, OUTPUT_TOKENS,
    conversation::word,
    event::{Event, pieces},
    http::Answer,
    reply::Call,
};

pub(in crate::models) fn whole(answer: &Answer<'_>) -> Value {
    completed(answer, &items(answer))
}

pub(in crate::models) fn stream(answer: &Answer<'_>) -> Vec<Event> {
    let items = items(answer);
    let mut events = vec![json!({"type": "response.created", "response": begun(answer)})];
    for (index, item) in items.iter().enumerate() {
        events.extend(built(index, item));
        events.push(
            json!({"type": "response.output_item.done", "output_index": index, "item": item}),
        );
    }
    events.push(json!({"type": "response.completed", "response": completed(answer, &items)}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events.iter().map(Event::typed).collect()
}

fn begun(answer: &Answer<'_>) -> Value {
    json!({
        "id": answer.id("resp"),
        "object": "response",
        "created_at": 0,
        "model": answer.model,
        "status": "in_progress",
        "output": [],
    })
}

fn completed(answer: &Answer<'_>, items: &[Value]) -> Value {
    let mut response = begun(answer);
    response["status"] = json!("completed");
    response["output"] = json!(items);
    response["usage"] = json!({
        "input_tokens": INPUT_TOKENS,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": OUTPUT_TOKENS,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
    });
    response
}

fn items(answer: &Answer<'_>) -> Vec<Value> {
    let text = answer.text().map(|text| {
        let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
        json!({"type": "message", "id": answer.id("msg"), "role": "assistant", "status": "completed", "content": content})
    });
    let calls = answer.reply.calls.iter().enumerate();
    text.into_iter().chain(calls.map(|(index, call)| item(answer, index, call))).collect()
}

fn item(answer: &Answer<'_>, index: usize, call: &Call) -> Value {
    let mut item = match call {
        Call::Function { namespace: None, name, arguments } => {
            json!({"type": "function_call", "name": name, "arguments": arguments.to_string()})
        }
        Call::Function { namespace: Some(space), name, arguments } => {
            json!({"type": "function_call", "namespace": space, "name": name, "arguments": arguments.to_string()})
        }
        Call::Text { name, input } => {
            json!({"type": "custom_tool_call", "name": name, "input": input})
        }
        Call::Search { query } => {
            let arguments = json!({"query": query, "limit": 20});
            json!({"type": "tool_search_call", "execution": "client", "arguments": arguments})
        }
    };
    item["id"] = json!(answer.call_id("item", index));
    item["call_id"] = json!(answer.call_id("call", index));
    item["status"] = json!("completed");
    item
}

/// The events between nothing and the item as it is.
fn built(index: usize, item: &Value) -> Vec<Value> {
    let (empty, deltas) = match item["type"].as_str() {
        Some("message") => said(index, item),
        Some("function_call") => called(index, item),
        _ => (item.clone(), Vec::new()),
    };
    let added = json!({"type": "response.output_item.added", "output_index": index, "item": empty});
    std::iter::once(added).chain(deltas).collect()
}

fn said(index: usize, item: &Value) -> (Value, Vec<Value>) {
    let text = word(&item["content"][0]["text"]);
    let event = |kind: &str, key: &str, value: Value| json!({"type": kind, "item_id": item["id"], "output_index": index, "content_index": 0, key: value});
    let part = json!({"type": "output_text", "text": ""});
    let mut events = vec![event("response.content_part.added", "part", part)];
    let delta = |piece: &str| event("response.output_text.delta", "delta", json!(piece));
    events.extend(pieces(&text).into_iter().map(delta));
    events.push(event("response.output_text.done", "text", json!(text)));
    let mut empty = item.clone();
    empty["content"] = json!([]);
    empty["status"] = json!("in_progress");
    (empty, events)
}

fn called(index: usize, item: &Value) -> (Value, Vec<Value>) {
    let arguments = word(&item["arguments"]);
    let event = |kind: &str, key: &str, value: &str| json!({"type": format!("response.function_call_arguments.{kind}"), "item_id": item["id"], "output_index": index, key: value});
    let mut events: Vec<_> =
        pieces(&arguments).into_iter().map(|piece| event("delta", "delta", piece)).collect();
    events.push(event("done", "arguments", &arguments));
    let mut empty = item.clone();
    empty["arguments"] = json!("");
    empty["status"] = json!("in_progress");
    (empty, events)
}
