//! A request as every protocol means it: who is asked, what is offered, what was said before.

use hyper::StatusCode;
use serde_json::Value;

use crate::models::{reply::Reply, request::ToolResultSeen};

/// What a request holds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Conversation {
    pub(super) model: String,
    pub(super) form: Form,
    pub(super) tools: Vec<Offered>,
    pub(super) results: Vec<ToolResultSeen>,
    pub(super) system: String,
    pub(super) prompts: Vec<String>,
    /// How many answers are in its history.
    pub(super) turn: usize,
    /// What tools were searched for already, where tools are found by search.
    pub(super) searches: Vec<String>,
    /// The schema an answer must match: a side request, whose answer is for the agent and not for the user.
    pub(super) schema: Option<Value>,
}

/// In which form the answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// In one piece.
    #[default]
    Whole,
    /// As events.
    Stream,
    /// As events, and what it cost as one of them.
    StreamWithUsage,
}

impl Form {
    /// From the field `stream` of a body.
    pub(super) fn of(body: &Value) -> Self {
        if body["stream"] == Value::Bool(true) { Self::Stream } else { Self::Whole }
    }
}

/// A tool that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offered {
    /// As the model sees it.
    pub(super) name: String,
    pub(super) kind: OfferedKind,
}

/// How it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OfferedKind {
    /// By name, with JSON.
    Function,
    /// By name and namespace, with JSON.
    Spaced { namespace: String, name: String },
    /// By name, with free text.
    Text,
    /// With a script that calls others.
    Script,
    /// From within a script only.
    Nested { name: String },
    /// To find others.
    Search,
}

impl Offered {
    pub(super) fn function(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: OfferedKind::Function }
    }
}

/// What a turn comes to.
pub(super) enum TurnKind {
    Answer(Reply),
    Refuse(StatusCode),
    Silence,
}

/// The text in a value, whichever of the usual wrappings it has.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(fields) => {
            let wrapped =
                ["text", "output", "content", "error"].iter().find_map(|key| fields.get(*key));
            wrapped.map_or_else(|| value.to_string(), text_of)
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// The items of a field that should be a list.
pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The text of a field that should be one.
pub(super) fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
