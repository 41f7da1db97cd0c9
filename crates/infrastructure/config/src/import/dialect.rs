//! How other programs write servers down, and the same in awf's words.

use std::path::Path;

use serde_json::{Map, Value, json};

/// Whose words a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Codex: TOML, with names of variables instead of their values.
    Codex,
    /// Gemini: `url` is an SSE endpoint, `httpUrl` a streamable one.
    Gemini,
    /// Claude, Cursor, VS Code, `OpenCode`, `MCPProxy`: their keys tell them apart.
    Other,
}

/// Servers that stand together.
pub(super) struct Group {
    /// The directory they are for.
    pub(super) within: Option<String>,
    pub(super) servers: Vec<(String, Value)>,
}

/// Every place where such files keep servers.
pub(super) fn groups(root: &Map<String, Value>) -> Vec<Group> {
    let mut groups: Vec<Group> = ["mcpServers", "mcp_servers", "servers", "mcp"]
        .into_iter()
        .filter_map(|key| root.get(key))
        .map(|servers| Group { within: None, servers: named(servers) })
        .collect();
    let projects = root.get("projects").and_then(Value::as_object);
    for (dir, project) in projects.into_iter().flatten() {
        if let Some(servers) = project.get("mcpServers") {
            groups.push(Group { within: Some(dir.clone()), servers: named(servers) });
        }
    }
    groups
}

/// A mapping by name, or a list whose items say their names.
fn named(servers: &Value) -> Vec<(String, Value)> {
    match servers {
        Value::Object(servers) => {
            let objects = servers.iter().filter(|(_, server)| server.is_object());
            objects.map(|(name, server)| (name.clone(), server.clone())).collect()
        }
        Value::Array(servers) => {
            let name = |server: &Value| server.get("name")?.as_str().map(str::to_owned);
            servers.iter().filter_map(|server| Some((name(server)?, server.clone()))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

impl Dialect {
    pub(super) fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|ending| ending == "toml") {
            Self::Codex
        } else if path.file_name().is_some_and(|name| name == "settings.json") {
            Self::Gemini
        } else {
            Self::Other
        }
    }

    /// A server in awf's words, and what cannot be said in them.
    pub(super) fn translated(self, server: Value) -> (Value, Vec<String>) {
        let Value::Object(mut server) = server else { return (server, Vec::new()) };
        match self {
            Self::Codex => codex(&mut server),
            Self::Gemini => gemini(&mut server),
            Self::Other => other(&mut server),
        }
        if server.remove("disabled") == Some(Value::Bool(true)) {
            server.insert("enabled".to_owned(), json!(false));
        }
        let mut server = Value::Object(server);
        let mut lost = Vec::new();
        references(&mut server, &mut lost);
        (server, lost)
    }
}

fn gemini(server: &mut Map<String, Value>) {
    if let Some(url) = server.remove("httpUrl") {
        server.insert("url".to_owned(), url);
    } else if server.contains_key("url") && !server.contains_key("type") {
        server.insert("type".to_owned(), json!("sse"));
    }
}

fn codex(server: &mut Map<String, Value>) {
    let reference = |name: &Value| name.as_str().map(|name| json!(format!("${{{name}}}")));
    for name in server.remove("env_vars").iter().filter_map(Value::as_array).flatten() {
        if let (Some(key), Some(value)) = (name.as_str(), reference(name)) {
            put(server, "env", key, value);
        }
    }
    if let Some(Value::Object(headers)) = server.remove("http_headers") {
        headers.into_iter().for_each(|(name, value)| put(server, "headers", &name, value));
    }
    if let Some(Value::Object(headers)) = server.remove("env_http_headers") {
        for (name, variable) in &headers {
            put(server, "headers", name, reference(variable).unwrap_or_default());
        }
    }
    if let Some(Value::String(variable)) = server.remove("bearer_token_env_var") {
        put(server, "headers", "Authorization", json!(format!("Bearer ${{{variable}}}")));
    }
}

fn other(server: &mut Map<String, Value>) {
    if let Some(Value::Array(words)) = server.get("command").cloned() {
        let mut words = words.into_iter();
        server.insert("command".to_owned(), words.next().unwrap_or_default());
        server.insert("args".to_owned(), words.collect());
    }
    if let Some(environment) = server.remove("environment") {
        server.insert("env".to_owned(), environment);
    }
    match server.get("type").and_then(Value::as_str) {
        Some("local" | "remote") => drop(server.remove("type")),
        Some("streamableHttp" | "streamable_http") => {
            server.insert("type".to_owned(), json!("http"));
        }
        Some(_) | None => {}
    }
}

fn put(server: &mut Map<String, Value>, key: &str, name: &str, value: Value) {
    let inside = server.entry(key).or_insert_with(|| json!({}));
    if let Some(inside) = inside.as_object_mut() {
        inside.insert(name.to_owned(), value);
    }
}

/// `${env:NAME}` and `{env:NAME}` become `${NAME}`; what else such a reference asks for nobody here can give.
fn references(value: &mut Value, lost: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            *text = text.replace("${env:", "${").replace("{env:", "${");
            for asked in ["${input:", "${keyring:", "${workspaceFolder", "{file:"] {
                if text.contains(asked) {
                    let message = format!("`{asked}…}}` is not filled in by awf");
                    if !lost.contains(&message) {
                        lost.push(message);
                    }
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| references(item, lost)),
        Value::Object(entries) => entries.values_mut().for_each(|item| references(item, lost)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
