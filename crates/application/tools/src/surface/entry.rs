//! One tool in the answer of `retrieve_tools`.

use awf_core::{RawJson, RawObject, ToolDefinition, Unannotated, Variant, call_with};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use crate::{search::Hit, surface::query::Detail};

/// How long a compact description may be, in characters.
const COMPACT: usize = 200;
/// Parameters a signature names.
const NAMED: usize = 24;

#[derive(Serialize)]
pub(super) struct Entry {
    name: String,
    server: String,
    description: String,
    #[serde(rename = "inputSchema", skip_serializing_if = "Option::is_none")]
    input_schema: Option<Box<RawValue>>,
    /// In place of the schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<String>,
    score: f64,
    annotations: Box<RawValue>,
    call_with: &'static str,
}

impl Entry {
    pub(super) fn new(hit: &Hit, unannotated: Unannotated, detail: Detail) -> Self {
        let tool = &*hit.tool;
        let variant = call_with(tool.class(), unannotated);
        let schema = tool.input_schema();
        let (input_schema, parameters) = match detail {
            Detail::Full => (schema, None),
            Detail::Compact => {
                (None, Some(schema.map(|schema| signature(&schema)).unwrap_or_default()))
            }
        };
        Self {
            name: tool.qualified_name(),
            server: tool.source().namespace().to_owned(),
            description: description(tool, variant, detail),
            input_schema,
            parameters,
            score: rounded(hit.score),
            annotations: annotations(tool),
            call_with: variant.as_str(),
        }
    }
}

/// With four decimals: more say nothing, and cost a model tokens.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}

/// What the tool says, and how to call it.
fn description(tool: &ToolDefinition, variant: Variant, detail: Detail) -> String {
    let said = match detail {
        Detail::Full => tool.description().to_owned(),
        Detail::Compact => compact(tool.summary()),
    };
    match said.trim_end() {
        "" => format!("Call it with {variant}."),
        said if said.ends_with(['.', '!', '?', '…', ':']) => {
            format!("{said} Call it with {variant}.")
        }
        said => format!("{said}. Call it with {variant}."),
    }
}

fn compact(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let mut cut: String = characters.by_ref().take(COMPACT).collect();
    if characters.next().is_some() {
        cut.push('…');
    }
    cut
}

/// The annotations as they came; none at all is an empty object.
pub(super) fn annotations(tool: &ToolDefinition) -> Box<RawValue> {
    let fields = RawObject::read(tool.raw()).ok();
    let given = fields.as_ref().and_then(|fields| fields.get("annotations"));
    match given {
        Some(given) if given.get().starts_with('{') => given.as_raw().to_owned(),
        Some(_) | None => RawJson::empty_object().as_raw().to_owned(),
    }
}

/// `(query: string, limit?: integer)`, from the top level of a schema.
fn signature(schema: &RawValue) -> String {
    let schema: Value = serde_json::from_str(schema.get()).unwrap_or_default();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = schema["properties"].as_object();
    let mut named: Vec<String> = Vec::new();
    for (name, property) in properties.into_iter().flatten().take(NAMED) {
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let kind = property["type"].as_str().unwrap_or("any");
        named.push(format!("{name}{optional}: {kind}"));
    }
    if properties.is_some_and(|properties| properties.len() > NAMED) {
        named.push("…".to_owned());
    }
    format!("({})", named.join(", "))
}

#[cfg(test)]
mod tests;
