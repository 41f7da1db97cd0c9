//! Gemini's generateContent, in one piece or as a stream.

use serde_json::{Value, json};

use crate::models::{
    INPUT_TOKENS, OUTPUT_TOKENS,
    conversation::{Conversation, Form, Offered, items, text_of, word},
    event::{Event, pieces},
    http::Answer,
    request::ToolResultSeen,
};

/// The model and the form of the answer are in the path: `…/models/<model>:streamGenerateContent`.
pub(super) fn read(body: &Value, path: &str) -> Conversation {
    let (model, method) =
        path.rsplit('/').next().and_then(|last| last.split_once(':')).unwrap_or_default();
    let mut talk = Conversation {
        model: model.to_owned(),
        form: if method.starts_with("stream") { Form::Stream } else { Form::Whole },
        system: text_of(&body["systemInstruction"]["parts"]),
        tools: items(&body["tools"]).iter().flat_map(offered).collect(),
        schema: schema(&body["generationConfig"]),
        ..Conversation::default()
    };
    for content in items(&body["contents"]) {
        if content["role"] == "model" {
            talk.turn += 1;
            continue;
        }
        for part in items(&content["parts"]) {
            hear(&mut talk, part);
        }
    }
    talk
}

/// Functions by name; what the service does itself, like a search, by the key it is switched on with.
fn offered(tool: &Value) -> Vec<Offered> {
    let keys = tool.as_object().into_iter().flatten();
    keys.flat_map(|(key, value)| {
        if key != "functionDeclarations" {
            return vec![Offered::function(key)];
        }
        items(value).iter().map(|function| Offered::function(word(&function["name"]))).collect()
    })
    .collect()
}

/// What a side request wants: the router and the loop detection ask so.
fn schema(config: &Value) -> Option<Value> {
    let schema = ["responseJsonSchema", "responseSchema"].iter().find_map(|key| config.get(*key));
    let json = config["responseMimeType"] == "application/json";
    schema.cloned().or_else(|| json.then(|| json!({"type": "object"})))
}

fn hear(talk: &mut Conversation, part: &Value) {
    if let Some(answer) = part.get("functionResponse") {
        let response = &answer["response"];
        talk.results.push(ToolResultSeen {
            name: answer["name"].as_str().map(str::to_owned),
            text: text_of(response),
            is_error: response.get("error").is_some(),
        });
    } else if let Some(text) = part["text"].as_str() {
        talk.prompts.push(text.to_owned());
    }
}

pub(super) fn whole(answer: &Answer<'_>) -> Value {
    let text = answer.text().map(|text| json!({"text": text}));
    last(answer, &text.into_iter().chain(calls(answer)).collect::<Vec<_>>())
}

pub(super) fn stream(answer: &Answer<'_>) -> Vec<Event> {
    let said = answer.text().map(pieces).unwrap_or_default();
    let mut parts: Vec<Vec<Value>> =
        said.into_iter().map(|piece| vec![json!({"text": piece})]).collect();
    let calls: Vec<_> = calls(answer).collect();
    if !calls.is_empty() {
        parts.push(calls);
    }
    let ending = parts.pop().unwrap_or_default();
    let chunks = parts.iter().map(|parts| chunk(answer, parts));
    chunks.chain([last(answer, &ending)]).map(|chunk| Event::data(&chunk)).collect()
}

fn calls(answer: &Answer<'_>) -> impl Iterator<Item = Value> {
    answer.reply.calls.iter().map(|call| {
        let (name, args) = call.plain();
        json!({"functionCall": {"name": name, "args": args}})
    })
}

fn chunk(answer: &Answer<'_>, parts: &[Value]) -> Value {
    json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
        "modelVersion": answer.model,
        "responseId": answer.id("response"),
    })
}

fn last(answer: &Answer<'_>, parts: &[Value]) -> Value {
    let mut chunk = chunk(answer, parts);
    chunk["candidates"][0]["finishReason"] = json!("STOP");
    chunk["usageMetadata"] = json!({
        "promptTokenCount": INPUT_TOKENS,
        "candidatesTokenCount": OUTPUT_TOKENS,
        "totalTokenCount": INPUT_TOKENS + OUTPUT_TOKENS,
    });
    chunk
}

#[cfg(test)]
mod tests;
