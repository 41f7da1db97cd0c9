//! The edited text. Places come from the tree; what is between them is left alone.

use crate::{
    reader::{CONFIG, Findings},
    text_edit::{at, insert, line, line_end, offset, with_end},
    yaml::{Entry, Node, NodeValue, parse_tree},
};

/// The text with `enabled` of that plugin set; `None` where that cannot be done.
pub(super) fn edited(text: &str, name: &str, word: &str) -> Option<String> {
    let mut findings = Findings::new("", &CONFIG, "the file");
    let Some(root) = parse_tree(text, &mut findings).filter(|root| !root.is_null()) else {
        let end = line_end(text);
        return Some(format!("{}plugins:{end}{}", with_end(text), block(2, name, word, end)));
    };
    let plugins = entries(&root).find(|entry| entry.key == "plugins")?;
    let items = match &plugins.value.value {
        NodeValue::List(items) => items.as_slice(),
        NodeValue::Scalar(_) => &[],
        NodeValue::Map(_) => return None,
    };
    match items.iter().find(|item| is_named(item, name)) {
        Some(item) => set(text, item, word),
        None => append(text, plugins, items, name, word),
    }
}

fn entries(node: &Node) -> impl Iterator<Item = &Entry> {
    match &node.value {
        NodeValue::Map(entries) => entries.as_slice(),
        NodeValue::List(_) | NodeValue::Scalar(_) => &[],
    }
    .iter()
}

fn is_named(item: &Node, name: &str) -> bool {
    let own = entries(item).find(|entry| entry.key == "name");
    own.and_then(|own| own.value.scalar()).is_some_and(|own| own.text == name)
}

/// Sets the value of `enabled`, or adds the key behind the name.
fn set(text: &str, item: &Node, word: &str) -> Option<String> {
    if let Some(enabled) = entries(item).find(|entry| entry.key == "enabled") {
        let value = text.get(at(text, enabled.value.place)?..)?;
        let old = value.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(value.len());
        let start = text.len() - value.len();
        return Some(format!("{}{word}{}", text.get(..start)?, value.get(old..)?));
    }
    let own = entries(item).find(|entry| entry.key == "name")?;
    let key = at(text, own.key_place)?;
    let quoted = text.get(key..)?.starts_with('"');
    let added = if quoted { format!("\"enabled\": {word}") } else { format!("enabled: {word}") };
    let value_end = offset(text, own.value.place.end_line, own.value.place.end_column)?;
    if text.get(at(text, item.place)?..)?.starts_with('{') {
        return Some(insert(text, value_end, &format!(", {added}")));
    }
    let end = line_end(text);
    let indent = " ".repeat(own.key_place.column - 1);
    match text.get(value_end..)?.find('\n') {
        Some(behind) => {
            Some(insert(text, value_end + behind + 1, &format!("{indent}{added}{end}")))
        }
        None => Some(format!("{text}{end}{indent}{added}")),
    }
}

/// Adds a plugin behind the others.
fn append(text: &str, plugins: &Entry, items: &[Node], name: &str, word: &str) -> Option<String> {
    let end = line_end(text);
    if text.get(at(text, plugins.value.place)?..)?.starts_with('[') {
        let comma = if items.is_empty() { "" } else { ", " };
        let added = format!("{comma}{{name: {name}, enabled: {word}}}");
        let close = text.rfind(']')?;
        let close = text.get(..close)?.trim_end().len();
        return Some(insert(text, close, &added));
    }
    let indent = match items.first() {
        Some(item) => {
            let before = line(text, item.place.line)?.chars().take(item.place.column - 1);
            before.collect::<String>().find('-')?
        }
        None => plugins.key_place.column + 1,
    };
    Some(format!("{}{}", with_end(text), block(indent, name, word, end)))
}

fn block(indent: usize, name: &str, word: &str, end: &str) -> String {
    let indent = " ".repeat(indent);
    format!("{indent}- name: {name}{end}{indent}  enabled: {word}{end}")
}
