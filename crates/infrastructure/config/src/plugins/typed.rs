//! `.awf/plugins.yaml` as typed. The comments say what its keys mean.

use awf_core::Located;
use serde_json::{Value, json};

use crate::{
    period::Period,
    reader::{Findings, Mapping, Plain, Shape, object},
    schema::Definitions,
    yaml::{Node, NodeValue},
};

object! {
    /// The plugins of a project.
    pub(super) struct PluginsTyped;
    /// One entry for each.
    plugins: Vec<PluginTyped>;
}

object! {
    /// One plugin.
    pub(super) struct PluginTyped;
    /// Its name.
    name: Located<String>, required;
    /// Its binary.
    path: String;
    /// How it is started, where a path is not enough.
    command: Vec<String>;
    /// Whether it is switched on; `true` when absent.
    enabled: bool;
    /// The checksum of its binary, `sha256:…`.
    checksum: Located<String>;
    /// What it is configured with.
    config: Mapping<Node>;
    /// How long a call may take, such as `30s`.
    timeout: Period;
    /// Its operations, by name or in full; not known when absent.
    operations: Vec<OperationTyped>;
    /// Its step types, by name or with a description; not known when absent.
    step_types: Vec<StepTypeTyped>;
    /// What its operations do, by operation.
    annotations: Mapping<HintsTyped>;
}

object! {
    /// What an operation does.
    pub(super) struct HintsTyped;
    /// It changes nothing.
    read_only = "readOnlyHint": bool;
    /// It may destroy something.
    destructive = "destructiveHint": bool;
    /// Using it twice equals using it once.
    idempotent = "idempotentHint": bool;
    /// It reaches beyond this machine.
    open_world = "openWorldHint": bool;
}

object! {
    /// An operation in full.
    pub(super) struct OperationFullTyped;
    /// Its name within the plugin.
    name: String, required;
    /// What it does.
    description: String;
    /// What it takes.
    inputs: Vec<OperationInputTyped>;
    /// What it gives.
    outputs: Vec<OperationOutputTyped>;
}

object! {
    /// One value an operation takes.
    pub(super) struct OperationInputTyped;
    /// Its name.
    name: String, required;
    /// Its type; `string` when absent.
    kind = "type": String;
    /// Whether it must be given.
    required: bool;
    /// Its value when none is given.
    default: Node;
    /// What it is.
    description: String;
    /// A named rule such as `url` or `email`.
    validation: String;
    /// The values there are.
    one_of = "enum": Vec<Plain>;
}

object! {
    /// One value an operation gives.
    pub(super) struct OperationOutputTyped;
    /// Its name.
    name: String, required;
    /// Its type.
    kind = "type": String;
    /// What it is.
    description: String;
}

/// An operation, by name or in full.
#[derive(Clone, Debug)]
pub(super) enum OperationTyped {
    Named(String),
    Full(Box<OperationFullTyped>),
}

impl Shape for OperationTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(_) => OperationFullTyped::read(node, findings)
                .map(|operation| Self::Full(Box::new(operation))),
            NodeValue::Scalar(scalar) if !scalar.is_null() => {
                Some(Self::Named(scalar.text.clone()))
            }
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "a name, or a mapping with `name`");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let forms = [String::schema(definitions), OperationFullTyped::schema(definitions)];
        json!({ "anyOf": forms })
    }
}

object! {
    /// A step type in full.
    pub(super) struct StepTypeFullTyped;
    /// Its name within the plugin.
    name: String, required;
    /// What it does.
    description: String;
}

/// A step type, by name or in full.
#[derive(Clone, Debug)]
pub(super) enum StepTypeTyped {
    Named(String),
    Full(StepTypeFullTyped),
}

impl Shape for StepTypeTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(_) => StepTypeFullTyped::read(node, findings).map(Self::Full),
            NodeValue::Scalar(scalar) if !scalar.is_null() => {
                Some(Self::Named(scalar.text.clone()))
            }
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "a name, or a mapping with `name`");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let forms = [String::schema(definitions), StepTypeFullTyped::schema(definitions)];
        json!({ "anyOf": forms })
    }
}
