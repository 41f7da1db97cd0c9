//! `awf history`: the runs there were, newest first.

use std::time::{Duration, SystemTime};

use awf_core::{RunJournal as _, RunLineDocument, RunStatus, RunSummary};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{
    environment::Environment,
    moment,
    output::Output,
    report::{CommandError, Exit},
    runs::run_store,
    table::Table,
};

mod stats;

use stats::Stats;

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Only runs of this workflow
    #[arg(short, long, value_name = "NAME")]
    workflow: Option<String>,
    /// Only runs that stand like this: success, failed, cancelled, interrupted or running
    #[arg(short, long, value_parser = status)]
    status: Option<RunStatus>,
    /// Only runs that began since then: a day like 2026-11-16 (UTC), a time, or how long ago: 90s, 15m, 2h, 7d
    #[arg(long, value_parser = since)]
    since: Option<SystemTime>,
    /// Runs to show
    #[arg(short = 'n', long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Count all these runs instead of showing them, whatever `--limit` says
    #[arg(long)]
    stats: bool,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Json,
}

pub(crate) async fn run(
    args: &HistoryArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let mut runs = run_store(environment)?.list().await?;
    runs.retain(|run| wanted(args, run));
    let output = Output::stdout();
    if args.stats {
        let stats = Stats::of(&runs);
        match args.output {
            Format::Table => output.line(&stats.to_string())?,
            Format::Json => output.json(&stats)?,
        }
        return Ok(Exit::Ok);
    }
    runs.truncate(usize::try_from(args.limit).unwrap_or(usize::MAX));
    match args.output {
        Format::Table => output.line(&table(&runs).to_string())?,
        Format::Json => output.json(&HistoryDocument::from(&*runs))?,
    }
    Ok(Exit::Ok)
}

fn wanted(args: &HistoryArgs, run: &RunSummary) -> bool {
    args.workflow.as_ref().is_none_or(|name| *name == run.workflow)
        && args.status.is_none_or(|status| status == run.status)
        && args.since.is_none_or(|since| run.began >= since)
}

/// Runs under each other.
pub(crate) fn table(runs: &[RunSummary]) -> Table<6> {
    let mut table = Table::new(["ID", "WORKFLOW", "STATUS", "BEGAN", "DURATION", "EXIT"]);
    let unknown = || "-".to_owned();
    for run in runs {
        table.row([
            run.id.to_string(),
            run.workflow.clone(),
            run.status.as_str().to_owned(),
            moment::rfc3339(run.began),
            duration(run).map_or_else(unknown, moment::elapsed),
            run.exit_code.map_or_else(unknown, |code| code.to_string()),
        ]);
    }
    table
}

/// From its beginning to its end, the time it lay interrupted included.
fn duration(run: &RunSummary) -> Option<Duration> {
    run.ended.map(|ended| ended.duration_since(run.began).unwrap_or_default())
}

/// The runs as other programs read them. Stable once shipped.
///
/// ```json
/// {"runs": [{"id": "01M7…", "workflow": "release", "status": "success", "began": "2026-11-16T09:30:00.000Z",
///            "ended": "2026-11-16T09:30:01.500Z", "duration_ms": 1500, "exit_code": 0}]}
/// ```
/// `ended`, `duration_ms` and `exit_code` are `null` until the run has ended.
#[derive(Serialize)]
struct HistoryDocument<'a> {
    runs: Vec<RunLineDocument<'a>>,
}

impl<'a> From<&'a [RunSummary]> for HistoryDocument<'a> {
    fn from(runs: &'a [RunSummary]) -> Self {
        Self { runs: runs.iter().map(RunLineDocument::from).collect() }
    }
}

fn status(text: &str) -> Result<RunStatus, String> {
    RunStatus::parse(text)
        .ok_or_else(|| "must be success, failed, cancelled, interrupted or running".to_owned())
}

fn since(text: &str) -> Result<SystemTime, String> {
    moment::parse_since(text, SystemTime::now())
}
