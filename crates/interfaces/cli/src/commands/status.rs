//! `awf status`: one run, its steps, and what to do next.

use std::time::{Duration, SystemTime};

use awf_core::{Code, RunJournal as _, RunSummary, Timeline};
use clap::{Args, ValueEnum};

use crate::{
    environment::Environment,
    output::Output,
    report::{CommandError, Exit},
    runs::{find, run_store},
};

mod document;
mod next;
mod sheet;

use document::RunDocument;

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The run's id, or at least its first six characters; without it: the newest run
    id: Option<String>,
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Text)]
    output: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) async fn run(
    args: &StatusArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let store = run_store(environment)?;
    let runs = store.list().await?;
    let summary = match &args.id {
        Some(typed) => find(&runs, typed)?,
        None => runs.first().ok_or_else(nothing_yet)?,
    };
    let events = store.load(summary.id).await?;
    let story = Timeline::of(&events, &[], summary.status, SystemTime::now());
    let story = story.ok_or_else(|| headless(summary))?;
    match args.output {
        Format::Text => Output::stdout().line(&sheet::sheet(&story))?,
        Format::Json => Output::stdout().json(&RunDocument::from(&story))?,
    }
    Ok(Exit::Ok)
}

fn nothing_yet() -> CommandError {
    CommandError::of(Code::RunNotFound, "there has been no run yet")
        .hinting("start one: `awf run <workflow>`")
}

fn headless(summary: &RunSummary) -> CommandError {
    let message = format!("the journal of run `{}` lacks its first event", summary.id);
    CommandError::of(Code::RunDamaged, message)
}

/// How long it took, or takes so far.
fn length(story: &Timeline<'_>) -> Duration {
    // A clock that was set back is no reason to fail.
    story.until.duration_since(story.began.at).unwrap_or_default()
}

#[cfg(test)]
mod tests;
