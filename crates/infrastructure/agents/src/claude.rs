//! Claude Code. Its own tools are off by `--tools ""`; other servers, and the project's settings with their hooks, are not
//! read when awf intercepts.

use std::path::Path;

use awf_core::{AgentFailure, AgentKind, OwnToolEnd, Usage};
use serde_json::{Value, json};

use crate::cli::{
    SERVER,
    errand::{Errand, Server},
    injection::Injection,
    options::{self, Opens, Setting, Takes, Told, setting},
    story::Story,
};

/// How its model sees our tools.
const OURS: &str = "mcp__awf-proxy__";
/// The permission to use all of them without asking.
const ALLOWED: &str = "mcp__awf-proxy";
/// How a result begins where it has no such tool. Later in it the words may be those of a tool that ran.
const UNAVAILABLE: &str = "<tool_use_error>Error: No such tool available: ";

pub(crate) const OPTIONS: [Setting; 8] = [
    setting("model", Takes::Text, Told::Flag("--model"), Opens::Nothing),
    setting("fallback_model", Takes::Text, Told::Flag("--fallback-model"), Opens::Nothing),
    setting("effort", Takes::Text, Told::Flag("--effort"), Opens::Nothing),
    setting("max_turns", Takes::Number, Told::Flag("--max-turns"), Opens::Nothing),
    setting("allowed_tools", Takes::Words, Told::Apart, Opens::OwnTools),
    setting("disallowed_tools", Takes::Words, Told::Flag("--disallowedTools"), Opens::Nothing),
    setting(
        "permission_mode",
        Takes::Choice(&["default", "acceptEdits", "dontAsk", "plan", "auto", "bypassPermissions"]),
        Told::Flag("--permission-mode"),
        Opens::OwnTools,
    ),
    setting(
        "dangerously_skip_permissions",
        Takes::Switch,
        Told::Words(&["--dangerously-skip-permissions"]),
        Opens::OwnTools,
    ),
];

/// What it is started with; its files are in `dir`.
pub(crate) fn inject(errand: &Errand<'_>, dir: &Path) -> Result<Injection, AgentFailure> {
    let mut injection = Injection { stdin: prompt(errand), ..Injection::default() };
    injection.args(["-p", "--output-format", "stream-json", "--verbose"]);
    injection.args.extend(options::arguments(AgentKind::Claude, &OPTIONS, errand)?);
    if let Some(session) = &errand.request.session {
        injection.args(["--resume", session]);
    }
    if let Some(told) = &errand.request.system_prompt {
        injection.file("system-prompt", told.clone());
        injection.arg("--append-system-prompt-file");
        injection.arg(dir.join("system-prompt"));
    }
    let mut allowed = options::words(errand, "allowed_tools");
    if let Some(server) = errand.server {
        injection.file("mcp.json", servers(server));
        injection.arg("--mcp-config");
        injection.arg(dir.join("mcp.json"));
        allowed.insert(0, ALLOWED.to_owned());
    }
    if !allowed.is_empty() {
        injection.args(["--allowedTools", &allowed.join(",")]);
    }
    if errand.exclusive() {
        // Of the settings only the user's own are read: they may hold the login (`apiKeyHelper`, `env`). A project's could
        // run commands by hooks and hide our tools by rules; with them goes the project's CLAUDE.md.
        injection.args(["--tools", "", "--strict-mcp-config", "--setting-sources", "user"]);
        injection.env("ENABLE_TOOL_SEARCH", "false");
        // Else it reads what a prompt names as `@path` itself, inside the project or not, and nobody hears of it.
        injection.env("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1");
    }
    Ok(injection)
}

/// One that begins with a slash would be a command of Claude Code, which asks no model.
fn prompt(errand: &Errand<'_>) -> String {
    let prompt = &errand.request.prompt;
    let space = if prompt.starts_with('/') { " " } else { "" };
    format!("{space}{prompt}")
}

/// The file of servers. `alwaysLoad`, else the tools hide behind a search.
fn servers(server: &Server) -> String {
    let Server { command, args, env, reach: _ } = server;
    let entry =
        json!({"type": "stdio", "command": command, "args": args, "env": env, "alwaysLoad": true});
    json!({"mcpServers": {SERVER: entry}}).to_string()
}

/// One event of `--output-format stream-json`.
pub(crate) fn read(event: &Value, story: &mut Story) {
    story.session(event, "session_id");
    match event["type"].as_str() {
        Some("system") => match event["subtype"].as_str() {
            Some("init") => story.model(&event["model"]),
            Some("api_retry") => story.complain(&retry(event)),
            _ => {}
        },
        Some("assistant") => {
            for part in parts(event) {
                assistant(event, part, story);
            }
        }
        Some("user") => {
            for part in parts(event) {
                user(event, part, story);
            }
        }
        Some("result") => result(event, story),
        _ => {}
    }
}

fn parts(event: &Value) -> impl Iterator<Item = &Value> {
    event["message"]["content"].as_array().into_iter().flatten()
}

fn assistant(event: &Value, part: &Value, story: &mut Story) {
    match part["type"].as_str() {
        // What an agent of the agent says is not its answer.
        Some("text")
            if event["parent_tool_use_id"].is_null()
                && event["is_api_error_message"] != Value::Bool(true) =>
        {
            story.say_line(part["text"].as_str().unwrap_or_default());
        }
        Some("tool_use" | "server_tool_use") => {
            let name = part["name"].as_str().unwrap_or_default();
            let id = part["id"].as_str().unwrap_or_default();
            // What the model's server does itself has no result of its own in the stream.
            if part["type"] == "tool_use" && event["parent_tool_use_id"].is_null() {
                story.asks_for_call(id);
            }
            if !name.starts_with(OURS) {
                story.begin_use(id, name, &part["input"]);
            }
        }
        _ => {}
    }
}

fn user(event: &Value, part: &Value, story: &mut Story) {
    if part["type"] != "tool_result" {
        return;
    }
    let text = match &part["content"] {
        Value::String(text) => text.clone(),
        Value::Array(pieces) => pieces.iter().filter_map(|piece| piece["text"].as_str()).collect(),
        _ => String::new(),
    };
    let end = match part["is_error"].as_bool() {
        Some(true) if text.starts_with(UNAVAILABLE) => OwnToolEnd::Unavailable(text),
        _ => OwnToolEnd::Ran,
    };
    let id = part["tool_use_id"].as_str().unwrap_or_default();
    story.end_use(id, end);
    if event["parent_tool_use_id"].is_null() {
        story.has_result(id);
    }
}

/// The end of a turn; there may be another, when something in the background wakes the agent. An error of the model's
/// server comes as `is_error` with the subtype `success`.
fn result(event: &Value, story: &mut Story) {
    story.end_answer();
    let usage = &event["usage"];
    let read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    story.usage = story.usage.plus(tokens(usage, &read, "output_tokens"));
    // Counted from the beginning of the session, agents of the agent included.
    if let Some(models) = event["modelUsage"].as_object() {
        let read = ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens"];
        let each = models.values().map(|model| tokens(model, &read, "outputTokens"));
        let cost = event["total_cost_usd"].as_f64();
        story.total = Some(Usage { cost, ..each.fold(Usage::default(), Usage::plus) });
    }
    let text = event["result"].as_str();
    match (event["is_error"].as_bool(), event["subtype"].as_str()) {
        (Some(true), Some("success") | None) => story.fail(text.unwrap_or("it gives no reason")),
        (Some(false) | None, Some("success")) => {
            story.set_text(text.unwrap_or_default());
            story.answer();
        }
        (_, Some("error_max_turns")) => story.fail("it used all turns of `max_turns`"),
        (_, kind) => story.fail(text.or(kind).unwrap_or("it gives no reason")),
    }
}

fn tokens(counts: &Value, read: &[&str], written: &str) -> Usage {
    let count = |key: &str| counts[key].as_u64().unwrap_or_default();
    Usage {
        input_tokens: read.iter().map(|key| count(key)).fold(0, u64::saturating_add),
        output_tokens: count(written),
        ..Usage::default()
    }
}

fn retry(event: &Value) -> String {
    let (attempt, most) = (&event["attempt"], &event["max_retries"]);
    let reason = event["error"].as_str().unwrap_or("error");
    format!("the model's server answered with `{reason}`; attempt {attempt} of {most} follows")
}

#[cfg(test)]
mod tests;
