//! A run as labelled lines, then its steps, then what to do.

use awf_core::{StepError, StepSpan, Timeline};

use crate::{
    commands::status::{
        length,
        next::{Next, next},
    },
    moment,
    table::{Table, printable},
};

pub(super) fn sheet(story: &Timeline<'_>) -> String {
    let steps =
        if story.steps.is_empty() { String::new() } else { format!("\n{}", table(&story.steps)) };
    let next = next(story).map(|next| advice(&next)).unwrap_or_default();
    format!("{}{steps}{next}", head(story))
}

/// Absent fields are left out.
fn head(story: &Timeline<'_>) -> String {
    let (began, finished) = (story.began, story.finished);
    let resumed = match story.stretches.len().saturating_sub(1) {
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
        ("Duration", Some(moment::elapsed(length(story)))),
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
fn bypassed(story: &Timeline<'_>) -> Option<String> {
    let count = story.calls().bypassed;
    let hint = format!("awf activity list --status bypassed --run {}", story.began.id);
    (count > 0).then(|| format!("{count} calls went past awf: {hint}"))
}

fn table(steps: &[StepSpan<'_>]) -> Table<5> {
    let mut table = Table::new(["STEP", "STATUS", "ATTEMPTS", "ELAPSED", "ERROR"]);
    for step in steps {
        let last = step.attempts.last();
        table.row([
            step.name.to_owned(),
            step.status().as_str().to_owned(),
            last.map_or(0, |last| last.number).to_string(),
            moment::elapsed(step.span().length()),
            last.and_then(|last| last.error).map(error).unwrap_or_default(),
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
