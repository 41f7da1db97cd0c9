//! `awf activity list`: a page of records, filtered.

use awf_core::{
    ActivityFilter, ActivityId, ActivityLog as _, ActivityPage, ActivityRecord, Cursor,
    PAGE_DEFAULT, PAGE_MAX, PageDocument,
};
use clap::{Args, ValueEnum};

use crate::{
    commands::activity::filter::FilterArgs,
    environment::Environment,
    icons::Icons,
    moment,
    output::Output,
    report::{self, CommandError, Exit},
    table::Table,
    wiring::activity_store,
};

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Calls to show, at most 100
    #[arg(short = 'n', long, default_value_t = PAGE_DEFAULT, value_parser = page)]
    limit: usize,
    /// Go on after this record: the `next_cursor` of the page before
    #[arg(long, value_name = "ID", value_parser = cursor)]
    cursor: Option<Cursor>,
    /// Show the intent as a word only
    #[arg(long)]
    no_icons: bool,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
    Yaml,
}

pub(crate) async fn run(args: &ListArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let store = activity_store(environment)?;
    let filter = ActivityFilter { limit: args.limit, cursor: args.cursor, ..args.filter.meant() };
    let page = store.query(&filter).await?;
    tell_damage(&page);
    if page.records.is_empty() {
        report::say(none(&filter));
    }
    match args.output {
        Format::Table => Output::stdout().line(&table(&page, Icons::from_flag(args.no_icons)))?,
        Format::Json => Output::stdout().json(&PageDocument::from(&page))?,
        Format::Yaml => Output::stdout().yaml(&PageDocument::from(&page))?,
    }
    Ok(Exit::Ok)
}

/// Nothing to list is told with what to do next.
fn none(filter: &ActivityFilter) -> &'static str {
    let everything = ActivityFilter { limit: filter.limit, ..ActivityFilter::default() };
    if *filter == everything {
        "no calls yet: `awf demo` makes a few"
    } else {
        "no call matches: `awf activity list` without filters shows the newest"
    }
}

/// Says what the log holds and cannot show. On stderr, so that what is printed stays whole.
pub(crate) fn tell_damage(page: &ActivityPage) {
    for damage in &page.damage {
        report::say(&format!("warning: {damage}: run `awf activity verify`"));
    }
}

/// A record as it stands beneath the headings of a list.
pub(super) fn cells(record: &ActivityRecord, icons: Icons) -> [String; 7] {
    let started = &record.started;
    [
        started.id.to_string(),
        moment::rfc3339(started.at),
        started.server.clone(),
        started.tool.clone(),
        intent(record, icons),
        record.status.as_str().to_owned(),
        record
            .ended
            .as_ref()
            .map_or_else(|| "-".to_owned(), |ended| format!("{}ms", ended.duration_ms)),
    ]
}

fn table(page: &ActivityPage, icons: Icons) -> String {
    let mut table = Table::new(["ID", "TIME", "SERVER", "TOOL", "INTENT", "STATUS", "DURATION"]);
    for record in &page.records {
        table.row(cells(record, icons));
    }
    let more = page.next.map(|cursor| format!("more: --cursor {}\n", cursor.0)).unwrap_or_default();
    format!("{table}{more}")
}

/// What a call was for.
fn intent(record: &ActivityRecord, icons: Icons) -> String {
    icons.operation(record.started.intent.as_ref().map(|intent| intent.operation))
}

fn page(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=PAGE_MAX).contains(count));
    count.ok_or_else(|| format!("must be a number from 1 to {PAGE_MAX}"))
}

fn cursor(text: &str) -> Result<Cursor, String> {
    ActivityId::parse(text).map(Cursor).ok_or_else(|| "must be the id of a record".to_owned())
}
