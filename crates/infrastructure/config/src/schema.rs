//! JSON Schemas of the files, built from the types that read them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::reader::{FieldShape, Presence, Shape};

/// Objects that were met while a schema was built, by name.
#[derive(Default)]
pub(crate) struct Definitions(BTreeMap<&'static str, Value>);

impl Definitions {
    /// A reference to the object `name`, which is built when it is met first.
    pub(crate) fn object(
        &mut self,
        name: &'static str,
        doc: &str,
        rules: Option<fn() -> Map<String, Value>>,
        fields: impl FnOnce(&mut Self) -> Vec<FieldShape>,
    ) -> Value {
        let name = name.strip_suffix("Typed").unwrap_or(name);
        let reference = json!({ "$ref": format!("#/$defs/{name}") });
        if self.0.contains_key(name) {
            return reference;
        }
        self.0.insert(name, Value::Null);
        let object = object(doc, rules, fields(self));
        self.0.insert(name, object);
        reference
    }
}

fn object(doc: &str, rules: Option<fn() -> Map<String, Value>>, fields: Vec<FieldShape>) -> Value {
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.presence == Presence::Required)
        .map(|field| field.key)
        .collect();
    let properties = fields.into_iter().map(|field| {
        let mut schema = field.schema;
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), json!(field.doc.trim()));
        }
        (field.key.to_owned(), schema)
    });
    let mut object = json!({
        "type": "object",
        "description": doc.trim(),
        "properties": properties.collect::<Map<_, _>>(),
        "additionalProperties": false,
    });
    if let Some(object) = object.as_object_mut() {
        if !required.is_empty() {
            object.insert("required".to_owned(), json!(required));
        }
        object.extend(rules.map(|rules| rules()).unwrap_or_default());
    }
    object
}

/// The schema of a whole file.
pub(crate) fn document<T: Shape>(title: &str) -> Value {
    let mut definitions = Definitions::default();
    let root = T::schema(&mut definitions);
    let mut document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$defs": definitions.0,
    });
    if let (Some(document), Value::Object(root)) = (document.as_object_mut(), root) {
        document.extend(root);
    }
    document
}

#[cfg(test)]
mod tests;
