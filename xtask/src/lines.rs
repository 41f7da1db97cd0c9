//! Lines from a pipe, as few reads as possible, none copied: both the load client and the floors read this way.

use std::io::{self, Read};

use memchr::memchr;

const FIRST_CAPACITY: usize = 1 << 18;

pub(crate) struct Lines<R> {
    from: R,
    buffer: Vec<u8>,
    /// The unread bytes are `buffer[start..filled]`.
    start: usize,
    filled: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, buffer: vec![0; FIRST_CAPACITY], start: 0, filled: 0 }
    }

    /// The next line without its line break; none at the end of input.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        let mut searched = self.start;
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[searched..self.filled]) {
                let (start, end) = (self.start, searched + at);
                self.start = end + 1;
                return Ok(Some(&self.buffer[start..end]));
            }
            self.make_room();
            searched = self.filled;
            match self.from.read(&mut self.buffer[self.filled..])? {
                0 => return Ok(None),
                read => self.filled += read,
            }
        }
    }

    /// Whether a whole line can be had without reading.
    pub(crate) fn has_line(&self) -> bool {
        memchr(b'\n', &self.buffer[self.start..self.filled]).is_some()
    }

    fn make_room(&mut self) {
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.filled * 2, 0);
        }
    }
}

#[cfg(test)]
mod tests;
