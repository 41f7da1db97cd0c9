//! Adding and removing servers in a `config.yaml`, as text: comments and layout are the author's.
//!
//! What was edited is read again before it is written. When it says anything else than before, nothing is written.

use std::path::{Path, PathBuf};

use awf_core::{Code, Diagnostic, nearest, shown};
use serde_json::Value;

use crate::{
    file::{Readers, read_text, write_text},
    reader::{CONFIG, Findings},
    servers::{ServerSetting, ServerTransport, is_same_name},
    settings::servers_in,
    yaml::parse_tree,
};

mod entry;
mod text;

/// A server that is to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewServer {
    /// What it is called.
    pub name: String,
    /// How it is reached.
    pub transport: ServerTransport,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub file: PathBuf,
    /// The line that the server stands on, or stood on.
    pub line: usize,
}

/// Writes a server into a `config.yaml`, which is made where it is not there.
pub fn add_server(file: &Path, server: &NewServer) -> Result<Edit, Vec<Diagnostic>> {
    let text = if file.exists() { read_text(file).map_err(one)? } else { String::new() };
    let known = servers_in(file, &text)?;
    if let Some(other) = known.iter().find(|known| is_same_name(&known.name, &server.name)) {
        return Err(one(taken(other)));
    }
    let edited = text::added(&text, &server.name, &entry::written(&server.transport));
    let Some(edited) = edited else { return Err(one(by_hand(file, "add", &server.name))) };
    let after = servers_in(file, &edited)?;
    let added = after.iter().find(|after| after.name == server.name);
    let meant = added.is_some_and(|added| added.transport == server.transport);
    match added {
        Some(added) if meant && rest(&edited, &server.name) == rest(&text, &server.name) => {
            write_text(file, &edited, Readers::Owner).map_err(one)?;
            Ok(Edit { file: file.to_owned(), line: added.place.line })
        }
        Some(_) | None => Err(one(by_hand(file, "add", &server.name))),
    }
}

/// Takes a server out of a `config.yaml`.
pub fn remove_server(file: &Path, name: &str) -> Result<Edit, Vec<Diagnostic>> {
    let text = if file.exists() { read_text(file).map_err(one)? } else { String::new() };
    let known = servers_in(file, &text)?;
    let Some(server) = known.iter().find(|known| known.name == name) else {
        return Err(one(unknown(file, name, &known)));
    };
    let edited = text::removed(&text, name);
    let gone = edited.filter(|edited| {
        servers_in(file, edited).is_ok_and(|after| after.iter().all(|after| after.name != name))
            && rest(edited, name) == rest(&text, name)
    });
    let Some(edited) = gone else { return Err(one(by_hand(file, "remove", name))) };
    write_text(file, &edited, Readers::Owner).map_err(one)?;
    Ok(Edit { file: file.to_owned(), line: server.place.line })
}

fn one(finding: Diagnostic) -> Vec<Diagnostic> {
    vec![finding]
}

/// Everything a file says but that server; no servers at all are the same however they are written.
fn rest(text: &str, name: &str) -> Option<Value> {
    let mut findings = Findings::new("", &CONFIG, "the file");
    let mut value = parse_tree(text, &mut findings)?.json();
    if value.is_null() {
        value = Value::Object(serde_json::Map::new());
    }
    let object = value.as_object_mut()?;
    let empty = match object.get_mut("mcpServers") {
        Some(Value::Object(servers)) => {
            servers.remove(name);
            servers.is_empty()
        }
        Some(Value::Array(servers)) => {
            servers.retain(|server| server.get("name").and_then(Value::as_str) != Some(name));
            servers.is_empty()
        }
        Some(Value::Null) => true,
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => false,
    };
    if empty {
        object.remove("mcpServers");
    }
    Some(value)
}

fn taken(other: &ServerSetting) -> Diagnostic {
    let (name, line) = (shown(&other.name), other.place.line);
    let message = format!("there is a server `{name}` on line {line} of `{}`", other.place.file);
    let hint = format!("take another name, or `awf mcp remove {name}` first");
    Diagnostic::new(Code::InputExists, message).hinting(hint)
}

fn unknown(file: &Path, name: &str, known: &[ServerSetting]) -> Diagnostic {
    let message = format!("no server `{}` in `{}`", shown(name), file.display());
    let finding = Diagnostic::new(Code::ServerUnknown, message);
    match nearest(name, known.iter().map(|server| server.name.as_str())).first() {
        Some(near) => finding.hinting(format!("did you mean `{near}`?")),
        None => finding,
    }
}

fn by_hand(file: &Path, verb: &str, name: &str) -> Diagnostic {
    let file = shown(&file.display().to_string());
    let message = format!("`{file}` is laid out in a way that cannot be edited safely");
    let hint = format!("{verb} `{}` in `mcpServers` by hand", shown(name));
    Diagnostic::new(Code::ConfigInvalid, message).hinting(hint)
}

#[cfg(test)]
mod tests;
