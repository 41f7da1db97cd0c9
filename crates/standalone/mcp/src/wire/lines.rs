//! Bounded newline framing: bytes in any chunks become lines, and no line costs more than its limit.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::AsyncRead;
use tokio_util::io::poll_read_buf;

/// The longest line taken, newline excluded.
pub const MAX_LINE: usize = 16 * 1024 * 1024;

/// How much is asked of the reader at once: what a Linux pipe holds.
const CHUNK: usize = 64 * 1024;

/// A buffer larger than this is given back once its line is done.
const KEEP: usize = 32 * CHUNK;

/// What is kept of a line that is too long, to find its id in.
const HEAD: usize = 4 * 1024;

/// One line, without its newline and without white space around it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// Never empty.
    Whole(&'a [u8]),
    /// Over the limit: its first bytes. The rest is skipped up to the newline.
    TooLong(Vec<u8>),
}

/// Collects bytes and hands out lines.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the line under construction begins.
    start: usize,
    /// Up to where no newline was found, so that a long line is searched once and not once per chunk.
    searched: usize,
    limit: usize,
    skipping: bool,
    ended: bool,
}

impl LineBuffer {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, searched: 0, limit, skipping: false, ended: false }
    }

    /// Reads once. `Ok(0)` is the end of the stream; what came after the last newline is then a line too.
    pub(crate) fn poll_fill<R: AsyncRead + Unpin>(
        &mut self,
        cx: &mut Context<'_>,
        reader: &mut R,
    ) -> Poll<io::Result<usize>> {
        self.compact();
        self.bytes.reserve(CHUNK);
        let outcome = poll_read_buf(Pin::new(reader), cx, &mut self.bytes);
        if matches!(outcome, Poll::Ready(Ok(0))) {
            self.ended = true;
        }
        outcome
    }

    /// The next line that is complete, blank ones left out.
    pub(crate) fn next_line(&mut self) -> Option<Line<'_>> {
        loop {
            let Some((from, to)) = self.cut() else { return self.overflow() };
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if to - from > self.limit {
                return Some(Line::TooLong(head(&self.bytes[from..to])));
            }
            if !trim(&self.bytes[from..to]).is_empty() {
                return Some(Line::Whole(trim(&self.bytes[from..to])));
            }
        }
    }

    /// Takes the bounds of the next line off the buffer.
    fn cut(&mut self) -> Option<(usize, usize)> {
        let from = self.start;
        let Some(offset) = memchr::memchr(b'\n', &self.bytes[self.searched..]) else {
            self.searched = self.bytes.len();
            let tail = self.ended && from < self.searched;
            self.start = if tail { self.searched } else { from };
            return tail.then_some((from, self.searched));
        };
        let to = self.searched + offset;
        (self.start, self.searched) = (to + 1, to + 1);
        Some((from, to))
    }

    /// Drops what cannot become a line any more, and says so the first time.
    fn overflow(&mut self) -> Option<Line<'_>> {
        let unfinished = &self.bytes[self.start..];
        if !self.skipping && unfinished.len() <= self.limit {
            return None;
        }
        let first = (!self.skipping).then(|| Line::TooLong(head(unfinished)));
        self.bytes = Vec::new();
        (self.start, self.searched, self.skipping) = (0, 0, true);
        first
    }

    fn compact(&mut self) {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.bytes.capacity() > KEEP && self.bytes.len() < CHUNK {
            self.bytes.shrink_to(CHUNK);
        }
    }
}

fn head(line: &[u8]) -> Vec<u8> {
    line[..line.len().min(HEAD)].to_vec()
}

/// White space around a message, a carriage return and a byte-order mark included, means nothing.
fn trim(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_start()
}

#[cfg(test)]
mod tests;
