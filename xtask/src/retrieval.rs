//! The data of the retrieval benchmark: invented servers with their tools, and queries with what answers them.

mod plain;

use std::{collections::BTreeSet, fs};

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

pub(crate) use plain::Plain;

/// A line of `tools.tsv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) server: String,
    pub(crate) name: String,
    class: String,
    pub(crate) description: String,
    /// `name=what it is; …`
    pub(crate) arguments: String,
}

/// A line of `queries.tsv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Query {
    pub(crate) split: String,
    pub(crate) text: String,
    /// `server:tool`, each of which answers it.
    pub(crate) answers: Vec<String>,
}

impl Tool {
    /// `server:tool`.
    pub(crate) fn qualified(&self) -> String {
        format!("{}:{}", self.server, self.name)
    }

    fn definition(&self) -> Value {
        let arguments = self.arguments.split("; ").filter_map(|argument| argument.split_once('='));
        let properties: Map<String, Value> = arguments
            .map(|(name, text)| (name.to_owned(), json!({"type": "string", "description": text})))
            .collect();
        let (reads, destroys) = (self.class == "r", self.class == "d");
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": {"type": "object", "properties": properties},
            "annotations": {"readOnlyHint": reads, "destructiveHint": destroys},
        })
    }
}

pub(crate) fn tools() -> Result<Vec<Tool>> {
    let read = |line: [String; 5]| {
        let [server, name, class, description, arguments] = line;
        Tool { server, name, class, description, arguments }
    };
    Ok(lines("tools.tsv")?.into_iter().map(read).collect())
}

pub(crate) fn queries() -> Result<Vec<Query>> {
    let read = |line: [String; 3]| {
        let [split, text, answers] = line;
        Query { split, text, answers: answers.split(',').map(str::to_owned).collect() }
    };
    Ok(lines("queries.tsv")?.into_iter().map(read).collect())
}

/// The names of all servers, in order.
pub(crate) fn servers(tools: &[Tool]) -> BTreeSet<&str> {
    tools.iter().map(|tool| tool.server.as_str()).collect()
}

/// The result of `tools/list` of one server.
pub(crate) fn list_of(server: &str) -> Result<String> {
    let tools = tools()?;
    let own: Vec<Value> =
        tools.iter().filter(|tool| tool.server == server).map(Tool::definition).collect();
    ensure!(!own.is_empty(), "no server is called `{server}`");
    Ok(json!({"tools": own}).to_string())
}

fn lines<const FIELDS: usize>(file: &str) -> Result<Vec<[String; FIELDS]>> {
    let path = crate::tree::root().join("xtask/data/retrieval").join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let fields = |(number, line): (usize, &str)| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        fields.try_into().ok().with_context(|| format!("{file}:{number}: not {FIELDS} fields"))
    };
    (1..).zip(text.lines()).map(fields).collect()
}

#[cfg(test)]
mod tests;
