//! What a step gives an operation, held against what the operation takes.

use awf_core::{OperationInput, OperationSchema, RawObject};
use serde_json::Value;

use crate::{
    arguments::{ArgumentCheck, Formats},
    operation_tools::schema::{Kind, input_schema},
};

/// Why an operation cannot be given these values; nothing of a value is told, which may be a secret. An operation that
/// cannot be a tool is not checked: nothing is known of what it takes.
pub fn check_inputs(operation: &OperationSchema, inputs: &RawObject) -> Result<(), String> {
    let needed = |input: &OperationInput| input.required && input.default.is_none();
    let asked = operation.inputs.iter().map(|input| OperationInput {
        // The operation puts the default in.
        required: needed(input),
        // It holds to its rules itself, and may be more lenient: an empty URL may be none, and space around it nothing.
        validation: None,
        ..input.clone()
    });
    let asked = OperationSchema { inputs: asked.collect(), ..operation.clone() };
    let Ok(schema) = input_schema(&asked) else { return Ok(()) };
    let Ok(check) = ArgumentCheck::new(schema, Formats::Binding) else { return Ok(()) };
    check.faults(&Value::Object(inputs.to_map())).map_or(Ok(()), Err)
}

/// What a template gave, as the input takes it: templates make text of numbers, and numbers of what was to be text.
/// `None` is nothing, which is as if the input were not given.
pub fn typed_input(operation: &OperationSchema, name: &str, value: Value) -> Option<Value> {
    let input = operation.inputs.iter().find(|input| input.name == name);
    let Some(kind) = input.and_then(|input| Kind::read(&input.kind).ok()) else {
        return Some(value);
    };
    match (kind, value) {
        (Kind::Any, value) => Some(value),
        (_, Value::Null) => None,
        (Kind::Integer | Kind::Number | Kind::Boolean, Value::String(text)) => {
            Some(read(kind, &text).unwrap_or(Value::String(text)))
        }
        (Kind::String, value @ (Value::Number(_) | Value::Bool(_))) => {
            Some(Value::String(value.to_string()))
        }
        (_, value) => Some(value),
    }
}

/// The value that a text is, if it is exactly one of the kind: `5.0` is a number, and no integer.
fn read(kind: Kind, text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    let written = kind != Kind::Integer || value.is_i64() || value.is_u64();
    (written && kind.holds(&value)).then_some(value)
}

#[cfg(test)]
mod tests;
