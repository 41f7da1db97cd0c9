//! Finding a page in a text file of any size: newlines are counted block by block.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

use super::page::{End, LINE_BYTES, Page, Request};
use crate::blocking::Stop;

/// Read at a time. It stays in the processor's cache, and is larger than any line that is shown whole.
const BLOCK_BYTES: usize = 128 * 1024;
/// A file with a longer line is not text to be paged by lines; without this bound a sparse file would be read for minutes.
const LINE_SCAN_BYTES: u64 = 64 * 1024 * 1024;
/// Where a NUL byte makes a file binary, as for git and grep.
const PROBE_BYTES: usize = 8 * 1024;

/// What a file turned out to be.
pub(super) enum Seen {
    Text(Page),
    Empty,
    Unreadable(&'static str),
}

/// Reads the page that `request` asks for.
pub(super) fn read(
    file: &mut impl Read,
    size: u64,
    request: &Request,
    stop: &Stop,
) -> io::Result<Seen> {
    let block = usize::try_from(size).unwrap_or(BLOCK_BYTES).saturating_add(1).min(BLOCK_BYTES);
    let mut buffer = vec![0; block.max(LINE_BYTES * 2)];
    let mut filled = fill(file, &mut buffer, 0, size)?;
    match buffer.get(..filled.min(PROBE_BYTES)).unwrap_or_default() {
        [] => return Ok(Seen::Empty),
        [0xFF, 0xFE, ..] => return Ok(Seen::Unreadable("UTF-16 text (little-endian, by its BOM)")),
        [0xFE, 0xFF, ..] => return Ok(Seen::Unreadable("UTF-16 text (big-endian, by its BOM)")),
        probe if memchr(0, probe).is_some() => return Ok(Seen::Unreadable("a binary file")),
        _ => {}
    }
    let mut page = Page::new(usize::try_from(size).unwrap_or(usize::MAX).min(request.bytes));
    let mut scan = Scan { request, page: &mut page, tail: None };
    while filled > 0 {
        if stop.requested() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let used = scan.block(buffer.get(..filled).unwrap_or_default());
        if scan.page.end != End::File {
            break;
        }
        buffer.copy_within(used..filled, 0);
        let kept = filled - used;
        filled = fill(file, &mut buffer, kept, u64::MAX)?;
        if filled == kept {
            scan.last_line(buffer.get(..kept).unwrap_or_default());
            break;
        }
    }
    Ok(Seen::Text(page))
}

/// Fills `buffer` after the first `kept` bytes, stopping early once `enough` bytes are in; the new length.
fn fill(file: &mut impl Read, buffer: &mut [u8], kept: usize, enough: u64) -> io::Result<usize> {
    let mut filled = kept;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if filled as u64 >= enough {
            break;
        }
    }
    Ok(filled)
}

/// The walk over the blocks of a file.
struct Scan<'a> {
    request: &'a Request,
    page: &'a mut Page,
    /// Bytes seen of a line whose start is dealt with already.
    tail: Option<u64>,
}

impl Scan<'_> {
    /// Takes what it can of a block; the number of bytes it is done with.
    fn block(&mut self, block: &[u8]) -> usize {
        let mut at = self.skip_tail(block);
        at += self.skip_lines(block.get(at..).unwrap_or_default());
        if self.page.line >= self.request.first {
            let lines = block.get(at..).unwrap_or_default();
            let whole = memrchr(b'\n', lines).map_or(0, |last| last + 1);
            at += self.show_lines(lines.get(..whole).unwrap_or_default());
            if self.page.end != End::File {
                return at;
            }
        }
        let rest = block.get(at..).unwrap_or_default();
        if self.tail.is_none() && rest.len() < LINE_BYTES {
            return at;
        }
        if self.tail.is_none() && self.page.line >= self.request.first && !self.full() {
            self.page.push(rest, self.request);
            if self.page.end != End::File {
                return at;
            }
            self.page.line -= 1; // its newline is still to come
        }
        let seen = self.tail.unwrap_or_default() + rest.len() as u64;
        self.tail = Some(seen);
        if seen > LINE_SCAN_BYTES {
            self.page.end = End::EndlessLine;
        }
        block.len()
    }

    /// Passes over the rest of a line that began in an earlier block.
    fn skip_tail(&mut self, block: &[u8]) -> usize {
        if self.tail.is_none() {
            return 0;
        }
        let Some(newline) = memchr(b'\n', block) else { return 0 };
        self.tail = None;
        self.page.line += 1;
        newline + 1
    }

    /// Passes over the lines before the page.
    fn skip_lines(&mut self, block: &[u8]) -> usize {
        if self.tail.is_some() || self.page.line >= self.request.first {
            return 0;
        }
        let mut at = 0;
        for newline in memchr_iter(b'\n', block) {
            self.page.line += 1;
            at = newline + 1;
            if self.page.line == self.request.first {
                break;
            }
        }
        at
    }

    /// Shows whole lines, as many as the page takes; the number of bytes they have.
    fn show_lines(&mut self, lines: &[u8]) -> usize {
        let mut at = 0;
        for newline in memchr_iter(b'\n', lines) {
            if self.full() {
                return at;
            }
            self.page.push(lines.get(at..newline).unwrap_or_default(), self.request);
            if self.page.end != End::File {
                return at;
            }
            at = newline + 1;
        }
        at
    }

    /// The last line, if no newline ends it.
    fn last_line(&mut self, line: &[u8]) {
        if self.tail.is_some() {
            self.page.line += 1;
        } else if !line.is_empty() {
            if self.page.line < self.request.first {
                self.page.line += 1;
            } else if !self.full() {
                self.page.push(line, self.request);
            }
        }
    }

    /// Whether the page has its lines; asked only when another one is at hand.
    fn full(&mut self) -> bool {
        let full = self.page.line >= self.request.first.saturating_add(self.request.lines);
        if full {
            self.page.end = End::Lines;
        }
        full
    }
}
