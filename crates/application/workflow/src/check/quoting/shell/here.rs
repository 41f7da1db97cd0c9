//! Here-documents: the lines behind a command with `<<`, up to the one that ends them.

use std::{collections::VecDeque, mem};

use crate::check::quoting::shell::Rest;

/// What stands for something inserted in a line: it ends no document.
const INSERTED: char = '\0';

/// Those that were announced and are not over.
#[derive(Debug, Default)]
pub(super) struct Documents {
    awaited: VecDeque<Document>,
    line: String,
}

#[derive(Debug, Default)]
struct Document {
    end: String,
    /// `<<-`: tabs before the end do not count.
    indented: bool,
}

impl Documents {
    pub(super) fn are_awaited(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// Reads the word behind `<<`. One that something is inserted in is not known, and so is where its document ends.
    pub(super) fn announce(&mut self, rest: &mut Rest<'_>) {
        let indented = rest.next_if_eq(&'-').is_some();
        while rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        let mut end = String::new();
        while let Some(c) = rest.next_if(|c| !c.is_whitespace() && !"|&;<>()".contains(*c)) {
            match c {
                '\'' | '"' => end.extend(rest.by_ref().take_while(|inner| *inner != c)),
                '\\' => end.extend(rest.next()),
                c => end.push(c),
            }
        }
        if rest.peek().is_some() {
            self.awaited.push_back(Document { end, indented });
        }
    }

    /// Goes on with the next character of a document.
    pub(super) fn read(&mut self, c: char) {
        if c != '\n' {
            self.line.push(c);
            return;
        }
        let line = mem::take(&mut self.line);
        let ends = |document: &Document| {
            let line = if document.indented { line.trim_start_matches('\t') } else { &line };
            line == document.end
        };
        if self.awaited.front().is_some_and(ends) {
            self.awaited.pop_front();
        }
    }

    pub(super) fn insert(&mut self) {
        self.line.push(INSERTED);
    }
}
