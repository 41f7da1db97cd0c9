//! The lines of one answer: numbered, cut where they must be, with what the reader must know about them.

use crate::{
    answer::{LINE_CHARACTERS, push_note},
    shown,
};

/// A line this long in bytes has more characters than are shown.
pub(super) const LINE_BYTES: usize = LINE_CHARACTERS * 4 + 4;

/// Which lines are wanted.
pub(super) struct Request {
    pub(super) first: u64,
    pub(super) lines: u64,
    pub(super) bytes: usize,
}

/// Why a page ends where it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    File,
    Lines,
    Bytes,
    EndlessLine,
}

/// The lines of one answer.
pub(super) struct Page {
    /// Bytes until the end: judging them as UTF-8 at once costs a fraction of judging line by line.
    text: Vec<u8>,
    /// The number of the line that comes next.
    pub(super) line: u64,
    pub(super) end: End,
    crlf: bool,
    /// Whether something else than the file's bytes is shown in a long line.
    lossy: bool,
    number: LineNumber,
}

impl Page {
    pub(super) fn new(text_bytes: usize) -> Self {
        // Numbers and tabs come on top of the text; a quarter more fits lines of usual length without growing.
        let text = Vec::with_capacity(text_bytes + text_bytes / 4 + 128);
        Self { text, line: 1, end: End::File, crlf: false, lossy: false, number: LineNumber::new() }
    }

    /// Adds one line, or ends the page if it does not fit any more.
    pub(super) fn push(&mut self, line: &[u8], request: &Request) {
        if self.text.len() + line.len().min(LINE_BYTES) > request.bytes {
            self.end = End::Bytes;
            return;
        }
        self.number.advance_to(self.line);
        self.text.extend_from_slice(self.number.text());
        let line = match line {
            [line @ .., b'\r'] => {
                self.crlf = true;
                line
            }
            line => line,
        };
        if line.len() <= LINE_CHARACTERS {
            self.text.extend_from_slice(line);
        } else {
            self.push_long(line);
        }
        self.text.push(b'\n');
        self.line += 1;
    }

    fn push_long(&mut self, line: &[u8]) {
        let start = line.get(..LINE_BYTES).unwrap_or(line);
        let text = String::from_utf8_lossy(start);
        let (shown, cut) = shown::cut(&text, LINE_CHARACTERS);
        self.lossy |= !start.starts_with(shown.as_bytes());
        self.text.extend_from_slice(shown.as_bytes());
        if cut || start.len() < line.len() {
            self.text.extend_from_slice(" […line cut]".as_bytes());
        }
    }

    /// The answer: the lines, and what the reader must know about them.
    pub(super) fn finish(self, request: &Request) -> String {
        let (mut text, lossy) = match String::from_utf8(self.text) {
            Ok(text) => (text, self.lossy),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
        };
        let next = self.line;
        let note = match self.end {
            End::File if next <= request.first && text.is_empty() => {
                format!("offset {} is past the end: the file has {} lines", request.first, next - 1)
            }
            End::File => String::new(),
            End::Lines => format!("more lines follow: continue with offset={next}"),
            End::Bytes => format!(
                "cut at {} KB: continue with offset={next}, or ask for more at once with a larger limit",
                request.bytes / 1000
            ),
            End::EndlessLine => {
                format!(
                    "stopped: line {next} is longer than 64 MiB; use Bash to look at parts of it"
                )
            }
        };
        let remarks = [
            (!note.is_empty(), note.as_str()),
            (self.crlf, "lines end in CRLF"),
            (lossy, "bytes that are not UTF-8 are shown as U+FFFD"),
        ];
        for (_, remark) in remarks.iter().filter(|(applies, _)| *applies) {
            push_note(&mut text, format_args!("{remark}"));
        }
        text
    }
}

/// The number of a line and a tab, as text. The next line's number is one more: no need to divide for each of them.
struct LineNumber {
    value: u64,
    digits: [u8; Self::WIDTH],
    start: usize,
}

impl LineNumber {
    /// Room for any number, and the tab.
    const WIDTH: usize = 21;

    fn new() -> Self {
        let mut digits = [b'0'; Self::WIDTH];
        digits[Self::WIDTH - 1] = b'\t';
        Self { value: 0, digits, start: Self::WIDTH - 2 }
    }

    fn advance_to(&mut self, value: u64) {
        if value == self.value + 1 {
            self.increment();
        } else if value != self.value {
            self.set(value);
        }
        self.value = value;
    }

    fn increment(&mut self) {
        for at in (0..Self::WIDTH - 1).rev() {
            self.start = self.start.min(at);
            if self.digits[at] < b'9' {
                self.digits[at] += 1;
                return;
            }
            self.digits[at] = b'0';
        }
    }

    fn set(&mut self, mut value: u64) {
        self.digits[..Self::WIDTH - 1].fill(b'0');
        self.start = Self::WIDTH - 1;
        while value > 0 || self.start == Self::WIDTH - 1 {
            self.start -= 1;
            self.digits[self.start] = b'0' + u8::try_from(value % 10).unwrap_or_default();
            value /= 10;
        }
    }

    fn text(&self) -> &[u8] {
        &self.digits[self.start..]
    }
}

#[cfg(test)]
mod tests;
