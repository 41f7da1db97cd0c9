//! Operations of a plugin as tools: the one way from a model to an [`OperationProvider`].
//!
//! What a model wrote reaches the operation as it was written; the router has held it against the schema before. Never
//! starts or ends a plugin: that is for whoever made the provider.

use std::sync::Arc;

use async_trait::async_trait;
use awf_core::{
    Annotations, Hint, OperationCall, OperationFailure, OperationProvider, OperationSchema,
    RawObject, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource, shown,
};
use serde_json::{Map, Value, json};

use crate::arguments::{ArgumentCheck, Formats};

mod answer;
mod inputs;
mod schema;

pub use inputs::{check_inputs, typed_input};
pub use schema::{UnsupportedSchema, input_schema};

/// The chosen operations of one plugin. Each is a tool of the operation's name, which the router shows as `<plugin>_<name>`.
pub struct OperationTools {
    plugin: String,
    tools: Vec<Arc<ToolDefinition>>,
    provider: Arc<dyn OperationProvider>,
}

impl OperationTools {
    /// Makes tools of `operations`, each with what it is finally said to do. What a schema cannot express is refused here.
    pub fn new(
        plugin: &str,
        operations: &[(OperationSchema, Annotations)],
        provider: Arc<dyn OperationProvider>,
    ) -> Result<Self, UnsupportedSchema> {
        let mut tools = Vec::new();
        for (operation, annotations) in operations {
            let schema = input_schema(operation)?;
            tools.push(Arc::new(definition(plugin, operation, annotations, &schema)?));
            ArgumentCheck::new(schema, Formats::Binding)
                .map_err(|reason| UnsupportedSchema::whole(operation, reason))?;
        }
        Ok(Self { plugin: plugin.to_owned(), tools, provider })
    }

    /// A tool of which no more is known than its name and what it is said to do: enough to judge names by.
    pub fn stub(
        source: &ToolSource,
        name: &str,
        annotations: &Annotations,
    ) -> Result<ToolDefinition, UnsupportedSchema> {
        let object = json!({
            "name": name,
            "inputSchema": {"type": "object"},
            "annotations": hints(annotations),
        });
        ToolDefinition::from_raw(source.clone(), object.into()).map_err(|bad| UnsupportedSchema {
            operation: name.to_owned(),
            input: None,
            reason: bad.to_string(),
        })
    }
}

#[async_trait]
impl ToolProvider for OperationTools {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.tools.clone())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        if !self.tools.iter().any(|tool| tool.name().as_str() == call.name) {
            return Err(ToolFailure::Unknown { name: shown(&call.name) });
        }
        let inputs = match RawObject::read(&call.arguments) {
            Ok(inputs) => inputs,
            Err(error) => return Ok(ToolResult::error(&format!("invalid arguments: {error}"))),
        };
        if call.cancel.is_cancelled() {
            return Err(ToolFailure::Cancelled);
        }
        let answered = self.provider.execute(OperationCall {
            plugin: self.plugin.clone(),
            operation: call.name,
            inputs,
            trace: call.context.trace,
            cancel: call.cancel,
        });
        answered.await.map(|result| answer::result(&result)).map_err(failure)
    }

    /// Ends nothing: a plugin serves the whole run, the steps beside this one too.
    async fn close(&self) {}
}

fn failure(failure: OperationFailure) -> ToolFailure {
    match failure {
        OperationFailure::Unknown(name) => ToolFailure::Unknown { name },
        OperationFailure::Cancelled => ToolFailure::Cancelled,
        other @ (OperationFailure::Disabled(_)
        | OperationFailure::Altered(_)
        | OperationFailure::NotStarted(_)
        | OperationFailure::Handshake(_)
        | OperationFailure::Unavailable(_)) => ToolFailure::Unavailable(other.to_string()),
    }
}

/// The MCP tool object.
fn definition(
    plugin: &str,
    operation: &OperationSchema,
    annotations: &Annotations,
    schema: &Value,
) -> Result<ToolDefinition, UnsupportedSchema> {
    let mut object = json!({
        "name": operation.name,
        "description": description(operation),
        "inputSchema": schema,
    });
    let hints = hints(annotations);
    if !hints.is_empty() {
        object["annotations"] = hints.into();
    }
    ToolDefinition::from_raw(ToolSource::Plugin(plugin.to_owned()), object.into())
        .map_err(|bad| UnsupportedSchema::whole(operation, bad.to_string()))
}

/// What it does, and what it gives: the wire has no schema for the latter, so it is said in words.
fn description(operation: &OperationSchema) -> String {
    let outputs: Vec<String> = operation
        .outputs
        .iter()
        .map(|(name, what)| match what.as_str() {
            "" => format!("`{name}`"),
            what => format!("`{name}`: {what}"),
        })
        .collect();
    let gives = (!outputs.is_empty()).then(|| format!("Gives {}", outputs.join("; ")));
    let parts = [Some(operation.description.clone()), gives];
    let parts: Vec<String> =
        parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    parts.join("\n\n")
}

fn hints(annotations: &Annotations) -> Map<String, Value> {
    let hints = [
        ("readOnlyHint", annotations.read_only),
        ("destructiveHint", annotations.destructive),
        ("idempotentHint", annotations.idempotent),
        ("openWorldHint", annotations.open_world),
    ];
    let set = hints.into_iter().filter_map(|(name, hint)| match hint {
        Hint::Set(set) => Some((name.to_owned(), Value::Bool(set))),
        Hint::Absent | Hint::Malformed => None,
    });
    set.collect()
}

#[cfg(test)]
mod tests;
