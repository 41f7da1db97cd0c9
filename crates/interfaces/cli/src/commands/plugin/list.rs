//! `awf plugin list`.

use awf_core::{Class, OperationSchema, PluginEntry};
use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::plugin::{Format, origin, page::document, status},
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
    workflows::Project,
};

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// One line for each operation and step type
    #[arg(long)]
    operations: bool,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(super) fn run(args: &ListArgs, project: &Project) -> Result<Exit, CommandError> {
    let plugins = &project.plugins.plugins;
    let output = Output::stdout();
    match (args.output, args.operations) {
        (Format::Json, false) => {
            output.json(&plugins.iter().map(document).collect::<Vec<_>>())?;
        }
        (Format::Json, true) => {
            output.json(&plugins.iter().flat_map(offers).collect::<Vec<_>>())?;
        }
        (Format::Table, false) => output.line(&table(plugins))?,
        (Format::Table, true) => output.line(&operations_table(plugins))?,
    }
    let unknown: Vec<&str> = plugins
        .iter()
        .filter(|plugin| plugin.operations.is_none() && plugin.enabled)
        .map(|p| p.name.as_str())
        .collect();
    if !unknown.is_empty() {
        let names = unknown.join("`, `");
        say(&format!("what `{names}` offers is not known: run `awf plugin lock`"));
    }
    Ok(Exit::Ok)
}

fn table(plugins: &[PluginEntry]) -> String {
    let mut table = Table::new(["NAME", "VERSION", "STATUS", "ORIGIN", "OPERATIONS", "STEP TYPES"]);
    let counted =
        |count: Option<usize>| count.map_or_else(|| "?".to_owned(), |count| count.to_string());
    for plugin in plugins {
        table.row([
            plugin.name.clone(),
            plugin.version.clone().unwrap_or_default(),
            status(plugin).to_owned(),
            origin(plugin).to_owned(),
            counted(plugin.operations.as_ref().map(Vec::len)),
            counted(plugin.step_types.as_ref().map(Vec::len)),
        ]);
    }
    table.to_string()
}

fn operations_table(plugins: &[PluginEntry]) -> String {
    let mut table = Table::new(["OPERATION", "KIND", "CLASS", "DESCRIPTION"]);
    for offer in plugins.iter().flat_map(offers) {
        let cell = |key: &str| offer.get(key).and_then(Value::as_str).unwrap_or_default();
        let first_line = cell("description").lines().next().unwrap_or_default();
        table.row([
            cell("name").to_owned(),
            cell("kind").to_owned(),
            cell("class").to_owned(),
            first_line.to_owned(),
        ]);
    }
    table.to_string()
}

/// What a plugin offers, one document each.
fn offers(plugin: &PluginEntry) -> Vec<Value> {
    let operation = |schema: &OperationSchema| {
        json!({
            "name": format!("{}.{}", plugin.name, schema.name),
            "kind": "operation",
            "class": class(plugin, schema),
            "description": schema.description,
        })
    };
    let operations = plugin.operations.iter().flatten().map(operation);
    let types = plugin.step_types.iter().flatten().map(|kind| {
        let name = format!("{}.{}", plugin.name, kind.name);
        json!({ "name": name, "kind": "step type", "class": "", "description": kind.description })
    });
    operations.chain(types).collect()
}

/// What an operation's annotations make of it.
pub(super) fn class(plugin: &PluginEntry, schema: &OperationSchema) -> &'static str {
    match plugin.annotations_of(schema).class() {
        Class::Destructive => "destructive",
        Class::Read => "read",
        Class::Write => "write",
        Class::Unannotated => "unannotated",
    }
}
