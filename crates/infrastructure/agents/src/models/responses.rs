//! `OpenAI`'s Responses, with what Codex adds: namespaces, tools that come later, a search for tools, scripts.

use std::collections::HashMap;

use serde_json::Value;

use crate::models::{
    conversation::{Conversation, Form, Offered, OfferedKind, items, text_of, word},
    reply::script,
    request::ToolResultSeen,
};

mod answer;
mod offer;

pub(super) use answer::{stream, whole};

pub(super) fn read(body: &Value) -> Conversation {
    let mut talk = Conversation {
        model: word(&body["model"]),
        form: Form::of(body),
        system: text_of(&body["instructions"]),
        tools: offer::tools(&body["tools"]),
        ..Conversation::default()
    };
    if let Some(prompt) = body["input"].as_str() {
        talk.prompts.push(prompt.to_owned());
    }
    let mut names = HashMap::new();
    let mut speaker = Speaker::Other;
    for item in items(&body["input"]) {
        let next = Speaker::of(item);
        if next == Speaker::Model && speaker != Speaker::Model {
            talk.turn += 1;
        }
        speaker = next;
        hear(&mut talk, item, &mut names);
    }
    let nested: Vec<_> =
        talk.results.iter().flat_map(|result| script::callable(&result.text)).collect();
    talk.tools.extend(nested.into_iter().map(offer::nested));
    talk.tools = distinct(talk.tools);
    talk
}

/// An answer is all that the model says without a break, in as many items as it likes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Model,
    Other,
}

impl Speaker {
    fn of(item: &Value) -> Self {
        match kind(item) {
            "function_call" | "custom_tool_call" | "local_shell_call" | "reasoning"
            | "web_search_call" => Self::Model,
            "message" if item["role"] == "assistant" => Self::Model,
            // A search for tools is no turn of the script.
            _ => Self::Other,
        }
    }
}

/// A message may leave its type out.
fn kind(item: &Value) -> &str {
    item["type"].as_str().unwrap_or(if item.get("role").is_some() { "message" } else { "" })
}

fn hear(talk: &mut Conversation, item: &Value, names: &mut HashMap<String, String>) {
    match kind(item) {
        "additional_tools" | "tool_search_output" => {
            talk.tools.extend(offer::tools(&item["tools"]));
        }
        "tool_search_call" => talk.searches.push(word(&item["arguments"]["query"])),
        "function_call" | "custom_tool_call" => {
            let space = item["namespace"].as_str().map(|space| format!("{space}/"));
            let name = space.unwrap_or_default() + &word(&item["name"]);
            names.insert(word(&item["call_id"]), name);
        }
        "message" => {
            let text = text_of(&item["content"]);
            match item["role"].as_str() {
                Some("user") => talk.prompts.push(text),
                Some("system" | "developer") => talk.system.push_str(&text),
                _ => {}
            }
        }
        other if other.ends_with("_output") => talk.results.push(ToolResultSeen {
            name: names.get(&word(&item["call_id"])).cloned(),
            text: text_of(&item["output"]),
            is_error: false,
        }),
        _ => {}
    }
}

/// Tools are told again in later requests, and by scripts; each is one. Listed ones are nearer than nested ones.
fn distinct(tools: Vec<Offered>) -> Vec<Offered> {
    let mut seen = std::collections::HashSet::new();
    let (nested, listed): (Vec<_>, Vec<_>) =
        tools.into_iter().partition(|tool| matches!(tool.kind, OfferedKind::Nested { .. }));
    listed.into_iter().chain(nested).filter(|tool| seen.insert(tool.name.clone())).collect()
}

#[cfg(test)]
mod tests;
