//! What the six tools have in common: the MCP tool object each is listed as.

use awf_core::{BadDefinition, ToolDefinition, ToolSource};
use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::schema::input_schema;

/// What a tool says about itself.
pub(crate) struct ToolCard {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
}

/// What a tool does to the world; every MCP hint follows from it.
#[derive(Clone, Copy)]
pub(crate) enum Effect {
    /// Looks, and changes nothing.
    Reads,
    /// Changes files beneath the roots; calling it again with the same arguments changes nothing more.
    Sets,
    /// Changes files beneath the roots; calling it again is another change.
    Changes,
    /// May do anything.
    Anything,
}

impl Effect {
    fn annotations(self, title: &str) -> Value {
        let (read_only, destructive, idempotent, open_world) = match self {
            Self::Reads => (true, false, true, false),
            Self::Sets => (false, false, true, false),
            Self::Changes => (false, false, false, false),
            Self::Anything => (false, true, false, true),
        };
        json!({
            "title": title,
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": idempotent,
            "openWorldHint": open_world,
        })
    }
}

/// A tool as it is listed, and the schema its arguments are held against.
pub(crate) struct Listed {
    pub(crate) definition: ToolDefinition,
    pub(crate) schema: Value,
}

impl ToolCard {
    /// The tool object for arguments of type `A`.
    pub(crate) fn list<A: JsonSchema>(&self) -> Result<Listed, BadDefinition> {
        let schema = input_schema::<A>();
        let object = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "annotations": self.effect.annotations(self.title),
        });
        let definition = ToolDefinition::from_raw(ToolSource::Builtin, object.into())?;
        Ok(Listed { definition, schema })
    }
}
