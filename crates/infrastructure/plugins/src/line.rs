//! Lines of a plugin: its first one, which is the handshake, and those for the log.

use std::mem;

use awf_core::Redactor;
use tokio::{io::AsyncReadExt as _, net::unix::pipe::Receiver, sync::oneshot, task::yield_now};
use tracing::Level;

use crate::said::{Ear, Said};

/// The longest first line that is waited for: a certificate of 8 KiB would fit four times.
const FIRST_LINE: usize = 64 << 10;
/// The longest line of the log; what is longer goes on in the next.
const LOG_LINE: usize = 4096;
/// What a pipe holds.
const CHUNK: usize = 64 << 10;

/// What came first on standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// A line.
    Line(String),
    /// The end, after this much of a line.
    Ended(String),
}

/// Reads standard output to its end: the first line is handed over, all others are logged.
pub(crate) async fn output(mut pipe: Receiver, mut ear: Ear, first: oneshot::Sender<First>) {
    let mut chunk = vec![0; CHUNK];
    let mut line = Vec::new();
    let mut first = Some(first);
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        let bytes = chunk.get(..count).unwrap_or_default();
        if first.is_none() {
            ear.hear(bytes);
            yield_now().await;
            continue;
        }
        line.extend_from_slice(bytes);
        let end = line.iter().position(|byte| *byte == b'\n');
        if let Some(end) = end.or((line.len() > FIRST_LINE).then_some(FIRST_LINE)) {
            let rest = line.split_off(end);
            // Nobody listens: the start was given up.
            first.take().map(|first| first.send(First::Line(text(&mem::take(&mut line)))));
            ear.hear(rest.strip_prefix(b"\n").unwrap_or(&rest));
        }
    }
    first.map(|first| first.send(First::Ended(text(&line))));
}

/// Reads standard error to its end.
pub(crate) async fn complaints(mut pipe: Receiver, mut ear: Ear, said: &Said) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        ear.hear(chunk.get(..count).unwrap_or_default());
        // A pipe that fills faster than it is read would never let others have a turn.
        yield_now().await;
    }
    said.end();
}

/// Cuts a stream into lines of the log.
pub(crate) struct Lines {
    plugin: String,
    redactor: Redactor,
    open: Vec<u8>,
}

impl Lines {
    pub(crate) fn new(plugin: &str, redactor: Redactor) -> Self {
        Self { plugin: plugin.to_owned(), redactor, open: Vec::new() }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        // Of an event: the log is asked about nothing else, and says no to all that is none.
        if !tracing::event_enabled!(Level::DEBUG) {
            // A line that began unheard is not worth its end.
            self.open.clear();
            return;
        }
        for line in self.cut(bytes) {
            tracing::debug!(plugin = self.plugin, "{}", self.redactor.text(&line));
        }
    }

    /// The lines that are whole now. What is too long for one is cut where neither a known secret nor a character is.
    fn cut(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            for piece in piece.chunks(LOG_LINE) {
                self.open.extend_from_slice(piece);
                if piece.ends_with(b"\n") {
                    lines.push(text(&mem::take(&mut self.open)));
                } else if self.open.len() >= LOG_LINE {
                    let settled = whole_characters(&self.open, self.redactor.settled(&self.open));
                    // Who knows a secret longer than a line has no lines of bounded length.
                    let settled = if settled == 0 { self.open.len() } else { settled };
                    let rest = self.open.split_off(settled);
                    lines.push(text(&mem::replace(&mut self.open, rest)));
                }
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }
}

/// How many of the first `most` bytes are whole characters.
fn whole_characters(bytes: &[u8], most: usize) -> usize {
    let goes_on = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    // No character has more than four bytes; what goes on for longer is none.
    let last = (0..most).rev().take(4).find(|at| !goes_on(at));
    match last.map(|at| (at, bytes.get(at).copied().unwrap_or_default().leading_ones())) {
        Some((at, length @ 2..=4)) if most - at < usize::try_from(length).unwrap_or(0) => at,
        Some(_) | None => most,
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
