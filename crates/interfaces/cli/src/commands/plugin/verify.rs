//! `awf plugin verify`.

use awf_core::{OperationFailure, PluginEntry};
use awf_plugins::{Inventory, PluginError};
use clap::Args;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    commands::plugin::{Format, chosen},
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
    wiring::Probe,
    workflows::Project,
};

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Plugins; without any: all that are switched on
    #[arg(value_name = "PLUGIN")]
    names: Vec<String>,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

/// What came of one plugin.
struct Verdict<'p> {
    plugin: &'p PluginEntry,
    said: Result<Inventory, PluginError>,
}

pub(super) async fn run(
    args: &VerifyArgs,
    project: &Project,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let chosen = chosen(&args.names, &project.plugins)?;
    let probe = Probe::open(project, &project.plugins, environment)?;
    let asked = chosen.into_iter().map(async |plugin| {
        let said = probe.operations.inventory(&plugin.name).await;
        Verdict { plugin, said }
    });
    let verdicts = join_all(asked).await;
    probe.close().await;
    show(&verdicts, args.output)?;
    let sound = verdicts.iter().all(|verdict| verdict.said.is_ok());
    Ok(if sound { Exit::Ok } else { Exit::Failed })
}

fn show(verdicts: &[Verdict<'_>], format: Format) -> Result<(), CommandError> {
    match format {
        Format::Json => {
            return Output::stdout().json(&verdicts.iter().map(document).collect::<Vec<_>>());
        }
        Format::Table if verdicts.is_empty() => {
            say(
                "there is no plugin to verify: `awf plugin list` shows which there are, and which are switched off",
            );
            return Ok(());
        }
        Format::Table => {}
    }
    let mut table = Table::new(["PLUGIN", "VERDICT", "CHECKSUM", "DETAIL"]);
    for verdict in verdicts {
        let (word, detail) = match &verdict.said {
            Ok(found) => ("sound", summary(found)),
            Err(error) => ("unsound", error.to_string()),
        };
        let checksum = match (&verdict.plugin.checksum, &verdict.said) {
            (None, _) => "none given",
            (Some(_), Ok(_)) => "matches",
            (Some(_), Err(PluginError::Altered { .. })) => "differs",
            (Some(_), Err(_)) => "not compared",
        };
        table.row([verdict.plugin.name.clone(), word.to_owned(), checksum.to_owned(), detail]);
    }
    Output::stdout().line(&table.to_string())
}

fn summary(found: &Inventory) -> String {
    let (operations, types) = (found.operations.len(), found.step_types.len());
    format!("version {}; operations: {operations}, step types: {types}", found.info.version)
}

fn document(verdict: &Verdict<'_>) -> Value {
    let plugin = &verdict.plugin;
    match &verdict.said {
        Ok(found) => json!({
            "name": plugin.name,
            "sound": true,
            "checksum": plugin.checksum,
            "version": found.info.version,
            "operations": found.operations.iter().map(|schema| &schema.name).collect::<Vec<_>>(),
            "step_types": found.step_types.iter().map(|kind| &kind.name).collect::<Vec<_>>(),
        }),
        Err(error) => {
            let failure = OperationFailure::from(error.clone());
            json!({
                "name": plugin.name,
                "sound": false,
                "checksum": plugin.checksum,
                "code": failure.code().as_str(),
                "message": error.to_string(),
            })
        }
    }
}
