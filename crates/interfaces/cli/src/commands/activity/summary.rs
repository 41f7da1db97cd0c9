//! `awf activity summary`: many calls in a few numbers.

use awf_core::{ActivityFilter, ActivityLog as _, ActivitySummary, Durations, SummaryDocument};
use clap::Args;

use crate::{
    commands::activity::{
        filter::FilterArgs,
        list::{Format, tell_damage},
    },
    environment::Environment,
    moment,
    output::Output,
    report::{CommandError, Exit},
    table::Table,
    wiring::activity_store,
};

#[derive(Debug, Args)]
pub(crate) struct SummaryArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(crate) async fn run(
    args: &SummaryArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let store = activity_store(environment)?;
    let summary = store.summary(&args.filter.meant()).await?;
    // What the log cannot show is not counted either.
    tell_damage(&store.query(&ActivityFilter { limit: 1, ..ActivityFilter::default() }).await?);
    match args.output {
        Format::Table => Output::stdout().line(&sheet(&summary))?,
        Format::Json => Output::stdout().json(&SummaryDocument::from(&summary))?,
        Format::Yaml => Output::stdout().yaml(&SummaryDocument::from(&summary))?,
    }
    Ok(Exit::Ok)
}

/// Tables under each other; what there is none of is left out.
fn sheet(summary: &ActivitySummary) -> String {
    let mut parts = vec![span(summary)];
    parts.push(counts("STATUS", summary.by_status()));
    parts.push(counts("INTENT", summary.by_intent_type()));
    parts
        .push(counts("SERVER", summary.servers.iter().map(|row| (row.server.as_str(), row.count))));
    let mut tools = Table::new(["TOOL", "SERVER", "CALLS"]);
    for row in &summary.tools {
        tools.row([row.tool.clone(), row.server.clone(), row.count.to_string()]);
    }
    if !summary.tools.is_empty() {
        parts.push(tools.to_string());
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn span(summary: &ActivitySummary) -> String {
    let plural = if summary.total == 1 { "" } else { "s" };
    let span = summary.first.zip(summary.last).map(|(first, last)| {
        format!(" from {} to {}", moment::rfc3339(first), moment::rfc3339(last))
    });
    let took = summary
        .durations
        .map(|Durations { p50, p95 }| format!("half took up to {p50}ms, 19 of 20 up to {p95}ms\n"));
    let (span, took) = (span.unwrap_or_default(), took.unwrap_or_default());
    format!("{} call{plural}{span}\n{took}", summary.total)
}

fn counts<'a>(heading: &str, rows: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let mut table = Table::new([heading, "CALLS"]);
    let mut some = false;
    for (name, count) in rows.into_iter().filter(|(_, count)| *count > 0) {
        table.row([name.to_owned(), count.to_string()]);
        some = true;
    }
    if some { table.to_string() } else { String::new() }
}
