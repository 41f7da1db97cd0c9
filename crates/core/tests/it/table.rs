//! Reads tables of tab-separated lines. `#` opens a comment; the last comment before the lines names the columns.

use std::fmt;

use awf_core::{RawJson, ToolDefinition, ToolSource};

/// One line of a table.
pub(crate) struct Line<const N: usize> {
    pub(crate) number: usize,
    pub(crate) cells: [String; N],
}

impl<const N: usize> fmt::Display for Line<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.number, self.cells.join(" | "))
    }
}

pub(crate) fn lines<const N: usize>(text: &str) -> Vec<Line<N>> {
    let numbered = (1..).zip(text.lines());
    let kept = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    kept.map(|(number, line)| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let cells = cells.try_into().unwrap_or_else(|cells: Vec<String>| {
            panic!("line {number} has {} cells, not {N}: {line}", cells.len())
        });
        Line { number, cells }
    })
    .collect()
}

/// A tool called `github:delete_repo` with these `annotations`, `-` being none.
pub(crate) fn tool(annotations: &str) -> ToolDefinition {
    let member = match annotations {
        "-" => String::new(),
        given => format!(r#","annotations":{given}"#),
    };
    let raw = format!(r#"{{"name":"delete_repo","inputSchema":{{"type":"object"}}{member}}}"#);
    ToolDefinition::from_raw(ToolSource::Mcp("github".into()), RawJson::parse(raw).unwrap())
        .unwrap()
}
