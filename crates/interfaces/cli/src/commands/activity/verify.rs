//! `awf activity verify`: whether the journal is the one that was written.

use awf_core::{ActivityError, Code};
use awf_store::VerifyReport;
use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::activity::list::Format,
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
};

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(crate) async fn run(
    args: &VerifyArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let home = environment.awf_home()?;
    let place = home.join("activity");
    let report = tokio::task::spawn_blocking(move || awf_store::verify(&home)).await;
    let report = report
        .map_err(|error| CommandError::of(Code::InternalUnmapped, error.to_string()))?
        .map_err(|error| match error {
            ActivityError::Newer { .. } => error.into(),
            ActivityError::Read { .. } | ActivityError::Write { .. } => {
                CommandError::of(Code::ActivityDamaged, error.to_string())
            }
        })?;
    match args.output {
        Format::Table => Output::stdout().line(&summary(&report))?,
        Format::Json => Output::stdout().json(&document(&report))?,
        Format::Yaml => Output::stdout().yaml(&document(&report))?,
    }
    if report.segments == 0 {
        // Nothing is always intact; whoever checks a log that is somewhere else is to see it.
        say(&format!("there is no activity log in {}", place.display()));
    }
    match report.findings.len() as u64 {
        0 if report.strays == 0 => Ok(Exit::Ok),
        0 => {
            let strays = counted(report.strays, "place");
            let message = format!("the index is not what the journal says, in {strays}");
            Err(CommandError::of(Code::ActivityIndexAltered, message))
        }
        count => {
            let message =
                format!("the activity journal was altered in {}", counted(count, "place"));
            Err(CommandError::of(Code::ActivityDamaged, message)
                .hinting("stdout says where; what is intact can still be listed"))
        }
    }
}

fn summary(report: &VerifyReport) -> String {
    let verdict = if report.is_intact() { "intact" } else { "ALTERED" };
    let (events, segments) = (counted(report.events, "event"), counted(report.segments, "segment"));
    let mut lines = vec![format!("{verdict}: {events} in {segments}")];
    lines.extend(report.findings.iter().map(|finding| format!("altered: {finding}")));
    if report.strays > 0 {
        let strays = counted(report.strays, "place");
        lines.push(format!("index: not what the journal says, in {strays}"));
    }
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

/// `1 event`, `2 events`.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn document(report: &VerifyReport) -> Value {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "file": finding.place.file.display().to_string(),
            "line": finding.place.line,
            "offset": finding.place.offset,
            "fault": finding.fault.to_string(),
        })
    });
    let notes = report.notes.iter().map(ToString::to_string);
    json!({
        "intact": report.is_intact(),
        "segments": report.segments,
        "events": report.events,
        "index_strays": report.strays,
        "findings": findings.collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
    })
}
