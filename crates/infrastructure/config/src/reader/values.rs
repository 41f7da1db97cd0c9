//! Values that are no mapping with fixed keys: texts, names, numbers, booleans, whole trees.

use awf_core::{Located, Text, Tree};
use serde_json::{Map, Value, json};

use crate::{
    reader::{Findings, Shape},
    schema::Definitions,
    yaml::{Node, NodeValue, Place, Scalar},
};

/// A number where text is meant keeps its digits, so all of these are text.
fn text_schema() -> Value {
    json!({ "type": ["string", "number", "boolean"] })
}

fn scalar<'n>(node: &'n Node, findings: &mut Findings<'_>) -> Option<&'n Scalar> {
    let scalar = node.scalar();
    if scalar.is_none() {
        findings.wrong(node, "text");
    }
    scalar
}

/// The text of a scalar, with the places of its parts.
pub(crate) fn text_of(node: &Node, scalar: &Scalar, findings: &Findings<'_>) -> Text {
    Text { value: scalar.text.clone(), span: findings.span(node.place), origin: scalar.origin }
}

impl Shape for Text {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        scalar(node, findings).map(|scalar| text_of(node, scalar, findings))
    }

    fn schema(_: &mut Definitions) -> Value {
        text_schema()
    }
}

impl Shape for String {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        scalar(node, findings).map(|scalar| scalar.text.clone())
    }

    fn schema(_: &mut Definitions) -> Value {
        text_schema()
    }
}

impl<T: Shape> Shape for Located<T> {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        T::read(node, findings).map(|value| Self { value, span: findings.span(node.place) })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }
}

impl Shape for bool {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let value = node.scalar().and_then(Scalar::boolean);
        if value.is_none() {
            let word = node.scalar().map(|scalar| scalar.text.to_ascii_lowercase());
            let meant = match word.as_deref() {
                Some("yes" | "y" | "on" | "true") => Some(true),
                Some("no" | "n" | "off" | "false") => Some(false),
                Some(_) | None => None,
            };
            let message = format!(
                "{} must be `true` or `false`, not {}",
                findings.subject(),
                node.described()
            );
            let place = if node.is_null() { findings.subject_place() } else { node.place };
            match meant {
                Some(meant) => findings.hint(
                    findings.dialect().invalid,
                    place,
                    message,
                    format!("write `{meant}`: only `true` and `false` without quotes are booleans"),
                ),
                None => findings.invalid(place, message),
            }
        }
        value
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "boolean" })
    }
}

impl Shape for i64 {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let value = node.scalar().and_then(Scalar::integer);
        if value.is_none() {
            findings.wrong(node, "a whole number");
        }
        value
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "integer" })
    }
}

impl Shape for f64 {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let value = node.scalar().and_then(Scalar::number);
        if value.is_none() {
            findings.wrong(node, "a number");
        }
        value
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "number" })
    }
}

impl Shape for Node {
    fn read(node: &Node, _: &mut Findings<'_>) -> Option<Self> {
        Some(node.clone())
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({})
    }
}

impl Shape for Tree {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        Some(tree(node, findings))
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({})
    }
}

fn tree(node: &Node, findings: &Findings<'_>) -> Tree {
    let span = findings.span(node.place);
    match &node.value {
        NodeValue::List(items) => {
            Tree::List(items.iter().map(|item| tree(item, findings)).collect(), span)
        }
        NodeValue::Map(entries) => {
            let entries = entries.iter().map(|entry| {
                let key =
                    Located { value: entry.key.clone(), span: findings.span(entry.key_place) };
                (key, tree(&entry.value, findings))
            });
            Tree::Map(entries.collect(), span)
        }
        NodeValue::Scalar(scalar) => match scalar.json() {
            Value::String(_) => Tree::Text(text_of(node, scalar, findings)),
            value => Tree::Plain(Located { value, span }),
        },
    }
}

/// One value, as it was written; or nothing.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) place: Place,
    pub(crate) scalar: Option<Scalar>,
}

impl Shape for Plain {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let scalar = node.scalar().cloned();
        if scalar.is_none() && !node.is_null() {
            findings.wrong(node, "one value");
            return None;
        }
        Some(Self { place: node.place, scalar })
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": ["string", "number", "boolean", "null"] })
    }
}

/// A mapping as a JSON object.
#[derive(Clone, Debug)]
pub(crate) struct JsonObject(pub(crate) Map<String, Value>);

impl Shape for JsonObject {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match node.json() {
            Value::Object(object) => Some(Self(object)),
            Value::Null => Some(Self(Map::new())),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                findings.wrong(node, "a mapping");
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": ["object", "null"] })
    }
}

/// A text, or several.
#[derive(Clone, Debug)]
pub(crate) struct Texts(pub(crate) Vec<String>);

impl Shape for Texts {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match node.scalar() {
            Some(scalar) => Some(Self(vec![scalar.text.clone()])),
            None => Vec::read(node, findings).map(Self),
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [String::schema(definitions), Vec::<String>::schema(definitions)] })
    }
}
