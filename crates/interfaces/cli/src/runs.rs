//! Runs as commands find them: their journals, and one of them by its id or the beginning of it.

use awf_core::{Code, RunJournalError, RunSummary, nearest, shown};
use awf_store::RunStore;

use crate::{environment::Environment, report::CommandError};

/// Fewer characters of an id would name a different run every few minutes.
const PREFIX: usize = 6;
/// Ids offered at most.
const OFFERED: usize = 3;

/// The journals of all runs.
pub(crate) fn run_store(environment: &Environment) -> Result<RunStore, CommandError> {
    Ok(RunStore::open(&environment.awf_home()?))
}

/// The one run whose id is, or begins with, what was typed; upper or lower case.
pub(crate) fn find<'a>(
    runs: &'a [RunSummary],
    typed: &str,
) -> Result<&'a RunSummary, CommandError> {
    let wanted = typed.to_ascii_uppercase();
    let mut fitting = runs.iter().filter(|run| run.id.to_string().starts_with(&wanted));
    match (fitting.next(), fitting.next()) {
        _ if wanted.len() < PREFIX => Err(too_short(typed)),
        (None, _) => Err(missing(runs, typed, &wanted)),
        (Some(run), None) => Ok(run),
        (Some(first), Some(second)) => {
            let all: Vec<_> = [first, second].into_iter().chain(fitting).collect();
            Err(ambiguous(&all, typed))
        }
    }
}

fn too_short(typed: &str) -> CommandError {
    let message = format!("`{}` is too short to name a run", shown(typed));
    CommandError::of(Code::RunNotFound, message)
        .hinting(&format!("give at least {PREFIX} characters of its id; `awf history` shows them"))
}

fn missing(runs: &[RunSummary], typed: &str, wanted: &str) -> CommandError {
    let error = CommandError::of(Code::RunNotFound, format!("no run `{}`", shown(typed)));
    let ids: Vec<_> = runs.iter().map(|run| run.id.to_string()).collect();
    match nearest(wanted, ids.iter().map(String::as_str)).as_slice() {
        [] => error,
        near => error.hinting(&format!("did you mean {}?", quoted(near))),
    }
}

fn ambiguous(fitting: &[&RunSummary], typed: &str) -> CommandError {
    let count = fitting.len();
    let ids: Vec<_> = fitting.iter().take(OFFERED).map(|run| run.id.to_string()).collect();
    let newest = quoted(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let message = format!("the ids of {count} runs begin with `{}`", shown(typed));
    CommandError::of(Code::RunNotFound, message)
        .hinting(&format!("give more of it; the newest are {newest}"))
}

fn quoted(ids: &[&str]) -> String {
    ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}

impl From<RunJournalError> for CommandError {
    fn from(error: RunJournalError) -> Self {
        let code = match error {
            RunJournalError::NotFound(_) => Code::RunNotFound,
            RunJournalError::Active(_) => Code::RunActive,
            RunJournalError::Damaged { .. } => Code::RunDamaged,
            RunJournalError::Io { .. } => Code::RunUnavailable,
        };
        Self::of(code, error.to_string())
    }
}
