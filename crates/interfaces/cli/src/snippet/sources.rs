//! The texts that findings are shown in, by the name the finding has for the file.

use std::collections::BTreeMap;

/// Files and their lines.
#[derive(Debug, Default)]
pub(crate) struct Sources(BTreeMap<String, Text>);

#[derive(Debug)]
struct Text {
    text: String,
    /// Where each line begins: a file may have a finding on every line, and looking each up must not read the file again.
    starts: Vec<usize>,
}

impl Sources {
    /// Keeps the text of `file`.
    pub(crate) fn add(&mut self, file: &str, mut text: String) {
        // The mark that some editors put first is no part of the first line: no column counts it.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        self.0.insert(file.to_owned(), Text { text, starts });
    }

    /// Whether the text of `file` is known.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.0.contains_key(file)
    }

    /// A line of a file, counted from 1, without its end.
    pub(crate) fn line(&self, file: &str, number: usize) -> Option<&str> {
        let Text { text, starts } = self.0.get(file)?;
        let start = *starts.get(number.checked_sub(1)?)?;
        let line = text.get(start..)?.split('\n').next()?;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}
