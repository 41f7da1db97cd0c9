//! A JSON document as YAML: blocks in the same order, numbers as they were written. It reads back as the same document.

use std::fmt::Write as _;

use awf_core::{RawJson, RawObject, visible_yaml};
use serde_json::value::RawValue;

/// Words that some reader of YAML takes for something else than text.
const LOADED: [&str; 12] =
    ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "nil"];

/// Writes a document, ended by a newline.
pub(crate) fn from_json(document: &RawJson) -> String {
    let mut out = String::new();
    value(&mut out, document.get(), 0);
    visible_yaml(format!("{}\n", out.trim_start()))
}

/// A value behind its key or dash: a scalar on the same line, what has parts beneath it.
fn value(out: &mut String, raw: &str, depth: usize) {
    match raw.as_bytes().first() {
        Some(b'{') => object(out, raw, depth),
        Some(b'[') => list(out, raw, depth),
        Some(b'"') => {
            let text = serde_json::from_str::<String>(raw).unwrap_or_default();
            out.push(' ');
            out.push_str(&scalar(&text));
        }
        _ => {
            out.push(' ');
            out.push_str(raw);
        }
    }
}

fn object(out: &mut String, raw: &str, depth: usize) {
    let members = RawJson::parse(raw).ok().and_then(|raw| RawObject::read(&raw).ok());
    let Some(members) = members else {
        // A key that is there twice has no place in YAML: the text itself is told.
        out.push(' ');
        out.push_str(&quoted(raw));
        return;
    };
    if members.iter().next().is_none() {
        out.push_str(" {}");
    }
    for (key, member) in members.iter() {
        line(out, depth, &format!("{}:", scalar(key)));
        value(out, member.get(), depth + 1);
    }
}

fn list(out: &mut String, raw: &str, depth: usize) {
    let items: Vec<&RawValue> = serde_json::from_str(raw).unwrap_or_default();
    if items.is_empty() {
        out.push_str(" []");
    }
    for item in items {
        line(out, depth, "-");
        value(out, item.get(), depth + 1);
    }
}

fn line(out: &mut String, depth: usize, text: &str) {
    // Into a text, nothing fails.
    write!(out, "\n{:width$}{text}", "", width = 2 * depth).ok();
}

/// A plain word as it is; all else as JSON has it, which YAML reads alike.
fn scalar(text: &str) -> String {
    let mut characters = text.chars();
    let word = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !LOADED.contains(&text.to_ascii_lowercase().as_str());
    if word { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
