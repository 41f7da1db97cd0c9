//! What a person has who uses an agent: an endpoint, a key, settings in the home. None of it is awf's business.

use serde_json::{Value, json};

/// Stands for the address of the model server, which is known when it runs.
pub(super) const MODEL: &str = "@MODEL@";

/// Where programs of the system are.
const SYSTEM: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The environment of a person whose programs are in `programs`.
pub(super) fn environment(programs: &str) -> Vec<(String, String)> {
    let fixed = [
        ("ANTHROPIC_API_KEY", "dummy"),
        ("ANTHROPIC_BASE_URL", MODEL),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("GEMINI_API_KEY", "dummy"),
        ("GOOGLE_GEMINI_BASE_URL", MODEL),
        // Claude lets root do without permissions only where this says that nothing can be lost.
        ("IS_SANDBOX", "1"),
        ("LANG", "C.UTF-8"),
        ("NO_COLOR", "1"),
        ("OPENAI_API_KEY", "dummy"),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("SCRIPTED_KEY", "dummy"),
        ("TERM", "dumb"),
    ];
    let mut environment: Vec<_> =
        fixed.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    environment.push(("PATH".to_owned(), format!("{programs}:{SYSTEM}")));
    environment
}

/// Files of the home, by path. A person has servers of her own too, which `own` starts.
pub(super) fn home(project: &str, own: &[&str], fixture: &str) -> Vec<(&'static str, String)> {
    let [program, arguments @ ..] = own else { return Vec::new() };
    vec![
        (".codex/config.toml", codex(project, program, arguments)),
        (".gemini/settings.json", gemini(program, arguments).to_string()),
        (".config/opencode/opencode.json", opencode(own).to_string()),
        (".claude/settings.json", json!({"enableAllProjectMcpServers": true}).to_string()),
        (
            ".config/awf/config.yaml",
            json!({"mcpServers": {"fixture": {"command": fixture}}}).to_string(),
        ),
    ]
}

fn codex(project: &str, program: &str, arguments: &[&str]) -> String {
    format!(
        r#"model = "gpt-6.1-sol"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{MODEL}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false

[projects."{project}"]
trust_level = "trusted"

[mcp_servers.own]
command = "{program}"
args = {arguments}
"#,
        arguments = json!(arguments),
    )
}

fn gemini(program: &str, arguments: &[&str]) -> Value {
    json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "general": {"enableAutoUpdate": false},
        "mcpServers": {"own": {"command": program, "args": arguments}},
    })
}

fn opencode(own: &[&str]) -> Value {
    let models = json!({
        "scripted": {"name": "scripted", "tool_call": true, "limit": {"context": 100_000, "output": 8000}},
        "small": {"name": "small"},
    });
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": format!("{MODEL}/v1"), "apiKey": "dummy"},
        "models": models,
    });
    json!({
        // OpenCode adds it to a file that lacks it.
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": false,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/small",
        "provider": {"scripted": provider},
        "mcp": {"own": {"type": "local", "command": own, "enabled": true}},
    })
}
