//! The answers of one agent's model: numbered, timed, and handed to the run's journal with a short beginning of their text.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use awf_core::{ModelAnswer, Redactor, RunTurn, TaskId};
use tokio::sync::mpsc::UnboundedSender;

use crate::engine::bench::Bench;

/// Characters that are kept of what was said.
const HEAD: usize = 200;
/// Bytes that are looked at: a secret across this cut is far behind what is kept.
const LOOKED_AT: usize = 16 << 10;

/// Tells a journal of the answers of one task.
pub(super) struct Turns {
    task: TaskId,
    redactor: Arc<Redactor>,
    journal: UnboundedSender<RunTurn>,
    last: Mutex<Last>,
}

/// How many there were, and when the next was asked for.
struct Last {
    number: u32,
    asked: SystemTime,
}

impl Turns {
    pub(super) fn of(bench: &Bench<'_>) -> Self {
        Self {
            task: bench.task.id,
            redactor: bench.redactor.clone(),
            journal: bench.turns.clone(),
            last: Mutex::new(Last { number: 0, asked: SystemTime::now() }),
        }
    }

    pub(super) fn asked(&self) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).asked = SystemTime::now();
    }

    pub(super) fn answered(&self, answer: &ModelAnswer) {
        let at = SystemTime::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.number = last.number.saturating_add(1);
        let (number, began) = (last.number, last.asked);
        // Should the agent not say when it asks again: not before now.
        last.asked = at;
        drop(last);
        let (task, usage, head) = (self.task, answer.usage, head(&self.redactor, &answer.text));
        // Nobody listens any more once the run is over.
        self.journal.send(RunTurn { task, number, began, at, usage, head }).ok();
    }
}

/// The beginning of what was said, without secrets.
fn head(redactor: &Redactor, text: &str) -> String {
    let text = text.trim();
    let text = text.get(..text.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
    let clean = redactor.text(text);
    match clean.char_indices().nth(HEAD) {
        Some((end, _)) => format!("{}…", clean.get(..end).unwrap_or_default()),
        None => clean.into_owned(),
    }
}

#[cfg(test)]
mod tests;
