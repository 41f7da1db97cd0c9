//! What loops go over and how often, as typed.

use awf_core::{Located, Text, Tree};
use serde_json::{Value, json};

use crate::{
    reader::{Findings, Shape, text_of},
    schema::Definitions,
    yaml::{Node, NodeValue},
};

/// A list, or a template that gives one.
#[derive(Clone, Debug)]
pub(crate) struct Items(pub(crate) Tree);

impl Shape for Items {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::List(_) => Tree::read(node, findings).map(Self),
            NodeValue::Scalar(scalar) if !scalar.is_null() => {
                Some(Self(Tree::Text(text_of(node, scalar, findings))))
            }
            NodeValue::Scalar(_) | NodeValue::Map(_) => {
                findings.wrong(node, "a list, or a template that gives one");
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": ["array", "string", "number", "boolean"] })
    }
}

/// A number, or an expression that gives one.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Fixed(Located<i64>),
    Computed(Text),
}

impl Shape for Bound {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, "a whole number or an expression");
            return None;
        };
        // A number in quotes is the same number.
        let number = scalar.integer().or_else(|| scalar.text.trim().parse().ok());
        Some(match number {
            Some(value) => Self::Fixed(Located { value, span: findings.span(node.place) }),
            None => Self::Computed(text_of(node, scalar, findings)),
        })
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": ["integer", "string", "number", "boolean"], "maximum": 10_000 })
    }
}
