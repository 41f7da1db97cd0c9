//! A text with places struck out, copied only once something is.

use std::borrow::Cow;

/// Replaces places of `text` from left to right, and gives what comes before `stop`.
pub(super) struct Patch<'a> {
    text: &'a str,
    stop: usize,
    out: String,
    copied: usize,
}

impl<'a> Patch<'a> {
    pub(super) fn new(text: &'a str, stop: usize) -> Self {
        Self { text, stop, out: String::new(), copied: 0 }
    }

    /// Puts `with` in the place of `start..end`, which lies right of all replaced before.
    pub(super) fn replace(&mut self, start: usize, end: usize, with: &str) {
        self.out.push_str(self.text.get(self.copied..start).unwrap_or_default());
        self.out.push_str(with);
        self.copied = end;
    }

    pub(super) fn finish(mut self) -> Cow<'a, str> {
        let rest = self.text.get(self.copied..self.stop).unwrap_or_default();
        if self.copied == 0 {
            return Cow::Borrowed(rest);
        }
        self.out.push_str(rest);
        Cow::Owned(self.out)
    }
}
