//! `awf activity export`: every record that matches, page by page, so that a long log needs no more memory than a short one.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use awf_core::{ActivityFilter, ActivityLog as _, EXPORT_PAGE, ExportFormat, one_of};
use awf_store::ActivityStore;
use clap::Args;

use crate::{
    commands::activity::{filter::FilterArgs, list::tell_damage},
    environment::Environment,
    report::{CommandError, Exit},
    signals::Signals,
    wiring::activity_store,
};

mod sink;

use sink::Sink;

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// What to write: json (an object per line) or csv
    #[arg(short, long, default_value = "json", value_parser = format)]
    format: ExportFormat,
    /// Where to write; without it, or with `-`, to stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
}

pub(crate) async fn run(
    args: &ExportArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let store = activity_store(environment)?;
    let filter = ActivityFilter { limit: EXPORT_PAGE, ..args.filter.meant() };
    match args.output.as_deref().filter(|path| *path != Path::new("-")) {
        None => export(&store, filter, args.format, Sink::stdout()).await?,
        Some(path) => {
            // Listened for from before the file is made: one that is half written is taken away again.
            let mut signals = Signals::listen()?;
            let sink = Sink::file(path)?;
            tokio::select! {
                done = export(&store, filter, args.format, sink) => done?,
                () = signals.next() => return Err(CommandError::interrupted()),
            }
        }
    }
    Ok(Exit::Ok)
}

async fn export(
    store: &ActivityStore,
    mut filter: ActivityFilter,
    format: ExportFormat,
    mut sink: Sink,
) -> Result<(), CommandError> {
    let mut text = format.opening();
    loop {
        let page = store.query(&filter).await?;
        text.extend(page.records.iter().map(|record| format.record(record)));
        if sink.put(text.as_bytes())? == ControlFlow::Break(()) {
            return Ok(());
        }
        text.clear();
        filter.cursor = page.next;
        if filter.cursor.is_none() {
            // By now everything was read, and all that cannot be shown is known.
            tell_damage(&page);
            return sink.finish();
        }
    }
}

fn format(text: &str) -> Result<ExportFormat, String> {
    let words = ExportFormat::ALL.map(ExportFormat::as_str);
    ExportFormat::parse(text).ok_or_else(|| format!("must be {}", one_of(&words)))
}
