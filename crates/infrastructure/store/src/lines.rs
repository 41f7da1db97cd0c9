//! Reads files made of lines: only lines that were finished with a newline count.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Take},
    os::unix::fs::FileExt as _,
    path::Path,
};

use crate::layout::open_read;

const WINDOW: u64 = 16 * 1024;

/// Walks the finished lines of a file from a place on, as far as the file reached when it was opened: a writer that is
/// faster than its reader must not hold the reader forever.
pub(crate) struct Lines {
    file: BufReader<Take<File>>,
    line: Vec<u8>,
    offset: u64,
}

impl Lines {
    pub(crate) fn open(path: &Path, offset: u64) -> io::Result<Self> {
        let mut file = open_read(path)?;
        let rest = file.metadata()?.len().saturating_sub(offset);
        file.seek(SeekFrom::Start(offset))?;
        let file = BufReader::with_capacity(64 * 1024, file.take(rest));
        Ok(Self { file, line: Vec::new(), offset })
    }

    /// The next finished line, without its newline, and where it begins.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        self.line.clear();
        self.file.read_until(b'\n', &mut self.line)?;
        let Some(line) = self.line.strip_suffix(b"\n") else { return Ok(None) };
        let start = self.offset;
        self.offset += self.line.len() as u64;
        Ok(Some((start, line)))
    }

    /// Where the last finished line ended.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes without a newline the last call of [`Self::next_line`] met at the end of the file.
    pub(crate) fn unfinished(&self) -> u64 {
        if self.line.ends_with(b"\n") { 0 } else { self.line.len() as u64 }
    }
}

/// The end of a file of lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LastLine {
    /// The last finished line, without its newline; empty when there is none.
    pub(crate) line: Vec<u8>,
    /// Where it ends, newline included.
    pub(crate) end: u64,
    /// How many bytes without a newline follow.
    pub(crate) unfinished: u64,
}

/// Reads the last finished line without reading what is before it.
pub(crate) fn last_line(file: &File) -> io::Result<LastLine> {
    let found = last_line_within(file, u64::MAX)?;
    found.ok_or_else(|| io::Error::other("the file is longer than can be read"))
}

/// The same, reading no more than the last `limit` bytes; `None` when the line begins before them.
pub(crate) fn last_line_within(file: &File, limit: u64) -> io::Result<Option<LastLine>> {
    let len = file.metadata()?.len();
    let mut window = WINDOW.min(limit);
    loop {
        let from = len.saturating_sub(window);
        let mut bytes = vec![0; usize::try_from(len - from).unwrap_or(usize::MAX)];
        file.read_exact_at(&mut bytes, from)?;
        if let Some(found) = end_of(&bytes, from) {
            return Ok(Some(found));
        }
        if window == limit {
            return Ok(None);
        }
        window = window.saturating_mul(8).min(limit);
    }
}

/// `None` when the window is too small to tell.
fn end_of(bytes: &[u8], from: u64) -> Option<LastLine> {
    let newline = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n');
    let total = bytes.len() as u64;
    let Some(last) = newline(bytes) else {
        return (from == 0).then_some(LastLine { unfinished: total, ..LastLine::default() });
    };
    let start = match newline(&bytes[..last]) {
        Some(before) => before + 1,
        None if from == 0 => 0,
        None => return None,
    };
    let end = last as u64 + 1;
    Some(LastLine { line: bytes[start..last].to_vec(), end: from + end, unfinished: total - end })
}

#[cfg(test)]
mod tests;
