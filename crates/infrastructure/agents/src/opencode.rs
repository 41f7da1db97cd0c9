//! `OpenCode`. All it needs comes in one variable. When awf intercepts, it runs as an agent of a name that no file can
//! know, with every tool denied but ours, and the project's configuration is not read.

use std::path::Path;

use awf_core::{AgentFailure, AgentKind, OwnToolEnd, Usage};
use serde_json::{Map, Value, json};

use crate::cli::{
    SERVER,
    errand::{Errand, Server, word},
    injection::Injection,
    options::{self, Opens, Setting, Takes, Told, setting},
    story::Story,
};

mod premises;

pub(crate) use premises::refuse_plugins;

/// How its model sees our tools.
const OURS: &str = "awf-proxy_";
const CONFIG: &str = "OPENCODE_CONFIG_CONTENT";
/// How its errors begin where a tool is not there or not allowed. Later in one the words may be those of a tool that ran.
const DENIED: [&str; 2] = [
    "Model tried to call unavailable tool",
    "The user has specified a rule which prevents you from using this",
];
/// How long our server may take to start and to answer.
const PATIENCE_MS: u64 = 30_000;

pub(crate) const OPTIONS: [Setting; 4] = [
    setting("model", Takes::Text, Told::Flag("--model"), Opens::Nothing),
    setting("variant", Takes::Text, Told::Flag("--variant"), Opens::Nothing),
    setting("agent", Takes::Text, Told::Flag("--agent"), Opens::OwnTools),
    setting(
        "dangerously_skip_permissions",
        Takes::Switch,
        Told::Words(&["--auto"]),
        Opens::OwnTools,
    ),
];

/// What it is started with; its files are in `dir`, whose name nobody can guess.
pub(crate) fn inject(errand: &Errand<'_>, dir: &Path) -> Result<Injection, AgentFailure> {
    let mut injection = Injection { stdin: errand.request.prompt.clone(), ..Injection::default() };
    injection.args(["run", "--format", "json"]);
    injection.args.extend(options::arguments(AgentKind::OpenCode, &OPTIONS, errand)?);
    if let Some(session) = &errand.request.session {
        injection.args(["--session", session]);
    }
    let mut config = Map::new();
    if let Some(told) = errand.warned_system_prompt() {
        // Added to its own instructions; the prompt of an agent would replace them.
        injection.file("system-prompt", told);
        let path = word(dir.join("system-prompt").as_os_str())?;
        config.insert("instructions".to_owned(), json!([path]));
    }
    if let Some(server) = errand.server {
        config.insert("mcp".to_owned(), json!({SERVER: entry(server)}));
    }
    if errand.exclusive() {
        let name = format!("awf-{}", dir.file_name().unwrap_or_default().display());
        injection.args(["--pure", "--agent", &name]);
        injection.env("OPENCODE_DISABLE_PROJECT_CONFIG", "1");
        let permission = json!({"*": "deny", "awf-proxy_*": "allow"});
        let agent = json!({"mode": "primary", "description": "awf step", "permission": permission});
        config.insert("permission".to_owned(), permission);
        config.insert("agent".to_owned(), json!({name: agent}));
    }
    if !config.is_empty() {
        injection.env(CONFIG, Value::Object(merged(errand, config)).to_string());
    }
    Ok(injection)
}

fn entry(server: &Server) -> Value {
    let Server { command, args, env, reach: _ } = server;
    let command: Vec<&String> = std::iter::once(command).chain(args).collect();
    json!({"type": "local", "command": command, "environment": env, "enabled": true, "timeout": PATIENCE_MS})
}

/// Ours over what the user has in the same variable.
fn merged(errand: &Errand<'_>, config: Map<String, Value>) -> Map<String, Value> {
    let given = errand.request.env.iter().rev().find(|(name, _)| name == CONFIG);
    let given = given.and_then(|(_, text)| serde_json::from_str(text.to_str()?).ok());
    let mut all: Map<String, Value> = given.unwrap_or_default();
    for (key, ours) in config {
        match (all.get_mut(&key), ours) {
            (Some(Value::Object(theirs)), Value::Object(ours)) if !errand.exclusive() => {
                theirs.extend(ours);
            }
            (Some(Value::Array(theirs)), Value::Array(ours)) => theirs.extend(ours),
            (_, ours) => {
                all.insert(key, ours);
            }
        }
    }
    all
}

/// One event of `--format json`.
pub(crate) fn read(event: &Value, story: &mut Story) {
    story.session(event, "sessionID");
    let part = &event["part"];
    match event["type"].as_str() {
        Some("step_start") => {
            story.go_on();
            story.end_part();
            story.ask();
        }
        Some("text") => {
            let text = part["text"].as_str().unwrap_or_default();
            story.say_line(text);
            story.add_text(text);
        }
        Some("tool_use") => tool(part, story),
        Some("step_finish") => finish(part, story),
        Some("error") => {
            let error = &event["error"];
            let reason = error["data"]["message"].as_str().or(error["name"].as_str());
            story.fail(reason.unwrap_or("it gives no reason"));
        }
        _ => {}
    }
}

fn tool(part: &Value, story: &mut Story) {
    let name = part["tool"].as_str().unwrap_or_default();
    if name.starts_with(OURS) {
        return;
    }
    let id = part["callID"].as_str().unwrap_or_default();
    story.begin_use(id, name, &part["state"]["input"]);
    let error = part["state"]["error"].as_str().unwrap_or_default();
    let end = if name == "invalid" || DENIED.iter().any(|words| error.starts_with(words)) {
        OwnToolEnd::Unavailable(error.to_owned())
    } else {
        OwnToolEnd::Ran
    };
    story.end_use(id, end);
}

fn finish(part: &Value, story: &mut Story) {
    let tokens = &part["tokens"];
    let sum = |counts: &[&Value]| {
        counts.iter().filter_map(|count| count.as_u64()).fold(0, u64::saturating_add)
    };
    let cache = &tokens["cache"];
    let used = Usage {
        input_tokens: sum(&[&tokens["input"], &cache["read"], &cache["write"]]),
        output_tokens: sum(&[&tokens["output"], &tokens["reasoning"]]),
        estimated: false,
        // It says 0 where it knows no price.
        cost: part["cost"].as_f64().filter(|cost| *cost > 0.0),
    };
    story.usage = story.usage.plus(used);
    story.answer_used(used);
    story.tell_answer();
    match part["reason"].as_str() {
        Some("tool-calls") => {}
        Some("error") => story.fail("its model ended with an error"),
        Some(_) | None => story.answer(),
    }
}

#[cfg(test)]
mod tests;
