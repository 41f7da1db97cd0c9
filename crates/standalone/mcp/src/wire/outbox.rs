//! What waits to be written. All that is ready leaves in one write.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::AsyncWrite;

/// A buffer larger than this is given back once it is empty.
const KEEP: usize = 2 * 1024 * 1024;

/// What came of an attempt to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// There was nothing to do, or the peer takes nothing.
    Idle,
    /// Some bytes left.
    Moved,
}

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    bytes: Vec<u8>,
    written: usize,
    unflushed: bool,
}

impl Outbox {
    /// How much the peer has yet to take.
    pub(crate) const fn waiting(&self) -> usize {
        self.bytes.len() - self.written
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.waiting() == 0 && !self.unflushed
    }

    /// Where messages are appended.
    pub(crate) const fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// The peer is gone: nothing will be written any more.
    pub(crate) fn discard(&mut self) {
        *self = Self::default();
    }

    /// Writes what the peer takes without waiting.
    pub(crate) fn poll_write<W: AsyncWrite + Unpin>(
        &mut self,
        cx: &mut Context<'_>,
        writer: &mut W,
    ) -> io::Result<Flow> {
        let before = self.waiting();
        match self.poll_drain(cx, writer) {
            Poll::Ready(flow) => flow,
            Poll::Pending => {
                self.compact();
                Ok(if self.waiting() < before { Flow::Moved } else { Flow::Idle })
            }
        }
    }

    /// A peer that always leaves something must not make us keep what it took. Moving no more bytes than were
    /// written keeps the cost in proportion.
    fn compact(&mut self) {
        if self.written >= self.waiting() {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }

    fn poll_drain<W: AsyncWrite + Unpin>(
        &mut self,
        cx: &mut Context<'_>,
        writer: &mut W,
    ) -> Poll<io::Result<Flow>> {
        if self.is_empty() {
            return Poll::Ready(Ok(Flow::Idle));
        }
        while self.waiting() > 0 {
            self.unflushed = true;
            let taken = ready!(Pin::new(&mut *writer).poll_write(cx, &self.bytes[self.written..]))?;
            if taken == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += taken;
        }
        self.written = 0;
        self.bytes.clear();
        self.bytes.shrink_to(KEEP);
        ready!(Pin::new(writer).poll_flush(cx))?;
        self.unflushed = false;
        Poll::Ready(Ok(Flow::Moved))
    }
}

#[cfg(test)]
mod tests;
