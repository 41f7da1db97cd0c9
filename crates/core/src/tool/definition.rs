//! A tool's definition: the MCP tool object as it came, with the few fields awf reads from it.

use serde_json::{Value, value::RawValue};

use crate::{
    annotations::{Annotations, Class},
    json::{RawJson, RawObject},
    tool::{BadToolName, Standing, ToolName, ToolSource},
};

/// A tool as its source defined it.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    name: ToolName,
    source: ToolSource,
    description: String,
    annotations: Annotations,
    class: Class,
    standing: Standing,
    raw: RawJson,
}

/// Why a tool object cannot be registered.
#[derive(Debug, thiserror::Error)]
pub enum BadDefinition {
    /// Not an object, nested too deep, or with a key given twice: two readers could disagree on which one counts.
    #[error("a tool definition must be a JSON object with unique keys")]
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
        check_unique(&raw)?;
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = ToolName::parse(text("name"))?;
        if !object.get("inputSchema").is_some_and(Value::is_object) {
            return Err(BadDefinition::NoSchema(name));
        }
        let annotations = Annotations::read(object.get("annotations"));
        Ok(Self {
            name,
            source,
            description: text("description").to_owned(),
            class: annotations.class(),
            annotations,
            standing: Standing::default(),
            raw,
        })
    }

    /// The same tool under another name; all else stays as it came.
    pub(crate) fn renamed(&self, name: ToolName) -> Result<Self, BadDefinition> {
        let mut fields = RawObject::read(&self.raw).map_err(|_| BadDefinition::NotAnObject)?;
        fields.set("name", Value::from(name.as_str()).into());
        Ok(Self { name, raw: fields.into_raw(), ..self.clone() })
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

    /// The first sentence of that, on one line.
    pub fn summary(&self) -> &str {
        let line = self.description.trim_start().lines().next().unwrap_or_default();
        line.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }

    /// What it says about its effects.
    pub fn annotations(&self) -> &Annotations {
        &self.annotations
    }

    /// What it counts as: what its annotations make of it, or the class it is held to.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether it counts as something else than it says.
    pub fn is_held(&self) -> bool {
        self.class != self.annotations.class()
    }

    /// Whether it may be called as it is.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The same tool, counting as `class` whatever it says, and standing as it does.
    #[must_use]
    pub fn judged(self, class: Class, standing: Standing) -> Self {
        Self { class, standing, ..self }
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

/// Hints decide what may be called, so neither they nor the object they stand in may say a thing twice.
fn check_unique(raw: &RawJson) -> Result<(), BadDefinition> {
    let fields = RawObject::read(raw).map_err(|_| BadDefinition::NotAnObject)?;
    match fields.get("annotations") {
        Some(hints) if hints.get().starts_with('{') => {
            RawObject::read(hints).map(drop).map_err(|_| BadDefinition::NotAnObject)
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
