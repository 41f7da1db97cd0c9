//! The lock file as JSON. Its words are its own: what the core calls things may change, the file may not.

use awf_core::{Annotations, Hint, OperationInput, OperationSchema, StepType};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::plugins::lock::{Lock, LockedPlugin};

/// The format this version writes, and the newest it reads.
pub(super) const FORMAT: u64 = 1;

/// Why a text is no lock.
pub(super) enum Unreadable {
    Damaged(String),
    /// Its format.
    Newer(u64),
}

#[derive(Deserialize)]
struct Head {
    format: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u64,
    plugins: Vec<Plugin>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plugin {
    name: String,
    checksum: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    operations: Vec<Operation>,
    step_types: Vec<Type>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<Input>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<Output>,
    #[serde(default, skip_serializing_if = "Hints::is_empty")]
    annotations: Hints,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    validation: Option<String>,
    #[serde(default, rename = "enum", skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    description: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Type {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    description: String,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hints {
    #[serde(default, rename = "readOnlyHint", skip_serializing_if = "Option::is_none")]
    read_only: Option<bool>,
    #[serde(default, rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    destructive: Option<bool>,
    #[serde(default, rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    idempotent: Option<bool>,
    #[serde(default, rename = "openWorldHint", skip_serializing_if = "Option::is_none")]
    open_world: Option<bool>,
}

impl Hints {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

pub(super) fn read(text: &str) -> Result<Lock, Unreadable> {
    let damaged = |error: serde_json::Error| Unreadable::Damaged(error.to_string());
    let head: Head = serde_json::from_str(text).map_err(damaged)?;
    if head.format > FORMAT {
        return Err(Unreadable::Newer(head.format));
    }
    let file: File = serde_json::from_str(text).map_err(damaged)?;
    Ok(Lock { plugins: file.plugins.into_iter().map(plugin).collect() })
}

/// Sorted by name, so that the same plugins give the same text.
pub(super) fn written(lock: &Lock) -> String {
    let mut plugins: Vec<&LockedPlugin> = lock.plugins.iter().collect();
    plugins.sort_by(|a, b| a.name.cmp(&b.name));
    let file = File { format: FORMAT, plugins: plugins.into_iter().map(wired).collect() };
    // Structs of texts, numbers and lists: printing them cannot fail.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

fn plugin(wire: Plugin) -> LockedPlugin {
    LockedPlugin {
        name: wire.name,
        checksum: wire.checksum,
        version: wire.version,
        operations: wire.operations.into_iter().map(operation).collect(),
        step_types: wire
            .step_types
            .into_iter()
            .map(|wire| StepType { name: wire.name, description: wire.description })
            .collect(),
    }
}

fn operation(wire: Operation) -> OperationSchema {
    let input = |wire: Input| OperationInput {
        name: wire.name,
        kind: wire.kind,
        required: wire.required,
        default: wire.default,
        description: wire.description,
        validation: wire.validation,
        choices: wire.choices,
    };
    let hint = |hint: Option<bool>| hint.map_or(Hint::Absent, Hint::Set);
    OperationSchema {
        name: wire.name,
        description: wire.description,
        inputs: wire.inputs.into_iter().map(input).collect(),
        outputs: wire.outputs.into_iter().map(|wire| (wire.name, wire.description)).collect(),
        annotations: Annotations {
            read_only: hint(wire.annotations.read_only),
            destructive: hint(wire.annotations.destructive),
            idempotent: hint(wire.annotations.idempotent),
            open_world: hint(wire.annotations.open_world),
        },
    }
}

fn wired(plugin: &LockedPlugin) -> Plugin {
    let mut operations: Vec<Operation> = plugin.operations.iter().map(wired_operation).collect();
    operations.sort_by(|a, b| a.name.cmp(&b.name));
    let step_types = plugin.step_types.iter().map(|step_type| Type {
        name: step_type.name.clone(),
        description: step_type.description.clone(),
    });
    let mut step_types: Vec<Type> = step_types.collect();
    step_types.sort_by(|a, b| a.name.cmp(&b.name));
    Plugin {
        name: plugin.name.clone(),
        checksum: plugin.checksum.clone(),
        version: plugin.version.clone(),
        operations,
        step_types,
    }
}

fn wired_operation(schema: &OperationSchema) -> Operation {
    let input = |input: &OperationInput| Input {
        name: input.name.clone(),
        kind: input.kind.clone(),
        required: input.required,
        default: input.default.clone(),
        description: input.description.clone(),
        validation: input.validation.clone(),
        choices: input.choices.clone(),
    };
    let output = |(name, description): &(String, String)| Output {
        name: name.clone(),
        description: description.clone(),
    };
    let hint = |hint: Hint| match hint {
        Hint::Set(set) => Some(set),
        Hint::Absent | Hint::Malformed => None,
    };
    let said = &schema.annotations;
    Operation {
        name: schema.name.clone(),
        description: schema.description.clone(),
        inputs: schema.inputs.iter().map(input).collect(),
        outputs: schema.outputs.iter().map(output).collect(),
        annotations: Hints {
            read_only: hint(said.read_only),
            destructive: hint(said.destructive),
            idempotent: hint(said.idempotent),
            open_world: hint(said.open_world),
        },
    }
}
