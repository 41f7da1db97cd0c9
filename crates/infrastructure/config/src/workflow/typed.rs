//! A workflow file as typed. The comments here are what an editor shows.

use awf_core::{InputType, Located, Text};
use serde_json::{Map, Value, json};

use crate::{
    reader::{Choice, Entries, Field, Findings, Mapping, Plain, Refused, Shape, Word, object},
    schema::Definitions,
    yaml::{Node, NodeValue},
};

mod agent;
mod capture;
mod kind;
mod loops;
mod name;
mod retry;
mod state;
mod states;
mod ways;

pub(crate) use agent::PluginToolsTyped;
pub(super) use agent::{AgentTyped, McpProxyTyped, SkillTyped, ToolsTyped};
pub(crate) use capture::Size;
pub(super) use capture::{CaptureName, CaptureTyped};
pub(super) use kind::{End, TypeTyped, TypeWord};
pub(super) use loops::{Bound, Items};
pub(super) use name::Name;
pub(super) use retry::RetryTyped;
pub(super) use state::{Keyed, StateTyped};
pub(super) use states::{StateEntry, StatesTyped};
pub(super) use ways::{EndTyped, OnFailureTyped, TransitionTyped};

object! {
    /// A workflow: states of shell commands, agents and other work, and the ways between them.
    pub(super) struct WorkflowTyped;
    /// Its name; the file's name without its ending when absent.
    name: Located<String>;
    /// What it is for.
    description: String;
    /// Its version, as its author counts.
    version: String;
    /// Who wrote it.
    author: String;
    /// Words to find it by.
    tags: Vec<String>;
    /// What it must be given: a list of inputs, or a mapping from their names.
    inputs: InputsTyped;
    /// Environment variables that must be set.
    env: Vec<Located<String>>;
    /// Its states by name, and `initial`: the name of the state it begins in.
    states: StatesTyped, required;
    /// What is done around the whole run.
    hooks: WorkflowHooksTyped;
    /// Other names for plugins in `type`: the name on the left stands for the plugin on the right.
    plugins: Mapping<Located<String>>;
    /// Belongs beneath `states`.
    initial: Refused;
}

object! {
    /// What is done around the whole run.
    pub(super) struct WorkflowHooksTyped;
    /// Before the first state; a failure ends the run.
    start = "workflow_start": Vec<Located<HookTyped>>;
    /// After a good end.
    end = "workflow_end": Vec<Located<HookTyped>>;
    /// After a bad end; `error` is known here.
    error = "workflow_error": Vec<Located<HookTyped>>;
    /// After an interruption.
    cancel = "workflow_cancel": Vec<Located<HookTyped>>;
}

object! {
    /// What is done around a state.
    pub(super) struct StateHooksTyped;
    /// Before it.
    pre: Vec<Located<HookTyped>>;
    /// After it, however it ended.
    post: Vec<Located<HookTyped>>;
}

object! {
    /// One thing to do.
    pub(super) struct HookTyped, rules = one_hook;
    /// Text to say.
    log: Text;
    /// A shell command to run.
    command: Text;
}

fn one_hook() -> Map<String, Value> {
    let either = json!([{ "required": ["log"] }, { "required": ["command"] }]);
    Map::from_iter([("oneOf".to_owned(), either)])
}

/// Bounds of keys, beside what their types say.
fn bounds(properties: &Value) -> Map<String, Value> {
    Map::from_iter([("allOf".to_owned(), json!([{ "properties": properties }]))])
}

object! {
    /// One input.
    pub(super) struct InputTyped;
    /// Its name. In the mapping form the key is the name.
    name: Name;
    /// What it may be; `string` when absent.
    kind = "type": Choice<InputType>;
    /// What it is for.
    description: String;
    /// Whether it must be given and not be empty.
    required: bool;
    /// Its value when none is given.
    default: Plain;
    /// Never stored, never shown.
    secret: bool;
    /// What a value must be like.
    validation: InputRulesTyped;
}

object! {
    /// What the value of an input must be like.
    pub(super) struct InputRulesTyped;
    /// A regular expression that must match somewhere.
    pattern: Located<String>;
    /// The values there are.
    one_of = "enum": Located<Vec<String>>;
    /// The least number.
    min: Located<i64>;
    /// The greatest number.
    max: Located<i64>;
    /// It must name a file that exists.
    file_exists: bool;
    /// It must end in one of these, the dot included.
    file_extension: Located<Vec<String>>;
}

/// Inputs with their names, whichever form they were given in.
#[derive(Clone, Debug)]
pub(super) struct InputsTyped(pub(super) Vec<(Located<String>, InputTyped)>);

impl Shape for InputsTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::List(items) => {
                let inputs = items.iter().filter_map(|item| {
                    findings
                        .within("an input".to_owned(), item.place, |findings| named(item, findings))
                });
                Some(Self(inputs.collect()))
            }
            NodeValue::Map(_) => Some(Self(by_key(node, findings)?)),
            NodeValue::Scalar(scalar) if scalar.is_null() => Some(Self(Vec::new())),
            NodeValue::Scalar(_) => {
                findings.wrong(node, "a list of inputs, or a mapping from their names");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let input = InputTyped::schema(definitions);
        json!({ "anyOf": [
            { "type": "array", "items": { "allOf": [input, { "required": ["name"] }] } },
            { "type": "object", "propertyNames": Name::key_schema(), "additionalProperties": {
                "allOf": [input, { "properties": { "name": false } }],
            } },
            { "type": "null" },
        ] })
    }
}

/// An input of the list form: its name stands inside.
fn named(node: &Node, findings: &mut Findings<'_>) -> Option<(Located<String>, InputTyped)> {
    let typed = InputTyped::read(node, findings)?;
    match &typed.name {
        Field::Absent => {
            findings.missing("name");
            None
        }
        Field::Bad(_) => None,
        Field::Given(_, name) => Some((name.0.clone(), typed)),
    }
}

/// Inputs of the mapping form: their keys are their names.
fn by_key(node: &Node, findings: &mut Findings<'_>) -> Option<Vec<(Located<String>, InputTyped)>> {
    let mut inputs = Vec::new();
    for (key, place, value) in Entries::of(node, findings)?.all() {
        let subject = format!("input `{}`", awf_core::shown(key));
        let typed = findings.within(subject, place, |findings| InputTyped::read(value, findings));
        if let Some(typed) = typed {
            if let Some(name) = typed.name.key() {
                let code = awf_core::Code::ConflictingFields;
                findings.hint(code, name, "the input's key is its name already", "remove `name`");
            }
            let name = Located { value: key.to_owned(), span: findings.span(place) };
            inputs.push((Name::judged(name, findings).0, typed));
        }
    }
    Some(inputs)
}

impl Word for InputType {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("string", Self::String),
        ("integer", Self::Integer),
        ("boolean", Self::Boolean),
        ("", Self::String),
    ];
}
