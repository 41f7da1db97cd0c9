//! Values on their way to a plugin and back: JSON text as bytes, unaltered; and what it says of them.

use std::collections::{BTreeMap, HashMap};

use awf_core::{
    Annotations, Hint, OperationInput, OperationResult, OperationSchema, RawJson, RawObject,
    StepTypeResult,
};
use awf_plugin_sdk::wire::v1;
use serde_json::{Map, Value};

/// Where values of a step are put that are not an object.
const BARE: &str = "data";

/// What is given to an operation: each value as it was written, and the default of each that is absent.
pub(crate) fn inputs(given: &RawObject, schema: &OperationSchema) -> HashMap<String, Vec<u8>> {
    let absent = schema.inputs.iter().filter(|input| given.get(&input.name).is_none());
    let defaults = absent.filter_map(|input| Some((input.name.clone(), default(input)?)));
    let given = given.iter().map(|(name, value)| (name.to_owned(), value.get().to_owned()));
    defaults.chain(given).map(|(name, value)| (name, value.into_bytes())).collect()
}

/// What a plugin is configured with.
pub(crate) fn config(config: &Map<String, Value>) -> HashMap<String, Vec<u8>> {
    config.iter().map(|(key, value)| (key.clone(), value.to_string().into_bytes())).collect()
}

/// The default of an input in its own type. Plugins write it as text; what is not of the type is left to the plugin.
fn default(input: &OperationInput) -> Option<String> {
    let text = match input.default.as_ref()? {
        Value::String(text) => text.as_str(),
        other => return Some(other.to_string()),
    };
    let fits: fn(&Value) -> bool = match input.kind.as_str() {
        // A whole number beyond 64 bits is read as a float; its text tells.
        "integer" if text.trim().contains(['.', 'e', 'E']) => return None,
        "integer" | "number" => Value::is_number,
        "boolean" => Value::is_boolean,
        "array" => Value::is_array,
        "object" => Value::is_object,
        _ => return Some(Value::from(text).to_string()),
    };
    let raw = RawJson::parse(text).ok()?;
    let value: Value = serde_json::from_str(raw.get()).ok()?;
    fits(&value).then(|| raw.into_string())
}

/// What a plugin says an operation takes and gives.
pub(crate) fn schema(said: v1::OperationSchema) -> OperationSchema {
    let v1::OperationSchema { name, description, inputs, outputs, annotations } = said;
    OperationSchema {
        name,
        description,
        inputs: inputs.into_iter().map(input).collect(),
        outputs: outputs.into_iter().map(|output| (output.name, output.description)).collect(),
        annotations: annotations.map(hints).unwrap_or_default(),
    }
}

fn input(said: v1::InputSchema) -> OperationInput {
    OperationInput {
        name: said.name,
        kind: said.r#type,
        required: said.required,
        default: filled(said.default).map(Value::from),
        description: said.description,
        validation: filled(said.validation),
        choices: said.choices.iter().map(|bytes| choice(bytes)).collect(),
    }
}

fn choice(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| String::from_utf8_lossy(bytes).into())
}

fn hints(said: v1::Annotations) -> Annotations {
    let hint = |said: Option<bool>| said.map_or(Hint::Absent, Hint::Set);
    let v1::Annotations { read_only, destructive, idempotent, open_world } = said;
    Annotations {
        read_only: hint(read_only),
        destructive: hint(destructive),
        idempotent: hint(idempotent),
        open_world: hint(open_world),
    }
}

/// What an operation gave.
pub(crate) fn result(said: v1::ExecuteResponse) -> OperationResult {
    let v1::ExecuteResponse { success, output, data, error } = said;
    // The wire has no order; the same answer shall read the same each time.
    let data: BTreeMap<String, Vec<u8>> = data.into_iter().collect();
    let data = data.into_iter().map(|(key, bytes)| (key, json(bytes))).collect();
    OperationResult { success, output, data, error: filled(error) }
}

/// What a step gave.
pub(crate) fn step_result(said: v1::ExecuteStepResponse) -> StepTypeResult {
    let v1::ExecuteStepResponse { output, data, exit_code } = said;
    let data = if data.is_empty() { RawObject::default() } else { object(json(data)) };
    StepTypeResult { output, data, exit_code }
}

fn object(raw: RawJson) -> RawObject {
    match RawObject::read(&raw) {
        Ok(object) => object,
        Err(_) if raw.get() == "null" => RawObject::default(),
        Err(_) => [(BARE.to_owned(), raw)].into_iter().collect(),
    }
}

/// Bytes that are JSON as they are, others as a string.
fn json(bytes: Vec<u8>) -> RawJson {
    let text = String::from_utf8(bytes);
    let text = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    RawJson::parse(text.as_str()).unwrap_or_else(|_| Value::from(text).into())
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
