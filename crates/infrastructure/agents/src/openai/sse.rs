//! Server-sent events: bytes in any portions, events out. Holds one event at most, and that within bounds.

use std::mem;

/// The longest line, and the most data of one event.
pub(super) const LONGEST_EVENT: usize = 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a server let be heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// An event with data.
    Data(String),
    /// A comment: it is still there.
    Comment,
}

/// A line or an event is longer than any honest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Reads events off a stream of bytes.
#[derive(Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    ending: Ending,
    place: Place,
}

/// Whether the last byte was a carriage return, whose line feed may come with the next bytes.
#[derive(Default, PartialEq, Eq)]
enum Ending {
    #[default]
    Whole,
    Return,
}

/// Where in the stream the parser is: a byte order mark counts at its start only.
#[derive(Default, PartialEq, Eq)]
enum Place {
    #[default]
    FirstLine,
    Further,
}

impl Events {
    /// Takes the next bytes and gives what they complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Sign>, TooLong> {
        let mut signs = Vec::new();
        let mut rest = bytes;
        if mem::take(&mut self.ending) == Ending::Return && !rest.is_empty() {
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, behind) = rest.split_at(end);
            self.lengthen(line)?;
            signs.extend(self.line_ended()?);
            rest = match behind {
                [b'\r'] => {
                    self.ending = Ending::Return;
                    &[]
                }
                [b'\r', b'\n', behind @ ..] | [_, behind @ ..] => behind,
                [] => &[],
            };
        }
        self.lengthen(rest)?;
        Ok(signs)
    }

    /// The event that was begun when the stream ended. Some servers leave out the last empty line.
    pub(super) fn finish(mut self) -> Option<String> {
        if !self.line.is_empty() {
            // An event that is too long is as good as one that was cut.
            self.line_ended().ok()?;
        }
        self.data.map(|data| String::from_utf8_lossy(&data).into_owned())
    }

    fn lengthen(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + bytes.len() > LONGEST_EVENT {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn line_ended(&mut self) -> Result<Option<Sign>, TooLong> {
        let line = mem::take(&mut self.line);
        let first = mem::replace(&mut self.place, Place::Further) == Place::FirstLine;
        let line = match line.strip_prefix(BYTE_ORDER_MARK) {
            Some(behind) if first => behind,
            Some(_) | None => &line,
        };
        if line.is_empty() {
            let data = self.data.take().map(|data| String::from_utf8_lossy(&data).into_owned());
            return Ok(data.map(Sign::Data));
        }
        if line.starts_with(b":") {
            return Ok(Some(Sign::Comment));
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (line.get(..colon), line.get(colon + 1..).unwrap_or_default()),
            None => (Some(line), &[][..]),
        };
        if field == Some(b"data") {
            self.add(value.strip_prefix(b" ").unwrap_or(value))?;
        }
        Ok(None)
    }

    fn add(&mut self, value: &[u8]) -> Result<(), TooLong> {
        match &mut self.data {
            None => self.data = Some(value.to_vec()),
            Some(data) if data.len() + value.len() >= LONGEST_EVENT => return Err(TooLong),
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
