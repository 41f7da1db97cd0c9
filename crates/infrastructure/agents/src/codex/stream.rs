//! The stream of `codex exec --json`.

use awf_core::{OwnToolEnd, Usage};
use serde_json::{Value, json};

use crate::cli::{SERVER, story::Story};

/// How Codex complains of a call that it cannot make; its stream has nothing of it.
const UNSUPPORTED: [&str; 2] = ["unsupported call: ", "unsupported custom tool call: "];
/// What is left in the list of tools when all is off. They reach servers only, and there is none but ours.
const READERS: [&str; 3] =
    ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"];

/// Items that are calls of tools.
const CALLS: [&str; 5] =
    ["command_execution", "file_change", "web_search", "collab_tool_call", "mcp_tool_call"];

/// One event.
pub(crate) fn read(event: &Value, story: &mut Story) {
    let item = &event["item"];
    match event["type"].as_str() {
        Some("thread.started") => story.session(event, "thread_id"),
        Some("item.started") => begin(item, story),
        Some("item.completed") => match item["type"].as_str() {
            Some("agent_message") => {
                let text = item["text"].as_str().unwrap_or_default();
                story.say_line(text);
                story.set_text(text);
            }
            Some("error") => story.complain(message(item)),
            _ => {
                begin(item, story);
                story.end_use(id(item), OwnToolEnd::Ran);
                story.has_result(id(item));
            }
        },
        // It may try again; then an answer follows.
        Some("error") => story.trouble(message(event)),
        Some("turn.failed") => story.fail(message(&event["error"])),
        Some("turn.completed") => {
            story.end_answer();
            count(&event["usage"], story);
            story.answer();
        }
        _ => {}
    }
}

/// A line of its complaints.
pub(crate) fn complaint(line: &str, story: &mut Story) {
    let named = UNSUPPORTED.iter().find_map(|words| Some(line.split_once(words)?.1));
    if let Some(tool) = named {
        story.begin_use(line, tool.trim(), &json!({}));
        story.end_use(line, OwnToolEnd::Unavailable(format!("unsupported call: {}", tool.trim())));
    }
}

/// The use of a tool, if the item is one and the tool is not ours.
fn begin(item: &Value, story: &mut Story) {
    let Some(kind) = item["type"].as_str().filter(|kind| CALLS.contains(kind)) else { return };
    story.asks_for_call(id(item));
    let (tool, arguments) = match kind {
        "command_execution" => (kind.to_owned(), json!({"command": item["command"]})),
        "file_change" => (kind.to_owned(), json!({"changes": item["changes"]})),
        "web_search" => (kind.to_owned(), json!({"query": item["query"]})),
        "collab_tool_call" => (kind.to_owned(), json!({"tool": item["tool"]})),
        "mcp_tool_call" => {
            let server = item["server"].as_str().unwrap_or_default();
            let tool = item["tool"].as_str().unwrap_or_default();
            if server == SERVER || server == "codex" && READERS.contains(&tool) {
                return;
            }
            (format!("{server}:{tool}"), item["arguments"].clone())
        }
        _ => return,
    };
    if !story.is_using(id(item)) {
        story.begin_use(id(item), &tool, &arguments);
    }
}

/// Codex counts from the beginning of a session.
fn count(usage: &Value, story: &mut Story) {
    let count = |key: &str| usage[key].as_u64().unwrap_or_default();
    let total = Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        ..Usage::default()
    };
    story.total = Some(total);
    story.usage = Usage { estimated: true, ..total };
}

fn id(item: &Value) -> &str {
    item["id"].as_str().unwrap_or_default()
}

fn message(event: &Value) -> &str {
    event["message"].as_str().unwrap_or("it gives no reason")
}
