//! `--format sarif`: SARIF 2.1.0, as code scanning reads it. Columns count characters, as everywhere in awf.

use std::{fmt::Write as _, path::Path};

use awf_core::{Code, Diagnostic, Span};
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn document(findings: &[Diagnostic]) -> Value {
    let mut rules: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
    rules.sort();
    rules.dedup();
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &rules)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "awf",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": {"text": code.description()},
        "help": {"text": code.hint()},
        "defaultConfiguration": {"level": code.severity().as_str()},
    })
}

fn result(finding: &Diagnostic, rules: &[Code]) -> Value {
    let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    let locations: Vec<Value> = finding.span.iter().map(location).collect();
    json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": rules.binary_search(&finding.code).unwrap_or_default(),
        "level": finding.severity.as_str(),
        "message": {"text": format!("{}{hint}", finding.message)},
        "locations": locations,
    })
}

fn location(span: &Span) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(&span.file)},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }})
}

/// A path as a URI reference: relative paths stay relative, so that they are found in the repository.
fn uri(file: &str) -> String {
    let mut uri = String::from(if Path::new(file).is_absolute() { "file://" } else { "" });
    for byte in file.trim_start_matches("./").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a string cannot fail.
            other => drop(write!(uri, "%{other:02X}")),
        }
    }
    uri
}
