//! The texts that findings are shown in, by the name the finding has for the file.
//!
//! A file may be one line of a million characters with a finding at each of them: any place is reached without reading the
//! line from its beginning.

use std::{collections::BTreeMap, sync::OnceLock};

use awf_core::{Diagnostic, Redactor};

use crate::secrets;

/// Characters between two places whose bytes are known.
const STRIDE: usize = 512;

/// Files and their lines.
#[derive(Debug, Default)]
pub(crate) struct Sources(BTreeMap<String, Text>);

#[derive(Debug)]
struct Text {
    whole: String,
    /// The characters in all.
    length: usize,
    /// Where each line begins, in characters.
    lines: Vec<usize>,
    /// The byte of every character whose number `STRIDE` divides.
    marks: Vec<usize>,
    /// Knows what the file holds secret, once that is asked for.
    redactor: OnceLock<Redactor>,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    text: &'a Text,
    first: usize,
    /// Its characters, without its end.
    pub(super) length: usize,
}

impl Sources {
    /// Keeps the text of `file`.
    pub(crate) fn add(&mut self, file: &str, mut text: String) {
        // The mark that some editors put first is no part of the first line: no column counts it.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let (mut lines, mut marks, mut length) = (vec![0], Vec::new(), 0);
        for (byte, c) in text.char_indices() {
            if length % STRIDE == 0 {
                marks.push(byte);
            }
            length += 1;
            if c == '\n' {
                lines.push(length);
            }
        }
        self.0.insert(
            file.to_owned(),
            Text { whole: text, length, lines, marks, redactor: OnceLock::new() },
        );
    }

    /// Keeps the texts of all files that findings are about, where they can be read.
    pub(crate) fn add_files_of<'f>(&mut self, findings: impl IntoIterator<Item = &'f Diagnostic>) {
        for span in findings.into_iter().filter_map(|finding| finding.span.as_ref()) {
            if !self.0.contains_key(&span.file)
                && let Ok(text) = awf_config::read_text(span.file.as_ref())
            {
                self.add(&span.file, text);
            }
        }
    }

    /// The finding without what its file holds secret, if that is known.
    pub(crate) fn cleaned(&self, finding: &Diagnostic) -> Diagnostic {
        let text = finding.span.as_ref().and_then(|span| self.0.get(&span.file));
        let clean = |words: &str| match text {
            Some(text) => text.redactor().own_text(words).into_owned(),
            None => secrets::told(words),
        };
        Diagnostic {
            message: clean(&finding.message),
            hint: finding.hint.as_deref().map(clean),
            ..finding.clone()
        }
    }

    /// A line of a file, counted from 1.
    pub(super) fn line(&self, file: &str, number: usize) -> Option<Line<'_>> {
        let text = self.0.get(file)?;
        let first = *text.lines.get(number.checked_sub(1)?)?;
        let end = text.lines.get(number).map_or(text.length, |next| next - 1);
        let length = end - first;
        let returns = length > 0 && text.from(end - 1).starts_with('\r');
        Some(Line { text, first, length: length - usize::from(returns) })
    }
}

impl<'a> Line<'a> {
    /// Strikes out what its file holds secret.
    pub(super) fn redactor(self) -> &'a Redactor {
        self.text.redactor()
    }

    /// What stands from a character on, to the end of the file.
    pub(super) fn from(self, character: usize) -> &'a str {
        self.text.from(self.first + character)
    }
}

impl Text {
    fn redactor(&self) -> &Redactor {
        self.redactor.get_or_init(|| secrets::of_file(&self.whole))
    }

    fn from(&self, character: usize) -> &str {
        let known = self.marks.get(character / STRIDE).copied().unwrap_or(self.whole.len());
        let near = self.whole.get(known..).unwrap_or_default();
        let byte = near.char_indices().nth(character % STRIDE).map_or(near.len(), |(byte, _)| byte);
        near.get(byte..).unwrap_or_default()
    }
}
