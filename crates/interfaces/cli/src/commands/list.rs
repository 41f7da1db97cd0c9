//! `awf list`: the workflows that can be run by name.

use std::collections::BTreeSet;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
    workflows::{self, Folder},
};

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// One workflow, as printed.
#[derive(Debug, Serialize)]
struct Entry {
    /// What `awf run` takes.
    name: String,
    source: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Whether it can be read; `awf validate` says more.
    readable: bool,
}

pub(crate) fn run(args: &ListArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let entries = entries(&workflows::folders(environment))?;
    match args.output {
        Format::Table if entries.is_empty() => {
            let usual = "run `awf init`, or put one into `.awf/workflows/`";
            let hint = workflows::go_to_project(environment).unwrap_or_else(|| usual.to_owned());
            say(&format!("there are no workflows: {hint}"));
        }
        Format::Table => Output::stdout().line(&table(entries))?,
        Format::Json => Output::stdout().json(&entries)?,
    }
    Ok(Exit::Ok)
}

/// Every workflow once: of those with the same name, the one that the name means.
fn entries(folders: &[Folder]) -> Result<Vec<Entry>, CommandError> {
    let mut entries = Vec::new();
    let mut names = BTreeSet::new();
    for folder in folders {
        for path in workflows::files_in(&folder.path)? {
            let Some(name) = workflows::stem(&path).filter(|name| names.insert(name.clone()))
            else {
                continue;
            };
            let workflow = workflows::load(&path).ok().and_then(|loaded| loaded.workflow);
            entries.push(Entry {
                name,
                source: folder.owner.as_str(),
                path: path.display().to_string(),
                readable: workflow.is_some(),
                version: workflow.as_ref().and_then(|workflow| workflow.version.clone()),
                description: workflow.and_then(|workflow| workflow.description),
            });
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn table(entries: Vec<Entry>) -> String {
    let mut table = Table::new(["NAME", "SOURCE", "VERSION", "DESCRIPTION"]);
    for entry in entries {
        let said = entry.description.unwrap_or_default();
        let first_line = said.lines().next().unwrap_or_default().to_owned();
        let description = if entry.readable {
            first_line
        } else {
            "(cannot be read: see `awf validate`)".to_owned()
        };
        table.row([
            entry.name,
            entry.source.to_owned(),
            entry.version.unwrap_or_default(),
            description,
        ]);
    }
    table.to_string()
}
