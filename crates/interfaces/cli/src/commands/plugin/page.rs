//! `awf plugin info`.

use std::fmt::Write as _;

use awf_core::{OperationInput, OperationSchema, PluginEntry};
use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::plugin::{Format, list::class, named, origin, status},
    output::Output,
    report::{CommandError, Exit},
    table::printable,
    workflows::Project,
};

#[derive(Debug, Args)]
pub(super) struct InfoArgs {
    /// The plugin
    name: String,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(super) fn run(args: &InfoArgs, project: &Project) -> Result<Exit, CommandError> {
    let plugin = named(&args.name, &project.plugins)?;
    match args.output {
        Format::Table => Output::stdout().line(&page(plugin))?,
        Format::Json => Output::stdout().json(&document(plugin))?,
    }
    Ok(Exit::Ok)
}

/// All that is known; what it is configured with only by name, as values may be secrets.
pub(super) fn document(plugin: &PluginEntry) -> Value {
    json!({
        "name": plugin.name,
        "version": plugin.version,
        "description": plugin.description,
        "status": status(plugin),
        "origin": origin(plugin),
        "command": plugin.command,
        "checksum": plugin.checksum,
        "timeout_s": plugin.timeout.map(|limit| limit.as_secs_f64()),
        "config": plugin.config.keys().collect::<Vec<_>>(),
        "operations": plugin.operations.as_ref().map(|known| {
            known.iter().map(|schema| operation(plugin, schema)).collect::<Vec<_>>()
        }),
        "step_types": plugin.step_types.as_ref().map(|known| {
            known.iter().map(|kind| json!({"name": kind.name, "description": kind.description})).collect::<Vec<_>>()
        }),
    })
}

fn operation(plugin: &PluginEntry, schema: &OperationSchema) -> Value {
    let input = |input: &OperationInput| {
        json!({
            "name": input.name,
            "type": input.kind,
            "required": input.required,
            "default": input.default,
            "description": input.description,
            "enum": input.choices,
        })
    };
    json!({
        "name": schema.name,
        "class": class(plugin, schema),
        "description": schema.description,
        "inputs": schema.inputs.iter().map(input).collect::<Vec<_>>(),
        "outputs": schema.outputs.iter().map(|(name, what)| json!({"name": name, "description": what})).collect::<Vec<_>>(),
    })
}

fn page(plugin: &PluginEntry) -> String {
    let mut page = String::new();
    let mut line = |label: &str, value: &str| {
        if !value.is_empty() {
            // Writing to a text cannot fail.
            let _: std::fmt::Result = writeln!(page, "{label:<13}{}", printable(value));
        }
    };
    line("name", &plugin.name);
    line("version", plugin.version.as_deref().unwrap_or_default());
    line("description", plugin.description.as_deref().unwrap_or_default());
    line("status", status(plugin));
    line("origin", origin(plugin));
    let command: Vec<String> =
        plugin.command.iter().map(|word| word.display().to_string()).collect();
    line("command", &command.join(" "));
    line("checksum", plugin.checksum.as_deref().unwrap_or_default());
    let timeout = plugin.timeout.map(|limit| format!("{} s", limit.as_secs_f64()));
    line("timeout", timeout.as_deref().unwrap_or_default());
    let config: Vec<&str> = plugin.config.keys().map(String::as_str).collect();
    line("config", &config.join(", "));
    match &plugin.operations {
        None => line("operations", "not known: run `awf plugin lock`"),
        Some(operations) => {
            for schema in operations {
                line("operation", &described(plugin, schema));
            }
        }
    }
    for kind in plugin.step_types.iter().flatten() {
        line("step type", &format!("{}.{}  {}", plugin.name, kind.name, kind.description));
    }
    page
}

/// `kubernetes.apply(file, force?)  write  Applies a file`
fn described(plugin: &PluginEntry, schema: &OperationSchema) -> String {
    let input = |input: &OperationInput| {
        let mark = if input.required { "" } else { "?" };
        format!("{}{mark}", input.name)
    };
    let inputs: Vec<String> = schema.inputs.iter().map(input).collect();
    let first_line = schema.description.lines().next().unwrap_or_default();
    let (name, class) = (&schema.name, class(plugin, schema));
    format!("{}.{name}({})  {class}  {first_line}", plugin.name, inputs.join(", "))
}
