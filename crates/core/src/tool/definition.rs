//! A tool's definition: the MCP tool object as it came, with the few fields awf reads from it.

use serde_json::{Value, value::RawValue};

use crate::{
    annotations::Annotations,
    json::RawJson,
    tool::{BadToolName, ToolName, ToolSource},
};

/// A tool as its source defined it.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    name: ToolName,
    source: ToolSource,
    description: String,
    annotations: Annotations,
    raw: RawJson,
}

/// Why a tool object cannot be registered.
#[derive(Debug, thiserror::Error)]
pub enum BadDefinition {
    /// Not an object.
    #[error("a tool definition must be a JSON object")]
    NotAnObject,
    /// No usable name.
    #[error(transparent)]
    Name(#[from] BadToolName),
    /// No input schema object.
    #[error("tool `{0}` has no `inputSchema` object")]
    NoSchema(ToolName),
}

impl ToolDefinition {
    /// Reads the fields awf needs; the object itself is kept as it came.
    pub fn from_raw(source: ToolSource, raw: RawJson) -> Result<Self, BadDefinition> {
        let object: Value =
            serde_json::from_str(raw.get()).map_err(|_| BadDefinition::NotAnObject)?;
        let object = object.as_object().ok_or(BadDefinition::NotAnObject)?;
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = ToolName::parse(text("name"))?;
        if !object.get("inputSchema").is_some_and(Value::is_object) {
            return Err(BadDefinition::NoSchema(name));
        }
        let annotations = Annotations::read(object.get("annotations"));
        Ok(Self { name, source, description: text("description").to_owned(), annotations, raw })
    }

    /// The name its source gives it.
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// Where it comes from.
    pub fn source(&self) -> &ToolSource {
        &self.source
    }

    /// What it says it does.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What it says about its effects.
    pub fn annotations(&self) -> &Annotations {
        &self.annotations
    }

    /// The whole MCP tool object.
    pub fn raw(&self) -> &RawJson {
        &self.raw
    }

    /// `server:tool`, the name on the intent surface.
    pub fn qualified_name(&self) -> String {
        format!("{}:{}", self.source.namespace(), self.name)
    }

    /// The schema of its arguments, as text.
    pub fn input_schema(&self) -> Option<Box<RawValue>> {
        let fields: std::collections::BTreeMap<&str, &RawValue> =
            serde_json::from_str(self.raw.get()).ok()?;
        fields.get("inputSchema").map(|schema| (*schema).to_owned())
    }
}
