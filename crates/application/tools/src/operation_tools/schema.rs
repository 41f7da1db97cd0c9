//! What an operation takes, as JSON Schema.
//!
//! What cannot be said in a schema is refused by name, before a model sees the tool; nothing is guessed or left out.

use std::collections::HashSet;

use awf_core::{Code, Diagnostic, OperationInput, OperationSchema, ToolName, shown};
use serde_json::{Map, Value, json};

mod kind;

pub(super) use kind::Kind;

/// Why an operation cannot be a tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", place(operation, input.as_deref()))]
pub struct UnsupportedSchema {
    /// The operation.
    pub operation: String,
    /// The input at fault; none when it is the operation itself.
    pub input: Option<String>,
    /// What is wrong.
    pub reason: String,
}

impl UnsupportedSchema {
    pub(super) fn whole(operation: &OperationSchema, reason: impl Into<String>) -> Self {
        Self { operation: operation.name.clone(), input: None, reason: reason.into() }
    }

    /// What a person is told.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::new(Code::ProxyUnsupportedSchema, self.to_string())
    }
}

fn place(operation: &str, input: Option<&str>) -> String {
    let operation = shown(operation);
    match input {
        Some(input) => format!("operation `{operation}`, input `{}`: ", shown(input)),
        None => format!("operation `{operation}`: "),
    }
}

/// The schema of the arguments of a tool that is `operation`.
pub fn input_schema(operation: &OperationSchema) -> Result<Value, UnsupportedSchema> {
    ToolName::parse(&operation.name)
        .map_err(|bad| UnsupportedSchema::whole(operation, bad.to_string()))?;
    let mut properties = Map::new();
    let mut names = HashSet::new();
    let mut required = Vec::new();
    for input in &operation.inputs {
        let refused = |reason: String| UnsupportedSchema {
            operation: operation.name.clone(),
            input: Some(input.name.clone()),
            reason,
        };
        if input.name.is_empty() {
            return Err(refused("an input must have a name".to_owned()));
        }
        if !names.insert(&input.name) {
            return Err(refused("it is declared twice".to_owned()));
        }
        properties.insert(input.name.clone(), property(input).map_err(refused)?);
        if input.required {
            required.push(input.name.as_str());
        }
    }
    required.sort_unstable();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    // A plugin that declares no inputs may take any: its wire does not oblige it to say.
    if !operation.inputs.is_empty() {
        schema["additionalProperties"] = Value::Bool(false);
    }
    Ok(schema)
}

fn property(input: &OperationInput) -> Result<Value, String> {
    let kind = Kind::read(&input.kind)?;
    let mut property = Map::new();
    if let Some(word) = kind.word() {
        property.insert("type".to_owned(), word.into());
    }
    let (format, description) = rule(input);
    if let Some(format) = format {
        property.insert("format".to_owned(), format.into());
    }
    if !description.is_empty() {
        property.insert("description".to_owned(), description.into());
    }
    let choices = choices(input, kind)?;
    if let Some(default) = default(input, kind)? {
        if !choices.is_empty() && !choices.contains(&default) {
            return Err(format!(
                "its default `{}` is none of its choices",
                shown(&default.to_string())
            ));
        }
        property.insert("default".to_owned(), default);
    }
    if !choices.is_empty() {
        property.insert("enum".to_owned(), choices.into());
    }
    Ok(property.into())
}

/// The format its rule is, and its description. Plugins in use name rules that only they know, and hold to them
/// themselves: such a rule is told in words, and refuses nothing.
fn rule(input: &OperationInput) -> (Option<&'static str>, String) {
    let description = input.description.clone();
    match input.validation.as_deref() {
        None | Some("") => (None, description),
        Some("url") => (Some("uri"), description),
        Some("email") => (Some("email"), description),
        Some(rule) => (None, format!("{description} (rule: {rule})").trim().to_owned()),
    }
}

fn choices(input: &OperationInput, kind: Kind) -> Result<Vec<Value>, String> {
    let mut choices: Vec<Value> = Vec::new();
    for choice in &input.choices {
        if !kind.holds(choice) {
            return Err(format!("its choice `{}` is no {kind}", shown(&choice.to_string())));
        }
        if !choices.contains(choice) {
            choices.push(choice.clone());
        }
    }
    Ok(choices)
}

/// The default in its type. The wire has text for it whatever the type, and cannot tell an empty one from none.
fn default(input: &OperationInput, kind: Kind) -> Result<Option<Value>, String> {
    let Some(default) = &input.default else { return Ok(None) };
    let typed = match default {
        Value::String(text) if text.is_empty() && kind != Kind::String => return Ok(None),
        Value::String(text) if kind.is_written_as_json() => {
            serde_json::from_str(text).ok().filter(|value| kind.holds(value))
        }
        value => Some(value.clone()).filter(|value| kind.holds(value)),
    };
    let wrong = || {
        let text = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        format!("its default `{}` is no {kind}", shown(&text))
    };
    typed.map(Some).ok_or_else(wrong)
}

#[cfg(test)]
mod tests;
