//! The least value that matches a schema: the answer to a side request whose form is prescribed.

use serde_json::{Map, Value, json};

/// Schemas nest no deeper in what agents ask.
const DEPTH: usize = 16;

pub(super) fn sample(schema: &Value) -> Value {
    below(schema, DEPTH)
}

fn below(schema: &Value, depth: usize) -> Value {
    if depth == 0 {
        return Value::Null;
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    let kind = schema["type"].as_str().unwrap_or("object").to_ascii_lowercase();
    match kind.as_str() {
        "string" => json!("none"),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        "boolean" => json!(false),
        "array" => json!([]),
        "null" => Value::Null,
        _ => {
            let fields = schema["properties"].as_object().cloned().unwrap_or_default();
            let fields: Map<_, _> = fields
                .iter()
                .map(|(name, field)| (name.clone(), below(field, depth - 1)))
                .collect();
            Value::Object(fields)
        }
    }
}

#[cfg(test)]
mod tests;
