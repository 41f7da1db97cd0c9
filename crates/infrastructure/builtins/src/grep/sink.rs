//! Turns what a searcher finds in one file into lines of the answer.

use std::{fmt::Write as _, io};

use grep_matcher::Matcher as _;
use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};

use super::{OutputMode, engine::Engine};
use crate::{answer::LINE_CHARACTERS, shown};

/// Collects the hits of one file.
pub(super) struct Collector<'a> {
    engine: &'a Engine,
    name: &'a dyn Fn() -> String,
    /// The file's name, once it is needed.
    shown: String,
    text: &'a mut String,
    matches: u64,
    binary: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        name: &'a dyn Fn() -> String,
        text: &'a mut String,
    ) -> Self {
        Self { engine, name, shown: String::new(), text, matches: 0, binary: false }
    }

    pub(super) fn matches(&self) -> u64 {
        self.matches
    }

    /// Adds `path:line:text`; `mark` is `:` for a match and `-` for context. What does not fit is counted only.
    fn push_line(&mut self, number: Option<u64>, mark: char, line: &[u8]) {
        if self.text.len() > self.engine.answer_bytes {
            return;
        }
        if self.shown.is_empty() {
            self.shown = (self.name)();
        }
        self.text.push_str(&self.shown);
        self.text.push(mark);
        if let Some(number) = number {
            // Writing to a `String` cannot fail.
            let _ = write!(self.text, "{number}{mark}");
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let start = self.text.len();
        // More bytes than this are more characters than are shown.
        shown::push_line(self.text, line.get(..LINE_CHARACTERS * 4).unwrap_or(line));
        self.cut_line(start, line.len() > LINE_CHARACTERS * 4);
        self.text.push('\n');
    }

    fn cut_line(&mut self, start: usize, more: bool) {
        let line = self.text.get(start..).unwrap_or_default();
        let end = line.char_indices().nth(LINE_CHARACTERS).map(|(end, _)| start + end);
        if let Some(end) = end {
            self.text.truncate(end);
        }
        if more || end.is_some() {
            self.text.push_str(" […line cut]");
        }
    }

    /// In multi-line mode one report may hold several matches.
    fn count_in(&self, searcher: &Searcher, found: &SinkMatch<'_>) -> u64 {
        if !searcher.multi_line_with_matcher(&self.engine.matcher) {
            return 1;
        }
        let mut count = 0;
        // This matcher's search cannot fail.
        let _ = self.engine.matcher.find_iter(found.bytes(), |_| {
            count += 1;
            true
        });
        count.max(1)
    }

    /// The one line a file has in the modes that list files.
    fn summarise(&mut self) {
        if self.matches == 0 {
            return;
        }
        match self.engine.mode {
            OutputMode::Content => {}
            OutputMode::FilesWithMatches => {
                self.text.push_str(&(self.name)());
                self.text.push('\n');
            }
            OutputMode::Count => {
                let _ = writeln!(self.text, "{}:{}", (self.name)(), self.matches);
            }
        }
    }
}

impl Sink for Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.matches += self.count_in(searcher, found);
        match self.engine.mode {
            OutputMode::FilesWithMatches => return Ok(false),
            OutputMode::Count => return Ok(true),
            OutputMode::Content => {}
        }
        if self.binary {
            // One match in the binary part of a file says all there is to say; its bytes are not shown.
            return Ok(false);
        }
        let mut number = found.line_number();
        for line in found.lines() {
            self.push_line(number, ':', line);
            number = number.map(|number| number + 1);
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        if !self.binary {
            self.push_line(context.line_number(), '-', context.bytes());
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        if self.text.len() <= self.engine.answer_bytes && !self.binary {
            self.text.push_str("--\n");
        }
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> Result<bool, io::Error> {
        self.binary = true;
        Ok(true)
    }

    fn finish(&mut self, searcher: &Searcher, finish: &SinkFinish) -> Result<(), io::Error> {
        let binary = finish.binary_byte_offset().filter(|_| self.matches > 0);
        let quits = searcher.binary_detection().quit_byte().is_some();
        match (self.engine.mode, binary) {
            (OutputMode::Content, Some(offset)) => {
                let what =
                    if quits { "search stopped at binary data" } else { "binary data matches" };
                let name = (self.name)();
                let _ = writeln!(self.text, "{name}: [{what}, NUL byte near offset {offset}]");
            }
            // A count that stops halfway would mislead; ripgrep drops the file too.
            (OutputMode::Count, Some(_)) if quits => self.matches = 0,
            (OutputMode::Content | OutputMode::Count | OutputMode::FilesWithMatches, _) => {
                self.summarise();
            }
        }
        Ok(())
    }
}
