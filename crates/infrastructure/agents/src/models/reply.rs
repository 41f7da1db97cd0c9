//! From a script and a request to the answer.

use hyper::StatusCode;
use serde_json::{Value, json};

use crate::models::{
    conversation::{Conversation, Offered, OfferedKind, TurnKind},
    sample::sample,
    scenario::{ModelCall, ModelTurn, Scenario, Wanted},
};

pub(super) mod script;

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
}

/// A tool that is called.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Call {
    Function { namespace: Option<String>, name: String, arguments: Value },
    Text { name: String, input: String },
    Search { query: String },
}

impl Call {
    /// As the tool is listed.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Function { namespace: Some(space), name, .. } => format!("{space}/{name}"),
            Self::Function { namespace: None, name, .. } | Self::Text { name, .. } => name.clone(),
            Self::Search { .. } => "tool_search".to_owned(),
        }
    }

    /// The plain name and JSON arguments, for protocols that know nothing else.
    pub(super) fn plain(&self) -> (String, Value) {
        match self {
            Self::Function { arguments, .. } => (self.shown(), arguments.clone()),
            Self::Text { input, .. } => (self.shown(), json!({"input": input})),
            Self::Search { query } => (self.shown(), json!({"query": query})),
        }
    }
}

/// What `scenario` has for this request.
pub(super) fn decide(scenario: &Scenario, talk: &Conversation) -> TurnKind {
    if let Some(schema) = &talk.schema {
        let text = sample(schema).to_string();
        return TurnKind::Answer(Reply { text, calls: Vec::new() });
    }
    let Some(turn) = scenario.turns.get(talk.turn) else {
        return TurnKind::Answer(Reply { text: scenario.last.clone(), calls: Vec::new() });
    };
    if turn.hang {
        return TurnKind::Silence;
    }
    match turn.http_error {
        Some(status) => TurnKind::Refuse(
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        ),
        None => TurnKind::Answer(answer(turn, talk)),
    }
}

fn answer(turn: &ModelTurn, talk: &Conversation) -> Reply {
    let mut text = turn.text.clone().unwrap_or_default();
    let mut calls = Vec::new();
    for call in &turn.calls {
        match placed(call, talk) {
            Some(call) => calls.push(call),
            None => text.push_str(&missing(call)),
        }
    }
    Reply { text, calls }
}

/// Said instead of a call, so that a script which asks for too much is noticed where the answer is read.
fn missing(call: &ModelCall) -> String {
    let (Wanted::Offered(wanted) | Wanted::Named(wanted)) = &call.wanted;
    format!("no tool is offered whose name ends in {wanted}")
}

fn placed(call: &ModelCall, talk: &Conversation) -> Option<Call> {
    let found = talk.tools.iter().find(|tool| matches(&call.wanted, tool));
    match (found, &call.wanted) {
        (Some(tool), _) => of_kind(tool, call, talk),
        (None, Wanted::Named(name)) => Some(invented(name, call)),
        (None, Wanted::Offered(wanted)) => {
            scripted(wanted, call, talk).or_else(|| searched(wanted, talk))
        }
    }
}

fn matches(wanted: &Wanted, tool: &Offered) -> bool {
    match (wanted, &tool.kind) {
        (Wanted::Named(name), OfferedKind::Nested { name: nested }) => nested == name,
        (Wanted::Named(name), _) => tool.name == *name,
        (Wanted::Offered(suffix), _) => ends_in(&tool.name, suffix),
    }
}

/// Whether a name ends in `suffix`, at a word's edge.
fn ends_in(name: &str, suffix: &str) -> bool {
    name.strip_suffix(suffix)
        .is_some_and(|before| !before.ends_with(|last: char| last.is_ascii_alphanumeric()))
}

fn of_kind(tool: &Offered, call: &ModelCall, talk: &Conversation) -> Option<Call> {
    let arguments = call.arguments.clone();
    match &tool.kind {
        OfferedKind::Function => {
            Some(Call::Function { namespace: None, name: tool.name.clone(), arguments })
        }
        OfferedKind::Spaced { namespace, name } => Some(Call::Function {
            namespace: Some(namespace.clone()),
            name: name.clone(),
            arguments,
        }),
        OfferedKind::Text | OfferedKind::Script => {
            Some(Call::Text { name: tool.name.clone(), input: free_text(&arguments) })
        }
        OfferedKind::Nested { name } => scripted(name, call, talk),
        OfferedKind::Search => Some(Call::Search { query: free_text(&arguments) }),
    }
}

fn invented(name: &str, call: &ModelCall) -> Call {
    if call.custom {
        return Call::Text { name: name.to_owned(), input: free_text(&call.arguments) };
    }
    Call::Function { namespace: None, name: name.to_owned(), arguments: call.arguments.clone() }
}

/// Through the tool that runs scripts, if there is one: it may reach tools that are not listed.
fn scripted(wanted: &str, call: &ModelCall, talk: &Conversation) -> Option<Call> {
    let runner = talk.tools.iter().find(|tool| tool.kind == OfferedKind::Script)?;
    let argument =
        if call.custom { Value::from(free_text(&call.arguments)) } else { call.arguments.clone() };
    Some(Call::Text { name: runner.name.clone(), input: script::calling(wanted, &argument) })
}

/// By a search for it, once.
fn searched(wanted: &str, talk: &Conversation) -> Option<Call> {
    talk.tools.iter().find(|tool| tool.kind == OfferedKind::Search)?;
    let query = wanted.replace('_', " ");
    (!talk.searches.contains(&query)).then_some(Call::Search { query })
}

fn free_text(arguments: &Value) -> String {
    match arguments.get("input").unwrap_or(arguments) {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
