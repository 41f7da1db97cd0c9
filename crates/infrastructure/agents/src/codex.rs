//! Codex. Its tools depend on the model, so when awf intercepts it gets a catalogue of models in which none has any;
//! features are switched off, other servers disabled, and the project is not trusted, so that its `.codex` is not read.

use std::path::Path;

use awf_core::{AgentFailure, AgentKind};
use serde_json::{Value, json};

use crate::cli::{
    SERVER,
    errand::{Errand, word},
    injection::Injection,
    options::{self, Opens, Setting, Takes, Told, config, quoted, setting},
    query::Query,
};

mod stream;

pub(crate) use stream::{complaint, read};

/// What gives a model tools beside those of servers.
const FEATURES: [&str; 14] = [
    "shell_tool",
    "unified_exec",
    "view_image",
    "multi_agent",
    "multi_agent_v2",
    "goals",
    "sleep_tool",
    "image_generation",
    "apps",
    "plugins",
    "tool_suggest",
    "browser_use",
    "computer_use",
    "in_app_browser",
];

pub(crate) const OPTIONS: [Setting; 5] = [
    setting("model", Takes::Text, Told::Flag("-m"), Opens::Nothing),
    setting(
        "reasoning_effort",
        Takes::Text,
        Told::Config("model_reasoning_effort"),
        Opens::Nothing,
    ),
    setting("profile", Takes::Text, Told::Config("profile"), Opens::OwnTools),
    setting(
        "sandbox",
        Takes::Choice(&["read-only", "workspace-write", "danger-full-access"]),
        // `codex exec resume` has no flag for it.
        Told::Config("sandbox_mode"),
        Opens::OwnTools,
    ),
    setting(
        "dangerously_skip_permissions",
        Takes::Switch,
        Told::Words(&["--dangerously-bypass-approvals-and-sandbox"]),
        Opens::OwnTools,
    ),
];

/// What Codex itself has to tell before a run that awf intercepts.
#[derive(Debug, Default)]
pub(crate) struct Lore {
    /// Its models, without tools; `None` where it would not tell.
    pub(crate) catalogue: Option<String>,
    /// The servers of the user.
    pub(crate) servers: Vec<String>,
}

impl Lore {
    /// Asks. A version that cannot answer keeps tools of its own, which is what `awf doctor` is there to find.
    pub(crate) async fn ask(errand: &Errand<'_>, query: &Query<'_>) -> Result<Self, AgentFailure> {
        if !errand.exclusive() {
            return Ok(Self::default());
        }
        let models = query.ask(&["debug", "models", "--bundled"].map(Into::into)).await;
        let distrust = distrust(&errand.request.dir)?;
        let servers = ["-c", &distrust, "mcp", "list", "--json"].map(Into::into);
        let servers = query.ask(&servers).await?;
        let listed: Value = serde_json::from_str(&servers).map_err(|error| {
            AgentFailure::Start(format!("`codex mcp list --json` answered with no JSON: {error}"))
        })?;
        let named = listed.as_array().into_iter().flatten();
        let named = named.filter_map(|server| server["name"].as_str());
        let servers = named.filter(|name| *name != SERVER).map(str::to_owned).collect();
        let catalogue = match models {
            Ok(models) => bare(&models),
            Err(AgentFailure::Cancelled) => return Err(AgentFailure::Cancelled),
            Err(_) => {
                // Not what it said: logs have no redactor, and it may have said its key.
                tracing::warn!(
                    "codex keeps the tools of its models: `codex debug models --bundled` fails"
                );
                None
            }
        };
        Ok(Self { catalogue, servers })
    }
}

/// The catalogue of models with every tool of a model's own taken away. Instructions stay as they are.
fn bare(models: &str) -> Option<String> {
    let mut catalogue: Value = serde_json::from_str(models).ok()?;
    for model in catalogue.get_mut("models")?.as_array_mut()? {
        let model = model.as_object_mut()?;
        for (key, value) in [
            ("apply_patch_tool_type", Value::Null),
            ("shell_type", "disabled".into()),
            ("tool_mode", "direct".into()),
            ("supports_search_tool", false.into()),
            ("experimental_supported_tools", json!([])),
        ] {
            model.insert(key.to_owned(), value);
        }
        model.remove("multi_agent_version");
        model.remove("multi_agent_reasoning_effort");
    }
    Some(catalogue.to_string())
}

/// What it is started with; its files are in `dir`.
pub(crate) fn inject(
    errand: &Errand<'_>,
    lore: &Lore,
    dir: &Path,
) -> Result<Injection, AgentFailure> {
    let mut injection = Injection { stdin: errand.request.prompt.clone(), ..Injection::default() };
    injection.arg("exec");
    if errand.request.session.is_some() {
        injection.arg("resume");
    }
    injection.args(["--json", "--skip-git-repo-check"]);
    injection.args.extend(options::arguments(AgentKind::Codex, &OPTIONS, errand)?);
    if let Some(told) = errand.warned_system_prompt() {
        // There is no file for it that would not replace Codex's own instructions.
        injection.args(["-c", &config("developer_instructions", &told)]);
    }
    disable(lore, &mut injection);
    server(errand, &mut injection);
    if errand.exclusive() {
        isolate(errand, lore, dir, &mut injection)?;
    }
    if let Some(session) = &errand.request.session {
        injection.arg(session);
    }
    injection.arg("-");
    Ok(injection)
}

/// Switches the user's servers off. As one table, for a name may have any letters; before ours is set, for the table
/// takes the place of what was set before it.
fn disable(lore: &Lore, injection: &mut Injection) {
    if !lore.servers.is_empty() {
        let off = lore.servers.iter().map(|name| format!("{}={{enabled=false}}", quoted(name)));
        let off = off.collect::<Vec<_>>().join(",");
        injection.args(["-c", &format!("mcp_servers={{{off}}}")]);
    }
}

/// The server of awf's tools, allowed without asking. It is required: without that a model would run without its tools.
fn server(errand: &Errand<'_>, injection: &mut Injection) {
    let Some(server) = errand.server else { return };
    let key = |key: &str| format!("mcp_servers.{SERVER}.{key}");
    let args = Value::from(server.args.clone()).to_string().replace('\u{7f}', "\\u007f");
    let mut settings =
        vec![config(&key("command"), &server.command), format!("{}={args}", key("args"))];
    let env = server.env.iter();
    settings.extend(env.map(|(name, value)| config(&key(&format!("env.{name}")), value)));
    settings.push(config(&key("default_tools_approval_mode"), "approve"));
    let rest = ["required=true", "startup_timeout_sec=30", "tool_timeout_sec=600"];
    settings.extend(rest.map(key));
    for setting in settings {
        injection.args(["-c", &setting]);
    }
}

fn isolate(
    errand: &Errand<'_>,
    lore: &Lore,
    dir: &Path,
    injection: &mut Injection,
) -> Result<(), AgentFailure> {
    match errand.request.session {
        Some(_) => injection.args(["-c", &config("sandbox_mode", "read-only")]),
        None => injection.args(["-s", "read-only"]),
    }
    injection.args(["-c", &distrust(&errand.request.dir)?]);
    for feature in FEATURES {
        injection.args(["-c", &format!("features.{feature}=false")]);
    }
    injection.args(["-c", &config("web_search", "disabled")]);
    injection.args(["-c", "tools.experimental_request_user_input={enabled=false}"]);
    injection.args(["-c", "tools.update_plan={enabled=false}"]);
    if let Some(catalogue) = &lore.catalogue {
        injection.file("catalogue.json", catalogue.clone());
        let path = word(dir.join("catalogue.json").as_os_str())?;
        injection.args(["-c", &config("model_catalog_json", &path)]);
    }
    Ok(())
}

/// No directory that could be the project's is trusted: a `.codex/config.toml` in it would add servers and full access.
fn distrust(dir: &Path) -> Result<String, AgentFailure> {
    let each = dir.ancestors().map(|dir| {
        Ok(format!("{}={{trust_level=\"untrusted\"}}", quoted(&word(dir.as_os_str())?)))
    });
    let each = each.collect::<Result<Vec<_>, AgentFailure>>()?;
    Ok(format!("projects={{{}}}", each.join(",")))
}

#[cfg(test)]
mod tests;
