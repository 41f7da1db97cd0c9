//! `awf activity watch`: calls as they come to an end, of whatever process, until somebody has seen enough.

use std::{ops::ControlFlow, time::Duration};

use awf_core::{
    ActivityLog as _, ActivityRecord, Code, ExportFormat, RawJson, RecordDocument, Status,
};
use clap::Args;
use tokio::time::sleep;

use crate::{
    commands::activity::{
        filter::FilterArgs,
        list::{Format, cells},
    },
    environment::Environment,
    icons::Icons,
    output::Output,
    report::{CommandError, Exit, say},
    signals::Signals,
    table::{padded, printable},
    wiring::activity_store,
    yaml,
};

/// Between two looks at the log.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Show the intent as a word only
    #[arg(long)]
    no_icons: bool,
    /// What to print for each call: a line, a line of JSON, or a YAML document
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(crate) async fn run(args: &WatchArgs, environment: &Environment) -> Result<Exit, CommandError> {
    if args.filter.status == Some(Status::Started) {
        let message = "no call is shown while its status is `started`";
        let hint = "a call is shown when it is over; `awf activity list --status started` shows those that run";
        return Err(CommandError::of(Code::InputInvalidFormat, message).hinting(hint));
    }
    let mut signals = Signals::listen()?;
    tokio::select! {
        done = watch(args, environment) => done?,
        () = signals.next() => {}
    }
    Ok(Exit::Ok)
}

async fn watch(args: &WatchArgs, environment: &Environment) -> Result<(), CommandError> {
    let (store, filter) = (activity_store(environment)?, args.filter.meant());
    let icons = Icons::from_flag(args.no_icons);
    let mut place = store.news(&filter, None).await?.place;
    if matches!(args.output, Format::Table) && print(heading()).await? == ControlFlow::Break(()) {
        return Ok(());
    }
    loop {
        let news = store.news(&filter, Some(place)).await?;
        if news.gap {
            say(
                "the index of the log was made anew: calls that ended just now may be missing here",
            );
        }
        let moved = place != news.place;
        place = news.place;
        let text: String =
            news.calls.iter().map(|over| shown(&over.record, args.output, icons)).collect();
        if !text.is_empty() && print(text).await? == ControlFlow::Break(()) {
            return Ok(());
        }
        if !moved {
            sleep(PAUSE).await;
        }
    }
}

/// Prints on a thread that may wait: who is slow to read must not keep a signal from being heard.
async fn print(text: String) -> Result<ControlFlow<()>, CommandError> {
    let printed =
        tokio::task::spawn_blocking(move || Output::stdout().offer(text.as_bytes())).await;
    printed.map_err(|error| CommandError::of(Code::InternalUnmapped, error.to_string()))?
}

fn shown(record: &ActivityRecord, format: Format, icons: Icons) -> String {
    match format {
        Format::Table => line(record, icons),
        Format::Json => ExportFormat::Json.record(record),
        Format::Yaml => serde_json::value::to_raw_value(&RecordDocument::from(record))
            .map(|raw| format!("---\n{}\n", yaml::from_json(&RawJson::from(raw)).trim_end()))
            .unwrap_or_default(),
    }
}

/// Wide enough for most; nobody knows what is yet to come.
const WIDTHS: [usize; 6] = [26, 24, 12, 16, 8, 11];

fn heading() -> String {
    let names = ["ID", "TIME", "SERVER", "TOOL", "INTENT", "STATUS", "DURATION"];
    row(&names.map(str::to_owned))
}

fn line(record: &ActivityRecord, icons: Icons) -> String {
    row(&cells(record, icons).map(|cell| printable(&cell)))
}

fn row(cells: &[String; 7]) -> String {
    let widths = WIDTHS.into_iter().chain([0]);
    let cells: Vec<String> =
        cells.iter().zip(widths).map(|(cell, width)| padded(cell, width)).collect();
    format!("{}\n", cells.join("  "))
}
