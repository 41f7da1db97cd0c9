//! A stream cut into lines, in bounded memory: a line beyond all sense is skipped, not kept.

/// Puts pieces of any length together.
#[derive(Debug)]
pub(crate) struct Lines {
    begun: Vec<u8>,
    longest: usize,
    /// Whether the line that has begun is too long already.
    skipping: Skipping,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Skipping {
    No,
    Yes,
}

impl Lines {
    /// Lines of at most `longest` bytes.
    pub(crate) fn up_to(longest: usize) -> Self {
        Self { begun: Vec::new(), longest, skipping: Skipping::No }
    }

    /// Takes a piece; `hear` gets each line that ends in it, without its end.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut hear: impl FnMut(&[u8])) {
        while let Some(at) = bytes.iter().position(|byte| *byte == b'\n') {
            let (end, rest) = bytes.split_at(at);
            self.keep(end);
            self.end(&mut hear);
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.keep(bytes);
    }

    /// The stream is over: what has begun is the last line.
    pub(crate) fn finish(&mut self, mut hear: impl FnMut(&[u8])) {
        if !self.begun.is_empty() {
            self.end(&mut hear);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.begun.len().saturating_add(bytes.len()) > self.longest {
            self.skipping = Skipping::Yes;
            self.begun = Vec::new();
        }
        match self.skipping {
            Skipping::No => self.begun.extend_from_slice(bytes),
            Skipping::Yes => {}
        }
    }

    fn end(&mut self, hear: &mut impl FnMut(&[u8])) {
        match std::mem::replace(&mut self.skipping, Skipping::No) {
            Skipping::No => hear(&self.begun),
            Skipping::Yes => {}
        }
        self.begun.clear();
    }
}

#[cfg(test)]
mod tests;
