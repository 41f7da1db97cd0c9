//! What the model says, passed on line by line: a secret that is struck out per piece must not be cut in two.

use std::mem;

use awf_core::{AgentNews, AgentWatcher, ModelAnswer, Usage};

use crate::openai::ApiKey;

/// A line that does not end is passed on when it is this long.
const LONGEST_LINE: usize = 16 * 1024;

/// How much of an answer is told with its end.
const HEAD: usize = 16 * 1024;

/// Tells a watcher what is said.
pub(super) struct Voice<'a> {
    watcher: &'a AgentWatcher,
    key: Option<&'a ApiKey>,
    line: String,
}

impl<'a> Voice<'a> {
    pub(super) fn new(watcher: &'a AgentWatcher, key: Option<&'a ApiKey>) -> Self {
        Self { watcher, key, line: String::new() }
    }

    /// Adds a piece; whole lines are told.
    pub(super) fn say(&mut self, piece: &str) {
        self.line.push_str(piece);
        if let Some(end) = self.line.rfind('\n') {
            let rest = self.line.split_off(end + 1);
            let lines = mem::replace(&mut self.line, rest);
            self.tell(&lines);
        }
        if self.line.len() > LONGEST_LINE {
            let long = mem::take(&mut self.line);
            self.tell(&long);
        }
    }

    /// Tells what is left, as a line.
    pub(super) fn end(&mut self) {
        if !self.line.is_empty() {
            let line = mem::take(&mut self.line) + "\n";
            self.tell(&line);
        }
    }

    /// The model is asked.
    pub(super) fn asked(&self) {
        (self.watcher)(AgentNews::Asked);
    }

    /// The model has answered, and used this for it.
    pub(super) fn answered(&self, text: &str, usage: Usage) {
        let text = self.struck(text.get(..text.floor_char_boundary(HEAD)).unwrap_or_default());
        (self.watcher)(AgentNews::Answered(ModelAnswer { text, usage: Some(usage) }));
    }

    /// Says something about the matter, not of it.
    pub(super) fn complain(&mut self, complaint: &str) {
        self.end();
        (self.watcher)(AgentNews::Complaint(self.struck(complaint)));
    }

    fn tell(&self, text: &str) {
        (self.watcher)(AgentNews::Text(self.struck(text)));
    }

    fn struck(&self, text: &str) -> String {
        self.key.map_or_else(|| text.to_owned(), |key| key.strike(text).into_owned())
    }
}

#[cfg(test)]
mod tests;
