//! The schema of a tool's arguments, from the very struct that reads them, in the dialect every provider takes:
//! plain objects, nothing by reference, an optional field merely not required.

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::Value;

/// The input schema of `T`.
pub(crate) fn input_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    simplify(&mut schema);
    schema.remove("description"); // the tool object has its own
    schema.into()
}

/// Drops what some providers refuse: null as a second type, numeric formats, titles that repeat Rust names.
fn simplify(schema: &mut Schema) {
    for key in ["title", "format"] {
        schema.remove(key);
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " "); // lines wrap in the source, not in the text
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    if let Some(Value::Array(types)) = schema.get("type") {
        let mut kept = types.iter().filter(|name| *name != "null").cloned();
        if let (Some(only), None) = (kept.next(), kept.next()) {
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    transform_subschemas(&mut simplify, schema);
}
