//! The edited text. Places come from the tree; what is between them is left alone.

use crate::{
    reader::{CONFIG, Findings},
    servers::edit::entry::{quoted, scalar},
    text_edit::{at, insert, line, line_end, with_end},
    yaml::{Entry, Node, NodeValue, Place, parse_tree},
};

const SERVERS: &str = "mcpServers";

type Keys = [(&'static str, String)];

/// The text with a server more; `None` where that cannot be done.
pub(super) fn added(text: &str, name: &str, keys: &Keys) -> Option<String> {
    let end = line_end(text);
    let Some(root) = tree(text).filter(|root| !root.is_null()) else {
        return Some(format!("{}{SERVERS}:{end}{}", with_end(text), block(2, name, keys, end)));
    };
    let flow_root = starts(text, root.place)? == '{';
    let Some(servers) = entries(&root).iter().find(|entry| entry.key == SERVERS) else {
        let inside = format!("{{{}}}", flow(name, keys));
        return if flow_root {
            let comma = if entries(&root).is_empty() { "" } else { ", " };
            let added = format!("{}: {inside}{comma}", quoted(SERVERS));
            Some(insert(text, at(text, root.place)? + 1, &added))
        } else {
            Some(format!("{}{SERVERS}:{end}{}", with_end(text), block(2, name, keys, end)))
        };
    };
    match &servers.value.value {
        NodeValue::Map(inside) if starts(text, servers.value.place)? == '{' => {
            let comma = if inside.is_empty() { "" } else { ", " };
            let added = format!("{}{comma}", flow(name, keys));
            Some(insert(text, at(text, servers.value.place)? + 1, &added))
        }
        NodeValue::List(items) if starts(text, servers.value.place)? == '[' => {
            let comma = if items.is_empty() { "" } else { ", " };
            let added = format!("{{{}}}{comma}", listed(name, keys));
            Some(insert(text, at(text, servers.value.place)? + 1, &added))
        }
        NodeValue::Map(inside) => {
            let indent = inside.first()?.key_place.column - 1;
            Some(behind(text, &root, servers, &block(indent, name, keys, end)))
        }
        NodeValue::List(items) => {
            let first = items.first()?.place;
            let before: String = line(text, first.line)?.chars().take(first.column - 1).collect();
            let indent = " ".repeat(before.find('-')?);
            let added = format!("{indent}- {{{}}}{end}", listed(name, keys));
            Some(behind(text, &root, servers, &added))
        }
        // Nothing behind the colon; a `~` would be in the way.
        NodeValue::Scalar(_) if is_bare(line(text, servers.key_place.line)?) => {
            let indent = servers.key_place.column + 1;
            Some(behind(text, &root, servers, &block(indent, name, keys, end)))
        }
        NodeValue::Scalar(_) => None,
    }
}

/// The text without a server; `None` where that cannot be done.
pub(super) fn removed(text: &str, name: &str) -> Option<String> {
    let root = tree(text)?;
    let servers = entries(&root).iter().find(|entry| entry.key == SERVERS)?;
    let opening = starts(text, servers.value.place)?;
    let flow = match &servers.value.value {
        NodeValue::Map(_) => opening == '{',
        NodeValue::List(_) => opening == '[',
        NodeValue::Scalar(_) => false,
    };
    let (mut places, gone): (Vec<Place>, usize) = match &servers.value.value {
        NodeValue::Map(inside) => (
            inside.iter().map(|entry| entry.key_place).collect(),
            inside.iter().position(|entry| entry.key == name)?,
        ),
        NodeValue::List(items) => (
            items.iter().map(|item| item.place).collect(),
            items.iter().position(|item| is_named(item, name))?,
        ),
        NodeValue::Scalar(_) => return None,
    };
    let start = *places.get(gone)?;
    if flow {
        return flow_removed(text, at(text, start)?);
    }
    places.extend(entries(&root).iter().map(|entry| entry.key_place));
    let next = places.iter().map(|place| place.line).filter(|line| *line > start.line).min();
    let last = last_line(text, start.line, next);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let kept = lines.iter().take(start.line - 1).chain(lines.iter().skip(last));
    Some(kept.copied().collect())
}

fn tree(text: &str) -> Option<Node> {
    parse_tree(text, &mut Findings::new("", &CONFIG, "the file"))
}

fn entries(node: &Node) -> &[Entry] {
    match &node.value {
        NodeValue::Map(entries) => entries,
        NodeValue::List(_) | NodeValue::Scalar(_) => &[],
    }
}

fn is_named(item: &Node, name: &str) -> bool {
    let own = entries(item).iter().find(|entry| entry.key == "name");
    own.and_then(|own| own.value.scalar()).is_some_and(|own| own.text == name)
}

/// Whether a line ends with the colon of a key, but for a comment.
fn is_bare(line: &str) -> bool {
    let said = line.split_once(" #").map_or(line, |(said, _)| said);
    said.trim_end().ends_with(':')
}

/// Lines behind the last one that belongs to `entry`.
fn behind(text: &str, root: &Node, entry: &Entry, added: &str) -> String {
    let line = entry.key_place.line;
    let next = entries(root).iter().map(|other| other.key_place.line).filter(|at| *at > line).min();
    let last = last_line(text, line, next);
    let at: usize = text.split_inclusive('\n').take(last).map(str::len).sum();
    let (before, after) = text.split_at(at);
    format!("{}{added}{after}", with_end(before))
}

/// The last line with something on it before `next`: blank lines and comments belong to what comes behind them.
fn last_line(text: &str, from: usize, next: Option<usize>) -> usize {
    let until = next.map_or(usize::MAX, |next| next - 1);
    let lines = text.split('\n').enumerate().map(|(index, line)| (index + 1, line.trim()));
    let inside = lines.filter(|(number, _)| (from..=until).contains(number));
    let said = inside.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    said.map(|(number, _)| number).last().unwrap_or(from)
}

/// Takes out what begins at `start`, with the comma that parted it from its neighbour.
fn flow_removed(text: &str, start: usize) -> Option<String> {
    let end = start + flow_length(text.get(start..)?)?;
    let (before, after) = (text.get(..start)?, text.get(end..)?);
    if let Some(after) = after.strip_prefix(',') {
        return Some(format!("{before}{}", after.trim_start_matches(' ')));
    }
    let before = before.trim_end();
    Some(format!("{}{after}", before.strip_suffix(',').unwrap_or(before)))
}

/// How far it is to the comma or bracket that ends what begins here.
fn flow_length(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), c) if open == c && !escaped => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, ',' | '}' | ']') if depth == 0 => return Some(at),
            (None, '}' | ']') => depth -= 1,
            (Some(_) | None, _) => {}
        }
        escaped = false;
    }
    None
}

fn block(indent: usize, name: &str, keys: &Keys, end: &str) -> String {
    let indent = " ".repeat(indent);
    let lines = keys.iter().map(|(key, value)| format!("{indent}  {key}: {value}{end}"));
    format!("{indent}{}:{end}{}", scalar(name), lines.collect::<String>())
}

/// `name: {…}`, with quotes: it may stand in JSON.
fn flow(name: &str, keys: &Keys) -> String {
    format!("{}: {{{}}}", quoted(name), joined(keys))
}

fn listed(name: &str, keys: &Keys) -> String {
    format!("\"name\": {}, {}", quoted(name), joined(keys))
}

fn joined(keys: &Keys) -> String {
    let keys: Vec<String> = keys.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    keys.join(", ")
}

fn starts(text: &str, place: Place) -> Option<char> {
    text.get(at(text, place)?..).map(|rest| rest.chars().next().unwrap_or('\n'))
}
