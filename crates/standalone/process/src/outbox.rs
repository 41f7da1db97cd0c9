//! Frames on their way to the guard.

use std::{
    collections::VecDeque,
    os::fd::{AsFd, OwnedFd},
};

use rustix::io::{Errno, Result};

use crate::socket::{self, Wait};

/// Frames in order, the first perhaps sent in part.
#[derive(Default)]
pub(crate) struct Outbox(VecDeque<Outgoing>);

struct Outgoing {
    bytes: Vec<u8>,
    sent: usize,
    /// Closed when the last byte is sent.
    descriptors: Vec<OwnedFd>,
}

/// What a flush left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flushed {
    All,
    /// The socket is full.
    Part,
}

impl Outbox {
    pub(crate) fn push(&mut self, bytes: Vec<u8>, descriptors: Vec<OwnedFd>) {
        self.0.push_back(Outgoing { bytes, sent: 0, descriptors });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sends what fits without waiting.
    pub(crate) fn flush(&mut self, socket: impl AsFd) -> Result<Flushed> {
        while let Some(frame) = self.0.front_mut() {
            let descriptors: Vec<_> = match frame.sent {
                0 => frame.descriptors.iter().map(AsFd::as_fd).collect(),
                _ => Vec::new(),
            };
            let rest = frame.bytes.get(frame.sent..).unwrap_or_default();
            match socket::send(&socket, rest, &descriptors, Wait::Never) {
                Ok(sent) => frame.sent += sent,
                // Too many descriptors in flight also passes when the guard has read on.
                Err(Errno::AGAIN | Errno::TOOMANYREFS) => return Ok(Flushed::Part),
                Err(error) => return Err(error),
            }
            if frame.sent >= frame.bytes.len() {
                self.0.pop_front();
            }
        }
        Ok(Flushed::All)
    }
}
