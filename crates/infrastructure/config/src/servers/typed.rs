//! `mcpServers` as typed: a mapping by name, or a list whose items say their names.

use std::path::Path;

use awf_core::{Code, Diagnostic, Located, shown};
use serde_json::{Map, Value, json};

use crate::{
    reader::{Field, Findings, Mapping, Shape, object},
    schema::Definitions,
    yaml::{Node, NodeValue, Place, Scalar},
};

object! {
    /// A server that speaks MCP: a program with `command`, or one behind HTTP with `url`.
    pub(crate) struct ServerTyped, rules = rules;
    /// What it is called, in a list; a mapping has the name before the colon.
    name: Located<String>;
    /// How it is reached, where that is to be said; `sse` is not supported.
    kind = "type": Protocol;
    /// The same as `type`.
    protocol: Protocol;
    /// The program. `${NAME}` is the variable of that name, here and in the keys below.
    command: Located<String>;
    /// Its arguments.
    args: Vec<String>;
    /// What it finds in its environment besides the basics.
    env: Mapping<String>;
    /// Where it runs; the project's directory when absent.
    cwd: String;
    /// The same as `cwd`.
    working_dir: String;
    /// The endpoint of a server behind streamable HTTP.
    url: Located<String>;
    /// What is sent with every request to it.
    headers: Mapping<String>;
    /// Whether it is used; `true` when absent.
    enabled: bool;
    /// Not supported by this version: put a token into `headers`.
    oauth: Unheeded;
    /// Not supported by this version: servers run as the user who starts them.
    isolation: Unheeded;
    /// Not supported by this version: use `enabled`.
    quarantined: Unheeded;
    /// Not supported by this version: approve with `awf mcp approve`.
    trust_mode: Unheeded;
}

/// One of the two ways to reach it, and what belongs to that.
fn rules() -> Map<String, Value> {
    let of_program = || json!(["command"]);
    let rules = json!({
        "oneOf": [{ "required": ["command"] }, { "required": ["url"] }],
        "dependentRequired": {
            "args": of_program(), "env": of_program(), "cwd": of_program(),
            "working_dir": of_program(), "headers": ["url"],
        },
    });
    match rules {
        Value::Object(rules) => rules,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

/// How a server is reached, where a file says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Stdio,
    Http,
    /// As the other keys say.
    Auto,
}

/// Words for it.
const PROTOCOLS: [(&str, Protocol); 4] = [
    ("stdio", Protocol::Stdio),
    ("http", Protocol::Http),
    ("streamable-http", Protocol::Http),
    ("auto", Protocol::Auto),
];

impl Shape for Protocol {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let words = PROTOCOLS.map(|(word, _)| word);
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, &format!("one of: {}", words.join(", ")));
            return None;
        };
        if scalar.text == "sse" {
            let message = format!("{}: `sse` is not supported by awf", findings.subject());
            let hint = "give the server's streamable HTTP endpoint, with `type: http`";
            let finding = Diagnostic::new(Code::ConfigUnsupported, message);
            findings.add(finding.hinting(hint), node.place);
            return None;
        }
        let known = PROTOCOLS.iter().find(|(word, _)| *word == scalar.text);
        if known.is_none() {
            findings.not_one_of(node, &scalar.text, &words);
        }
        known.map(|(_, protocol)| *protocol)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "enum": PROTOCOLS.map(|(word, _)| word) })
    }
}

/// A key of another program's that awf does not have; `true` where it says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unheeded(pub(crate) bool);

impl Shape for Unheeded {
    fn read(node: &Node, _: &mut Findings<'_>) -> Option<Self> {
        Some(Self(node.scalar().and_then(Scalar::boolean).unwrap_or_default()))
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "not": {} })
    }
}

/// Every server of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServersTyped(pub(crate) Vec<EntryTyped>);

/// One of them, and what is wrong with it: that is judged with the rest of it.
#[derive(Clone, Debug)]
pub(crate) struct EntryTyped {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) server: Option<ServerTyped>,
    pub(crate) found: Vec<Diagnostic>,
}

impl Shape for ServersTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(entries) => Some(Self(
                entries
                    .iter()
                    .map(|entry| {
                        EntryTyped::read(&entry.key, entry.key_place, &entry.value, findings)
                    })
                    .collect(),
            )),
            NodeValue::List(items) => {
                Some(Self(items.iter().filter_map(|item| listed(item, findings)).collect()))
            }
            NodeValue::Scalar(scalar) if scalar.is_null() => Some(Self::default()),
            NodeValue::Scalar(_) => {
                findings.wrong(node, "a mapping of servers by name, or a list of them");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let server = ServerTyped::schema(definitions);
        json!({ "anyOf": [
            { "type": ["object", "null"], "additionalProperties": server },
            { "type": "array", "items": { "allOf": [server], "required": ["name"] } },
        ] })
    }
}

impl EntryTyped {
    fn read(name: &str, place: Place, node: &Node, findings: &mut Findings<'_>) -> Self {
        let subject = format!("`{}`", shown(name));
        let (server, found) = findings.apart(|findings| {
            findings.within(subject, place, |findings| ServerTyped::read(node, findings))
        });
        Self { name: name.to_owned(), place, server, found }
    }

    /// Whether it is an awf that other programs start, or one of this machine that they reach.
    pub(super) fn is_awf(&self) -> bool {
        let Some(server) = &self.server else { return false };
        let program = match &server.command {
            Field::Given(_, command) => is_awf_program(&command.value),
            Field::Absent | Field::Bad(_) => false,
        };
        let here = match &server.url {
            Field::Given(_, url) => LOOPBACK.iter().any(|start| url.value.starts_with(start)),
            Field::Absent | Field::Bad(_) => false,
        };
        program || here
    }
}

/// How addresses of this machine begin.
const LOOPBACK: [&str; 3] = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"];

/// Whether a program is awf, wherever it lies.
pub(crate) fn is_awf_program(command: &str) -> bool {
    Path::new(command).file_name().is_some_and(|name| name == "awf" || name == "awf.exe")
}

/// An item of a list, which must say its name.
fn listed(item: &Node, findings: &mut Findings<'_>) -> Option<EntryTyped> {
    let NodeValue::Map(entries) = &item.value else {
        findings.wrong(item, "a list of mappings");
        return None;
    };
    let named = entries.iter().find(|entry| entry.key == "name");
    let Some((scalar, entry)) = named.and_then(|entry| Some((entry.value.scalar()?, entry))) else {
        let subject = format!("an item of {}", findings.subject());
        findings.within(subject, item.place, |findings| findings.missing("name"));
        return None;
    };
    Some(EntryTyped::read(&scalar.text, entry.value.place, item, findings))
}
