//! From the events of the YAML parser to the tree: duplicate keys told, aliases and `<<` written out within a budget.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use awf_core::{Diagnostic, shown};
use serde_saphyr::granit_parser::{
    self, ErrorKind, Event, Marker, Parser, ScalarStyle, ScanError, Tag,
};

use crate::{
    file::LARGEST,
    reader::Findings,
    yaml::{Entry, Node, NodeValue, Place, Scalar, source::Source},
};

/// No file a person writes is nested deeper.
const DEEPEST: usize = 64;
/// Nor has more values, with every alias written out and long texts counted by their length.
const MOST: usize = 100_000;
/// Bytes of text that count as one value.
const TEXT_UNIT: usize = 64;
/// Braces without quotes are mappings to YAML.
const QUOTE_TEMPLATE: &str = "put text with `{{…}}` in quotes";

/// The tree of `text`; `None` when there is none, and why is among the findings.
pub(crate) fn parse_tree(text: &str, findings: &mut Findings<'_>) -> Option<Node> {
    if text.len() > LARGEST {
        findings.too_large(Place::START, "the file is larger than 1 MiB");
        return None;
    }
    let options = granit_parser::options! {
        flow_nesting_limit: DEEPEST,
        block_nesting_limit: DEEPEST,
        emit_comments: false,
    };
    let mut builder = Builder {
        source: Source::of(text),
        findings,
        anchors: HashMap::new(),
        open: Vec::new(),
        weight: 0,
        root: None,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => builder.take(event, span)?,
            Err(error) => {
                builder.broken(&error);
                return None;
            }
        }
    }
    let empty = Scalar { text: String::new(), plain: true, origin: None };
    Some(builder.root.unwrap_or(Node { place: Place::START, value: NodeValue::Scalar(empty) }))
}

struct Builder<'t, 'f, 'n> {
    source: Source<'t>,
    findings: &'f mut Findings<'n>,
    anchors: HashMap<usize, Anchored>,
    open: Vec<Open>,
    weight: usize,
    root: Option<Node>,
}

/// What an alias stands for.
struct Anchored {
    node: Node,
    weight: usize,
    height: usize,
}

/// A list or mapping whose end was not seen yet.
struct Open {
    place: Place,
    start: Marker,
    anchor: usize,
    weight_before: usize,
    height: usize,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, known: HashMap<String, Place>, key: Option<Key> },
}

enum Key {
    Text(String, Place),
    /// It was refused, and its value goes with it.
    Refused,
}

impl Builder<'_, '_, '_> {
    fn take(&mut self, event: Event<'_>, span: granit_parser::Span) -> Option<()> {
        let place = self.source.place(span);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = self.scalar(text, style, tag.as_deref(), span);
                let weight = 1 + text_weight(&node);
                self.grow(weight, place)?;
                self.remember(anchor, &node, weight, 0)?;
                self.settle(node, 0);
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), place);
                self.begin(span, anchor, Content::List(Vec::new()))?;
            }
            Event::MappingStart(_, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), place);
                let content =
                    Content::Map { entries: Vec::new(), known: HashMap::new(), key: None };
                self.begin(span, anchor, content)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span)?,
            Event::Alias(id) => self.alias(id, place)?,
            Event::DocumentStart(..) if self.root.is_some() => {
                self.findings.syntax(place, "the file holds more than one document");
                return None;
            }
            // Where streams and documents begin and end; the rest was not asked for.
            _ => {}
        }
        Some(())
    }

    fn begin(&mut self, span: granit_parser::Span, anchor: usize, content: Content) -> Option<()> {
        let place = self.source.place(span);
        let weight_before = self.weight;
        self.grow(1, place)?;
        self.deep_enough(self.open.len() + 1, place)?;
        self.open.push(Open {
            place,
            start: span.start,
            anchor,
            weight_before,
            height: 1,
            content,
        });
        Some(())
    }

    fn end(&mut self, closing: granit_parser::Span) -> Option<()> {
        let mut open = self.open.pop()?;
        // A closing bracket on the same line; what ends elsewhere keeps its first line.
        if closing.end.line() == open.place.line && closing.end.col() > closing.start.col() {
            open.place.end_column = open.place.end_column.max(closing.end.col() + 1);
        }
        let value = match open.content {
            Content::List(items) => NodeValue::List(items),
            Content::Map { entries, known, key: _ } => NodeValue::Map(self.merged(entries, &known)),
        };
        // Told when its key was refused. It is read as what was meant, so that nothing more follows from it.
        let value = self.source.unquoted(open.start, closing.end).map_or(value, NodeValue::Scalar);
        let node = Node { place: open.place, value };
        self.remember(open.anchor, &node, self.weight - open.weight_before, open.height)?;
        self.settle(node, open.height);
        Some(())
    }

    /// Puts a finished value where it belongs: behind its key, into its list, or at the top.
    fn settle(&mut self, node: Node, height: usize) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        open.height = open.height.max(height + 1);
        match &mut open.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, known, key } => match key.take() {
                None => *key = Some(read_key(&node, known, self.findings)),
                Some(Key::Text(key, key_place)) => {
                    entries.push(Entry { key, key_place, value: node });
                }
                Some(Key::Refused) => {}
            },
        }
    }

    fn alias(&mut self, id: usize, place: Place) -> Option<()> {
        let Some(anchored) = self.anchors.get(&id) else {
            self.findings.syntax(place, "an alias stands within what it stands for");
            return None;
        };
        let (weight, height) = (anchored.weight, anchored.height);
        let node = anchored.node.clone();
        self.grow(weight, place)?;
        self.deep_enough(self.open.len() + height, place)?;
        self.settle(node, height);
        Some(())
    }

    /// The entries with those of `<<` behind them, where a key of the same name does not stand before.
    fn merged(&mut self, entries: Vec<Entry>, known: &HashMap<String, Place>) -> Vec<Entry> {
        if !known.contains_key("<<") {
            return entries;
        }
        let (merges, mut own): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| entry.key == "<<");
        let mut names: HashSet<String> = own.iter().map(|entry| entry.key.clone()).collect();
        for entry in merges {
            let sources = match entry.value.value {
                NodeValue::List(items) => items,
                NodeValue::Scalar(_) | NodeValue::Map(_) => vec![entry.value],
            };
            for source in sources {
                match source.value {
                    NodeValue::Map(entries) => own.extend(
                        entries.into_iter().filter(|entry| names.insert(entry.key.clone())),
                    ),
                    NodeValue::Scalar(_) | NodeValue::List(_) => self
                        .findings
                        .invalid(entry.key_place, "`<<` must name a mapping, or a list of them"),
                }
            }
        }
        own
    }

    /// Keeps what an alias will stand for: a copy, which counts.
    fn remember(&mut self, anchor: usize, node: &Node, weight: usize, height: usize) -> Option<()> {
        if anchor != 0 {
            self.grow(weight, node.place)?;
            self.anchors.insert(anchor, Anchored { node: node.clone(), weight, height });
        }
        Some(())
    }

    fn grow(&mut self, weight: usize, place: Place) -> Option<()> {
        self.weight += weight;
        if self.weight > MOST {
            self.findings.too_large(
                place,
                format!("the file holds more than {MOST} values, its aliases written out"),
            );
            return None;
        }
        Some(())
    }

    fn deep_enough(&mut self, depth: usize, place: Place) -> Option<()> {
        if depth > DEEPEST {
            self.findings.too_large(place, format!("values are nested more than {DEEPEST} deep"));
            return None;
        }
        Some(())
    }

    fn broken(&mut self, error: &ScanError) {
        let place = self.source.place(granit_parser::Span::empty(*error.marker()));
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            self.findings.too_large(place, format!("values are nested more than {DEEPEST} deep"));
        } else {
            match remedy(&error.info(), self.source.line(place)) {
                Some(hint) => {
                    self.findings.hint(self.findings.dialect().syntax, place, error.info(), hint);
                }
                None => self.findings.syntax(place, error.info()),
            }
        }
    }

    fn refuse_tag(&mut self, tag: Option<&Tag>, place: Place) {
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) {
            let message = format!("the tag `{}` has no meaning here", shown(&tag.original()));
            self.findings.invalid(place, message);
        }
    }

    fn scalar(
        &mut self,
        text: Cow<'_, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: granit_parser::Span,
    ) -> Node {
        let place = self.source.place(span);
        self.refuse_tag(tag, place);
        let said_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
        let origin = self.source.origin(&text, style, span);
        let place = if origin.is_none() { self.source.whole(style, span) } else { place };
        let plain = style == ScalarStyle::Plain && !said_text;
        Node { place, value: NodeValue::Scalar(Scalar { text: text.into_owned(), plain, origin }) }
    }
}

/// What to do about the mistakes people make, by the parser's words for them.
fn remedy(message: &str, line: &str) -> Option<&'static str> {
    if line.contains("{{") && message.contains("did not find expected") {
        Some(QUOTE_TEMPLATE)
    } else if message.starts_with("mapping values are not allowed") {
        Some("put text with a colon and a space in quotes")
    } else if message.starts_with("tabs") {
        Some("indent with spaces")
    } else {
        None
    }
}

fn text_weight(node: &Node) -> usize {
    match &node.value {
        NodeValue::Scalar(scalar) => scalar.text.len() / TEXT_UNIT,
        NodeValue::List(_) | NodeValue::Map(_) => 0,
    }
}

/// A key must be text, and new.
fn read_key(node: &Node, known: &mut HashMap<String, Place>, findings: &mut Findings<'_>) -> Key {
    let Some(scalar) = node.scalar() else {
        let message = format!("a key must be text, not {}", node.described());
        match node.value {
            NodeValue::Map(_) => {
                findings.hint(findings.dialect().invalid, node.place, message, QUOTE_TEMPLATE);
            }
            NodeValue::List(_) | NodeValue::Scalar(_) => findings.invalid(node.place, message),
        }
        return Key::Refused;
    };
    let key = scalar.text.clone();
    if let Some(first) = known.get(&key) {
        let message = format!("the key `{}` is given twice", shown(&key));
        let finding = Diagnostic::new(findings.dialect().duplicate, message)
            .hinting(format!("keep one of them; the first is on line {}", first.line));
        findings.add(finding, node.place);
        return Key::Refused;
    }
    known.insert(key.clone(), node.place);
    Key::Text(key, node.place)
}
