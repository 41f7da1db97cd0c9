//! The four tools as a client sees them: the texts, the schemas, and the hints by which an IDE treats them apart.

use std::sync::Arc;

use awf_core::{ClientIdentity, Mode, Operation, ToolDefinition, ToolSource, Variant};
use serde_json::{Map, Value, json};

use crate::surface::query::{TOOLS_MOST, TOOLS_USUAL};

/// The tool that finds tools.
pub(super) const RETRIEVE_TOOLS: &str = "retrieve_tools";

/// What clients are offered.
pub(super) struct Offer {
    usual: Vec<Arc<ToolDefinition>>,
    /// For clients that cannot write an object within an object.
    flat: Vec<Arc<ToolDefinition>>,
}

/// What the schema of a variant shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The nested intent, required; the flat keys as well.
    Nested,
    /// The flat operation type, required.
    Flat,
    /// Flat keys that may be left out.
    Optional,
}

impl Offer {
    pub(super) fn new(mode: Mode) -> Self {
        let (usual, flat) = match mode {
            Mode::TwoKey => (Shape::Nested, Shape::Flat),
            Mode::Inferred => (Shape::Optional, Shape::Optional),
        };
        Self { usual: tools(mode, usual), flat: tools(mode, flat) }
    }

    /// In order of name.
    pub(super) fn tools(&self, client: Option<&ClientIdentity>) -> Vec<Arc<ToolDefinition>> {
        let gemini = |client: &ClientIdentity| client.name.to_ascii_lowercase().contains("gemini");
        if client.is_some_and(gemini) { self.flat.clone() } else { self.usual.clone() }
    }
}

fn tools(mode: Mode, shape: Shape) -> Vec<Arc<ToolDefinition>> {
    let variants = Variant::ALL.into_iter().map(|variant| variant_tool(variant, mode, shape));
    let made = variants.chain([retrieve_tools(mode)]).filter_map(|object| {
        let made = ToolDefinition::from_raw(ToolSource::Builtin, object.into());
        made.inspect_err(|error| tracing::error!(%error, "one of awf's own tools is malformed"))
            .ok()
    });
    let mut made: Vec<Arc<ToolDefinition>> = made.map(Arc::new).collect();
    made.sort_by(|one, other| one.name().cmp(other.name()));
    made
}

fn variant_tool(variant: Variant, mode: Mode, shape: Shape) -> Value {
    json!({
        "name": variant.as_str(),
        "description": description(variant.0, mode),
        "inputSchema": schema(variant, shape),
        "annotations": {
            "readOnlyHint": variant.0 == Operation::Read,
            "destructiveHint": variant.0 == Operation::Destructive,
            "openWorldHint": true,
        },
    })
}

fn description(operation: Operation, mode: Mode) -> &'static str {
    match (mode, operation) {
        (Mode::TwoKey, Operation::Read) => {
            "Execute a read-only tool discovered via retrieve_tools. Use for operations that query data without modifying state. Requires intent.operation_type='read'. Will be rejected if server marks tool as destructive."
        }
        (Mode::TwoKey, Operation::Write) => {
            "Execute a state-modifying tool discovered via retrieve_tools. Use for operations that create or update resources. Requires intent.operation_type='write'. Will be rejected if server marks tool as destructive."
        }
        (Mode::TwoKey, Operation::Destructive) => {
            "Execute a destructive tool discovered via retrieve_tools. Use for operations that delete or permanently modify resources. Requires intent.operation_type='destructive'. Most permissive - allowed regardless of server annotations."
        }
        (Mode::Inferred, Operation::Read) => {
            "Execute read-only operations that don't modify state. Rejected if server marks tool as destructiveHint: true"
        }
        (Mode::Inferred, Operation::Write) => {
            "Execute state-modifying operations that create or update resources. Rejected if server marks tool as destructiveHint: true"
        }
        (Mode::Inferred, Operation::Destructive) => {
            "Execute destructive or irreversible operations. Most permissive - allowed regardless of server annotations"
        }
    }
}

fn schema(variant: Variant, shape: Shape) -> Value {
    let operation = json!({
        "type": "string",
        "enum": Operation::ALL.map(Operation::as_str),
        "description": format!("Must be '{}' for {variant}", variant.0.as_str()),
    });
    let sensitivity = json!({
        "type": "string",
        "enum": ["public", "internal", "private", "unknown"],
        "description": "How sensitive the data is, for the audit trail",
    });
    let reason = json!({
        "type": "string",
        "maxLength": 1000,
        "description": "Why the call is made, for the audit trail",
    });
    let mut shown = Map::new();
    shown.insert(
        "name".into(),
        json!({
            "type": "string",
            "description": "The tool to call as server:tool, the way retrieve_tools names it",
        }),
    );
    // Some clients refuse an object whose members are not listed.
    if shape != Shape::Flat {
        shown.insert(
            "args".into(),
            json!({
                "type": "object",
                "description": "The arguments of that tool; give this or args_json",
            }),
        );
    }
    shown.insert(
        "args_json".into(),
        json!({
            "type": "string",
            "description": "The arguments of that tool as JSON text",
        }),
    );
    if shape == Shape::Nested {
        shown.insert(
            "intent".into(),
            json!({
                "type": "object",
                "description": "What the call is for",
                "properties": {
                    "operation_type": operation, "data_sensitivity": sensitivity, "reason": reason,
                },
                "required": ["operation_type"],
            }),
        );
    }
    if shape != Shape::Optional {
        shown.insert("intent_operation_type".into(), operation);
    }
    shown.insert("intent_data_sensitivity".into(), sensitivity);
    shown.insert("intent_reason".into(), reason);
    let required = match shape {
        Shape::Nested => vec!["name", "intent"],
        Shape::Flat => vec!["name", "intent_operation_type"],
        Shape::Optional => vec!["name"],
    };
    json!({"type": "object", "properties": shown, "required": required})
}

fn retrieve_tools(mode: Mode) -> Value {
    let second = match mode {
        Mode::TwoKey => " Intent must match tool variant.",
        Mode::Inferred => "",
    };
    json!({
        "name": RETRIEVE_TOOLS,
        "description": format!("Search for tools across all upstream servers. Results include annotations (readOnlyHint, destructiveHint) and recommended call_with variant. Use call_tool_read for read-only operations, call_tool_write for modifications, call_tool_destructive for deletions.{second}"),
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What the tool should do, in a few words"},
                "limit": {
                    "type": "integer", "minimum": 1, "maximum": TOOLS_MOST, "default": TOOLS_USUAL,
                    "description": "How many tools to return at most",
                },
                "detail": {
                    "type": "string", "enum": ["full", "compact"], "default": "full",
                    "description": "compact leaves the input schemas out and shortens descriptions",
                },
            },
            "required": ["query"],
        },
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false},
    })
}

#[cfg(test)]
mod tests;
