//! Where a state leads, as typed.

use awf_core::{Located, Text};
use serde_json::{Map, Value, json};

use crate::{
    reader::{Findings, Shape, object},
    schema::Definitions,
    workflow::typed::bounds,
    yaml::{Node, NodeValue},
};

object! {
    /// A conditional way.
    pub(crate) struct TransitionTyped, rules = needs_goto;
    /// An expression; without one the way is always taken.
    when: Text;
    /// The state to go to.
    goto: Located<String>;
}

fn needs_goto() -> Map<String, Value> {
    Map::from_iter([("required".to_owned(), json!(["goto"]))])
}

object! {
    /// An end of the run, where a step failed.
    pub(crate) struct EndTyped, rules = exit_code;
    /// What to say.
    message: Text, required;
    /// The exit code, 1 to 255; 1 when absent.
    status: Located<i64>;
}

fn exit_code() -> Map<String, Value> {
    bounds(&json!({ "status": { "minimum": 1, "maximum": 255 } }))
}

/// What to do after a failure.
#[derive(Clone, Debug)]
pub(crate) enum OnFailureTyped {
    Goto(Located<String>),
    End(EndTyped),
}

impl Shape for OnFailureTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(_) => EndTyped::read(node, findings).map(Self::End),
            NodeValue::Scalar(scalar) if !scalar.is_null() => {
                Located::read(node, findings).map(Self::Goto)
            }
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "the name of a state, or a mapping with `message`");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [String::schema(definitions), EndTyped::schema(definitions)] })
    }
}
