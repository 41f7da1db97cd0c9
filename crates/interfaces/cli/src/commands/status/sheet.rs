//! A run as labelled lines, then its steps, then what to do.

use awf_core::StepError;

use crate::{
    commands::status::{
        between,
        next::{Next, next},
        story::{StepStory, Story},
    },
    moment,
    table::{Table, printable},
};

pub(super) fn sheet(story: &Story<'_>) -> String {
    let steps =
        if story.steps.is_empty() { String::new() } else { format!("\n{}", table(&story.steps)) };
    let next = next(story).map(|next| advice(&next)).unwrap_or_default();
    format!("{}{steps}{next}", head(story))
}

/// Absent fields are left out.
fn head(story: &Story<'_>) -> String {
    let (began, finished) = (story.began, story.finished);
    let resumed = match story.resumed {
        0 => None,
        1 => Some("once".to_owned()),
        times => Some(format!("{times} times")),
    };
    let lines = [
        ("Run", Some(began.id.to_string())),
        ("Workflow", Some(began.workflow.clone())),
        ("Status", Some(story.status.as_str().to_owned())),
        ("Began", Some(moment::rfc3339(began.at))),
        ("Resumed", resumed),
        ("Duration", Some(moment::elapsed(between(began.at, story.until)))),
        ("Exit code", finished.map(|end| end.exit_code.to_string())),
        ("State", finished.map(|end| end.state.clone())),
        ("Message", finished.and_then(|end| end.message.clone())),
        ("Bypassed", bypassed(story)),
        ("Error", finished.and_then(|end| end.error.as_ref()).map(error)),
    ];
    let line = |(label, value): (&str, Option<String>)| {
        Some(format!("{:<12}{}\n", format!("{label}:"), printable(&value?)))
    };
    lines.into_iter().filter_map(line).collect()
}

/// Tools of their own that agents used past the proxy: no run should hide them.
fn bypassed(story: &Story<'_>) -> Option<String> {
    let count: u64 = story.steps.iter().map(|step| step.calls.bypassed).sum();
    let hint = format!("awf activity list --status bypassed --run {}", story.began.id);
    (count > 0).then(|| format!("{count} calls went past awf: {hint}"))
}

fn table(steps: &[StepStory<'_>]) -> Table<5> {
    let mut table = Table::new(["STEP", "STATUS", "ATTEMPTS", "ELAPSED", "ERROR"]);
    for step in steps {
        table.row([
            step.name.to_owned(),
            step.status.as_str().to_owned(),
            step.attempts.to_string(),
            moment::elapsed(between(step.began, step.until)),
            step.error.map(error).unwrap_or_default(),
        ]);
    }
    table
}

fn error(error: &StepError) -> String {
    format!("{}: {}", error.code, error.message)
}

fn advice(next: &Next) -> String {
    let lines = next.before.iter().chain([&next.command]).map(|line| printable(line));
    format!("\nNext:       {}\n", lines.collect::<Vec<_>>().join("\n            "))
}
