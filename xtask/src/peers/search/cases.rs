//! What is searched for. A Grep is its arguments, from which ripgrep's are made.

use std::fmt;

use serde_json::{Value, json};

use super::wood::LATE;

pub(crate) fn greps() -> Vec<(&'static str, Value)> {
    let content = |mut arguments: Value| {
        arguments["output_mode"] = json!("content");
        arguments
    };
    vec![
        ("every file with a line", json!({"pattern": "^"})),
        ("how many lines every file has", json!({"pattern": "^", "output_mode": "count"})),
        ("a literal", content(json!({"pattern": "needle_in_the_wood"}))),
        ("a literal, files", json!({"pattern": "needle_in_the_wood"})),
        ("a literal, counted", json!({"pattern": "record", "output_mode": "count"})),
        (
            "a regular expression",
            content(json!({"pattern": r"\b(queue|cursor) [a-m]\w+or [0-9]{2}5\b"})),
        ),
        ("a class of Unicode", content(json!({"pattern": r"\p{Greek}+ñ|日本"}))),
        ("any case", content(json!({"pattern": "NEEDLE_in_the|straße überall", "-i": true}))),
        (
            "any case of Unicode, counted",
            json!({"pattern": "ÜBERALL", "-i": true, "output_mode": "count"}),
        ),
        ("the end of a line", content(json!({"pattern": "last word$"}))),
        ("carriage returns", json!({"pattern": r"\r$", "output_mode": "count"})),
        ("bytes that are no text", content(json!({"pattern": r"caf(?-u:\xE9) closed"}))),
        ("across lines", content(json!({"pattern": r"BEGIN \d+\n.*?\bEND", "multiline": true}))),
        (
            "across lines, counted",
            json!({"pattern": r"BEGIN \d+.{1,80}?END", "multiline": true, "output_mode": "count"}),
        ),
        ("one type", json!({"pattern": "vector", "type": "rust"})),
        (
            "another type, counted",
            json!({"pattern": "vector", "type": "py", "output_mode": "count"}),
        ),
        ("one glob", json!({"pattern": "vector", "glob": "*.md"})),
        ("a glob with folders", content(json!({"pattern": "needle", "glob": "lib/**/*.{rs,go}"}))),
        ("a glob that brings back what is ignored", json!({"pattern": "needle", "glob": "*.log"})),
        ("a glob that leaves out", json!({"pattern": "needle", "glob": "!**/deep/**"})),
        ("lines after", content(json!({"pattern": "needle_in_the_wood", "-A": 2}))),
        ("lines before", content(json!({"pattern": "needle_in_the_wood", "-B": 3}))),
        ("lines around", content(json!({"pattern": "needle_in_the|BEGIN 1", "-C": 1}))),
        ("long lines", content(json!({"pattern": "far_to_the_right"}))),
        ("one folder", content(json!({"pattern": "needle", "path": "docs"}))),
        ("a nested repository", json!({"pattern": "^", "path": "vendor"})),
        ("until binary data", content(json!({"pattern": "needle", "path": LATE}))),
        ("until binary data, files", json!({"pattern": "needle", "path": LATE})),
        ("one file", content(json!({"pattern": "^", "path": "docs/crlf.txt"}))),
    ]
}

/// A Glob: a pattern, in a folder beneath the root or in the root itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glob {
    pub(crate) pattern: &'static str,
    pub(crate) path: &'static str,
}

pub(crate) const GLOBS: [Glob; 14] = [
    Glob { pattern: "*_1*.rs", path: "" },
    Glob { pattern: "needle*", path: "" },
    Glob { pattern: "**/deep/*.py", path: "" },
    Glob { pattern: "docs/**/*.md", path: "" },
    Glob { pattern: "**/deep/**", path: "data" },
    Glob { pattern: "lib/*/*.{rs,go}", path: "" },
    Glob { pattern: "[a-c]*_?[0-4]*.go", path: "" },
    Glob { pattern: "*", path: "vendor" },
    Glob { pattern: "*", path: "docs" },
    Glob { pattern: "*.log", path: "" },
    Glob { pattern: "*.tmp", path: "" },
    Glob { pattern: "*.bak", path: "" },
    Glob { pattern: "!*.rs", path: "tools" },
    Glob { pattern: "!deep", path: "pkg" },
];

impl Glob {
    /// fd cannot leave out what matches.
    pub(crate) fn is_inverted(self) -> bool {
        self.pattern.starts_with('!')
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path {
            "" => write!(f, "`{}`", self.pattern),
            path => write!(f, "`{}` in `{path}`", self.pattern),
        }
    }
}
