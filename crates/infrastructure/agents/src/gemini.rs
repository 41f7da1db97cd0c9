//! Gemini CLI. It takes servers from settings only, so it gets a home of its own: links to what the user's has, and
//! settings with our server. When awf intercepts, a policy denies every tool but ours.

use std::path::Path;

use awf_core::{AgentFailure, AgentKind, OwnToolEnd, Usage};
use serde_json::{Map, Value, json};

use crate::cli::{
    SERVER,
    errand::{Errand, Server},
    injection::{Injection, Link},
    options::{self, Opens, Setting, Takes, Told, setting},
    story::Story,
};

mod house;

pub(crate) use house::House;

/// How its model sees our tools.
const OURS: &str = "mcp_awf-proxy_";
/// A call may take as long as a command of Bash.
const CALL_MS: u64 = 600_000;

const ALLOW: &str =
    "[[rule]]\nmcpName = \"awf-proxy\"\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 900\n";
const DENY: &str = "\n[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 800\n";

pub(crate) const OPTIONS: [Setting; 5] = [
    setting("model", Takes::Text, Told::Flag("-m"), Opens::Nothing),
    setting(
        "include_directories",
        Takes::Words,
        Told::Flag("--include-directories"),
        Opens::Nothing,
    ),
    setting(
        "approval_mode",
        Takes::Choice(&["default", "auto_edit", "yolo", "plan"]),
        Told::Flag("--approval-mode"),
        Opens::OwnTools,
    ),
    setting("yolo", Takes::Switch, Told::Words(&["--approval-mode", "yolo"]), Opens::OwnTools),
    setting(
        "dangerously_skip_permissions",
        Takes::Switch,
        Told::Words(&["--approval-mode", "yolo"]),
        Opens::OwnTools,
    ),
];

/// What it is started with; its files are in `dir`, and `house` is what the user has.
pub(crate) fn inject(
    errand: &Errand<'_>,
    house: &House,
    dir: &Path,
) -> Result<Injection, AgentFailure> {
    let mut injection = Injection { stdin: prompt(errand), ..Injection::default() };
    injection.args(["-o", "stream-json", "--skip-trust"]);
    // Else it starts itself again as a child, and keeps signals from it.
    injection.env("GEMINI_CLI_NO_RELAUNCH", "true");
    injection.args.extend(options::arguments(AgentKind::Gemini, &OPTIONS, errand)?);
    if let Some(session) = &errand.request.session {
        injection.args(["--resume", session]);
    }
    if let Some(server) = errand.server {
        furnish(errand, server, house, &mut injection);
        injection.env("GEMINI_CLI_HOME", dir.join("home"));
        injection.arg("--policy");
        injection.arg(dir.join("policy.toml"));
        let deny = if errand.exclusive() { DENY } else { "" };
        injection.file("policy.toml", format!("{ALLOW}{deny}"));
    }
    if errand.exclusive() {
        injection.args(["--allowed-mcp-server-names", SERVER, "-e", ""]);
        // Settings are read before `--skip-trust` is: those of an untrusted project are left out, hooks and all.
        injection.env("GEMINI_CLI_TRUST_WORKSPACE", "false");
    }
    Ok(injection)
}

/// A system prompt of ours would replace the whole of Gemini's, so it stands before the first prompt.
fn prompt(errand: &Errand<'_>) -> String {
    let prompt = &errand.request.prompt;
    let whole = match (&errand.request.system_prompt, &errand.request.session) {
        (Some(told), None) => format!("{told}\n\n{prompt}"),
        (Some(_) | None, _) => prompt.clone(),
    };
    // What a prompt names as `@path` Gemini reads itself, past every policy, unless the sign is escaped.
    if errand.exclusive() { whole.replace('@', "\\@") } else { whole }
}

/// The home: the user's, with other settings.
fn furnish(errand: &Errand<'_>, server: &Server, house: &House, injection: &mut Injection) {
    for name in &house.entries {
        let (path, target) = (Path::new("home/.gemini").join(name), house.path.join(name));
        injection.links.push(Link { path, target });
    }
    let mut settings = house.settings.clone();
    let Server { command, args, env, reach: _ } = server;
    let entry = json!({"command": command, "args": args, "env": env, "timeout": CALL_MS});
    match settings.get_mut("mcpServers").and_then(Value::as_object_mut) {
        Some(servers) if !errand.exclusive() => {
            servers.insert(SERVER.to_owned(), entry);
        }
        Some(_) | None => {
            settings.insert("mcpServers".to_owned(), json!({SERVER: entry}));
        }
    }
    // A list of those that are allowed, if the user keeps one, has to name ours.
    let allowed = settings.get_mut("mcp").and_then(|mcp| mcp.get_mut("allowed"));
    if let Some(allowed) = allowed.and_then(Value::as_array_mut) {
        allowed.push(SERVER.into());
    }
    injection.file("home/.gemini/settings.json", Value::Object(settings).to_string());
}

/// One event of `-o stream-json`.
pub(crate) fn read(event: &Value, story: &mut Story) {
    match event["type"].as_str() {
        Some("init") => {
            story.session(event, "session_id");
            if event["model"] != "auto" {
                story.model(&event["model"]);
            }
        }
        Some("message") if event["role"] == "assistant" => {
            let piece = event["content"].as_str().unwrap_or_default();
            story.say(piece);
            story.add_text(piece);
        }
        Some("tool_use") => {
            story.end_line();
            story.end_part();
            story.asks_for_call(id(event));
            let name = event["tool_name"].as_str().unwrap_or_default();
            if !name.starts_with(OURS) {
                story.begin_use(id(event), name, &event["parameters"]);
            }
        }
        Some("tool_result") => {
            story.end_use(id(event), end(event));
            story.has_result(id(event));
        }
        Some("error") if event["severity"] == "warning" => story.complain(message(event)),
        Some("error") => story.trouble(message(event)),
        Some("result") => result(event, story),
        _ => {}
    }
}

fn id(event: &Value) -> &str {
    event["tool_id"].as_str().unwrap_or_default()
}

fn message(event: &Value) -> &str {
    event["message"].as_str().unwrap_or("it gives no reason")
}

fn end(event: &Value) -> OwnToolEnd {
    match event["error"]["type"].as_str() {
        Some("tool_not_registered" | "policy_violation") => {
            OwnToolEnd::Unavailable(message(&event["error"]).to_owned())
        }
        Some(_) | None => OwnToolEnd::Ran,
    }
}

fn result(event: &Value, story: &mut Story) {
    story.end_line();
    let stats = &event["stats"];
    let count = |key: &str| stats[key].as_u64().unwrap_or_default();
    story.usage = Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        ..Usage::default()
    };
    let models = stats["models"].as_object().into_iter().flat_map(Map::iter);
    let most = models.max_by_key(|(_, model)| model["total_tokens"].as_u64());
    if let (Some((name, _)), false) = (most, story.knows_model()) {
        story.model(&Value::from(name.as_str()));
    }
    match event["status"].as_str() {
        Some("success") => story.answer(),
        Some(_) | None => story.fail(message(&event["error"])),
    }
}

#[cfg(test)]
mod tests;
