//! Server-sent events, cut from a stream of bytes: their data and nothing else, none longer than a message may be.

use awf_mcp::MAX_LINE;

/// The data of events that have not been taken yet.
#[derive(Default)]
pub(super) struct Events {
    /// The line that is being read.
    line: Vec<u8>,
    /// The data of the event that is being read.
    data: Vec<u8>,
    /// The last byte was `\r`: a `\n` after it belongs to it.
    returned: bool,
    /// Past the mark that some put at the very beginning.
    begun: bool,
}

/// An event that does not end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

impl Events {
    /// Takes bytes in, and gives the data of each event that ended in them.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut ended = Vec::new();
        for &byte in bytes {
            let continues = self.returned && byte == b'\n';
            self.returned = byte == b'\r';
            if continues {
                continue;
            }
            if matches!(byte, b'\r' | b'\n') {
                ended.extend(self.end_line());
            } else {
                self.line.push(byte);
            }
            if self.line.len() + self.data.len() > MAX_LINE {
                return Err(TooLong);
            }
        }
        Ok(ended)
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let whole = std::mem::take(&mut self.line);
        let mark: &[u8] = if self.begun { b"" } else { "\u{feff}".as_bytes() };
        let line = whole.strip_prefix(mark).unwrap_or(&whole);
        self.begun = true;
        if line.is_empty() {
            let mut data = std::mem::take(&mut self.data);
            data.pop();
            return (!data.is_empty()).then_some(data);
        }
        if let Some(value) = line.strip_prefix(b"data") {
            let value = match value {
                [] => Some(value),
                [b':', b' ', rest @ ..] | [b':', rest @ ..] => Some(rest),
                _ => None,
            };
            if let Some(value) = value {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
