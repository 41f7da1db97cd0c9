//! A server as YAML: keys and values on lines of their own, or all on one.

use serde_json::Value;

use crate::servers::ServerTransport;

/// The keys of a server and their values, as they are written.
pub(super) fn written(transport: &ServerTransport) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    match transport {
        ServerTransport::Stdio { command, args, env, cwd } => {
            lines.push(("command", scalar(command)));
            if !args.is_empty() {
                let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
                lines.push(("args", format!("[{}]", args.join(", "))));
            }
            lines.extend(pairs("env", env));
            lines.extend(cwd.as_ref().map(|cwd| ("cwd", scalar(cwd))));
        }
        ServerTransport::Http { url, headers } => {
            lines.push(("url", quoted(url)));
            lines.extend(pairs("headers", headers));
        }
    }
    lines
}

fn pairs(key: &'static str, pairs: &[(String, String)]) -> Option<(&'static str, String)> {
    let written: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}: {}", scalar(name), quoted(value))).collect();
    (!pairs.is_empty()).then(|| (key, format!("{{{}}}", written.join(", "))))
}

/// A text, in quotes where it could be read as something else.
pub(super) fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let taken = reserved.contains(&text.to_ascii_lowercase().as_str());
    if word && !taken && text.chars().all(plain) { text.to_owned() } else { quoted(text) }
}

/// As JSON writes it, which YAML reads the same.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
