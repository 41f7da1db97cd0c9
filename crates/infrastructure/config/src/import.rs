//! MCP servers out of the configuration of other programs: which there are, how awf would name them, and what is in the
//! way. Nothing is written here, and what is not about servers is not looked at.

use std::path::Path;

use awf_core::{Code, Diagnostic, Severity, shown};
use serde_json::{Map, Value};

use crate::{
    file::read_bounded,
    reader::{CONFIG, Findings, Shape as _},
    servers::{
        NewServer, Ownership, ServerList, ServerOrigin, ServersTyped, Switch, Whereabouts,
        is_awf_program,
    },
    yaml::parse_tree,
};

mod dialect;
mod jsonc;

use dialect::Dialect;

/// Other programs keep much besides servers in their files.
const LARGEST: usize = 64 * 1024 * 1024;

/// A server of another program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedServer {
    /// What it is called there.
    pub name: String,
    /// The directory it is for, where it is for one only.
    pub within: Option<String>,
    /// What can be done with it.
    pub outcome: Importable,
    /// What is lost on the way.
    pub warnings: Vec<Diagnostic>,
}

/// What can be done with a server of another program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Importable {
    /// It can be written down.
    Ready(NewServer),
    /// It is switched off there.
    Off,
    /// It is awf itself.
    Itself,
    /// It cannot be used, and why.
    Unusable(Vec<Diagnostic>),
}

/// Reads a file of another program; its name and its keys tell whose.
pub fn read_import(path: &Path) -> Result<Vec<ImportedServer>, Vec<Diagnostic>> {
    let text = read_bounded(path, LARGEST).map_err(|finding| vec![finding])?;
    parse_import(path, &text)
}

/// The text of such a file.
fn parse_import(path: &Path, text: &str) -> Result<Vec<ImportedServer>, Vec<Diagnostic>> {
    let dialect = Dialect::of(path);
    let invalid = |why: String| {
        let file = shown(&path.display().to_string());
        let finding = Diagnostic::new(Code::ConfigInvalid, format!("`{file}`: {why}"));
        vec![finding.hinting("name a file in which a program keeps MCP servers")]
    };
    let root = match dialect {
        Dialect::Codex => toml::from_str::<Value>(text).map_err(|error| error.message().to_owned()),
        Dialect::Gemini | Dialect::Other => {
            serde_json::from_str(&jsonc::json(text)).map_err(|error| error.to_string())
        }
    };
    let Value::Object(root) = root.map_err(invalid)? else {
        return Err(invalid("it is no mapping".to_owned()));
    };
    let mut servers = Vec::new();
    for group in dialect::groups(&root) {
        for (name, server) in group.servers {
            let (server, lost) = dialect.translated(server);
            servers.push(imported(&name, group.within.clone(), server, lost));
        }
    }
    if servers.is_empty() {
        return Err(invalid("no MCP servers are in it".to_owned()));
    }
    Ok(servers)
}

/// One server, judged as one of a shared file would be.
fn imported(
    name: &str,
    within: Option<String>,
    server: Value,
    lost: Vec<String>,
) -> ImportedServer {
    let itself = is_awf(&server);
    let mut findings = Findings::new("", &CONFIG, "the file");
    let text = Value::Object(Map::from_iter([(name.to_owned(), server)])).to_string();
    let typed = parse_tree(&text, &mut findings)
        .and_then(|tree| ServersTyped::read(&tree, &mut findings))
        .unwrap_or_default();
    let origin = ServerOrigin::Given(Path::new("").into());
    let place = Whereabouts { ownership: Ownership::Foreign, origin, ground: None };
    let mut list = ServerList::of(typed, &place, &mut findings);
    let placeless = |finding: Diagnostic| Diagnostic { span: None, ..finding };
    let outcome = match (list.servers.pop(), list.unusable.pop()) {
        _ if itself => Importable::Itself,
        (Some(server), _) if server.switch == Switch::Off => Importable::Off,
        (Some(server), _) => {
            Importable::Ready(NewServer { name: server.name, transport: server.transport })
        }
        (None, unusable) => {
            let found = unusable.map(|server| server.why.findings().to_vec()).unwrap_or_default();
            Importable::Unusable(found.into_iter().map(placeless).collect())
        }
    };
    let lost = lost.into_iter().map(|lost| Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::new(Code::ConfigUnsupported, lost)
            .hinting("look at the server before it is used")
    });
    let warnings = findings.sorted().into_iter().map(placeless).chain(lost).collect();
    ImportedServer { name: name.to_owned(), within, outcome, warnings }
}

/// awf behind awf would ask itself, whatever it is called there.
fn is_awf(server: &Value) -> bool {
    let command = server.get("command").and_then(Value::as_str).unwrap_or_default();
    is_awf_program(command)
}

#[cfg(test)]
mod tests;
