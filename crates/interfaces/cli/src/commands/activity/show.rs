//! `awf activity show`: one record in full, its intent section included.

use awf_core::{
    ActivityFilter, ActivityId, ActivityLog as _, ActivityRecord, Captured, Code, Outcome,
    RecordDocument, shown,
};
use clap::Args;

use crate::{
    commands::activity::list::{Format, tell_damage},
    environment::Environment,
    moment,
    output::Output,
    report::{CommandError, Exit},
    table::printable,
    wiring::activity_store,
};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The record's id, as `awf activity list` shows it
    id: String,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(crate) async fn run(args: &ShowArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let missing = || {
        CommandError::of(
            Code::ActivityNotFound,
            format!("no activity record `{}`", shown(&args.id)),
        )
    };
    let id = ActivityId::parse(&args.id).ok_or_else(missing)?;
    let filter = ActivityFilter { id: Some(id), ..ActivityFilter::default() };
    let page = activity_store(environment)?.query(&filter).await?;
    tell_damage(&page);
    let record = page.records.first().ok_or_else(missing)?;
    match args.output {
        Format::Table => Output::stdout().line(&sheet(record))?,
        Format::Json => Output::stdout().json(&RecordDocument::from(record))?,
        Format::Yaml => Output::stdout().yaml(&RecordDocument::from(record))?,
    }
    Ok(Exit::Ok)
}

/// The record as labelled lines, absent fields left out.
fn sheet(record: &ActivityRecord) -> String {
    let (started, ended) = (&record.started, record.ended.as_ref());
    let client =
        started.client.as_ref().map(|client| format!("{} {}", client.name, client.version));
    let mut sheet = Sheet(String::new());
    sheet.line("ID", Some(started.id.to_string()));
    sheet.line("Time", Some(moment::rfc3339(started.at)));
    sheet.line("Tool", Some(format!("{}:{}", started.server, started.tool)));
    sheet.line("Status", Some(record.status.as_str().to_owned()));
    sheet.line("Duration", ended.map(|ended| format!("{}ms", ended.duration_ms)));
    sheet.line("Error", ended.and_then(|ended| ended.error.clone()));
    sheet.line("Source", Some(started.surface.as_str().to_owned()));
    sheet.line("Client", client);
    sheet.line("Request", Some(started.request_id.clone()));
    sheet.line("Session", started.session.clone());
    sheet.line("Run", started.run.clone());
    sheet.line("Step", started.step.clone());
    sheet.line("Trace", started.trace_id.clone());
    intent_section(&mut sheet, record);
    sheet.line("Arguments", Some(captured(&started.arguments)));
    sheet.line("Response", ended.and_then(|ended| ended.response.as_ref()).map(captured));
    sheet.0
}

fn intent_section(sheet: &mut Sheet, record: &ActivityRecord) {
    let started = &record.started;
    let intent = started.intent.as_ref();
    let unknown = || "unknown".to_owned();
    sheet.line(
        "Intent",
        intent.map(|intent| format!("{} ({})", intent.operation, intent.origin.as_str())),
    );
    sheet.line(
        "  Sensitivity",
        intent.map(|intent| {
            intent.sensitivity.map_or_else(unknown, |level| level.as_str().to_owned())
        }),
    );
    sheet.line("  Reason", intent.and_then(|intent| intent.reason.clone()));
    sheet.line("  Variant", started.variant.map(|variant| variant.to_string()));
    let decision = match started.outcome {
        Outcome::Allow => "allow".to_owned(),
        Outcome::Warn => "warn".to_owned(),
        Outcome::Deny(code) => format!("deny ({code})"),
    };
    sheet.line("  Decision", Some(decision));
    for warning in &started.warnings {
        sheet.line("  Warning", Some(format!("{}: {}", warning.code, warning.message)));
    }
}

fn captured(captured: &Captured) -> String {
    match captured {
        Captured::Whole(raw) => raw.get().to_owned(),
        Captured::Cut { head, full_bytes } => format!("{head}… [cut: {full_bytes} bytes in all]"),
    }
}

/// Labelled lines under each other.
struct Sheet(String);

impl Sheet {
    fn line(&mut self, label: &str, value: Option<String>) {
        if let Some(value) = value {
            let label = format!("{label}:");
            self.0.extend([&format!("{label:<15}"), printable(&value).as_str(), "\n"]);
        }
    }
}
