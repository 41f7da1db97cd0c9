//! Output of any size in bounded memory: the beginning, the end, and how much was between.

use std::{collections::VecDeque, io};

use rustix::{
    buffer::spare_capacity,
    io::{Errno, retry_on_intr},
    pipe::fcntl_getpipe_size,
};
use tokio::net::unix::pipe::Receiver;

/// What a pipe holds unless somebody changed it.
const CHUNK: usize = 64 << 10;

/// How much of a stream to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Bytes from the beginning.
    pub head: usize,
    /// Bytes from the end, as far as the head does not have them.
    pub tail: usize,
}

/// What was kept of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes; they follow the head directly when nothing was dropped.
    pub tail: Vec<u8>,
    /// How many bytes between the two are lost.
    pub dropped: u64,
}

impl Captured {
    /// Everything that was kept, in order; whole when nothing was dropped.
    pub fn bytes(&self) -> Vec<u8> {
        [self.head.as_slice(), &self.tail].concat()
    }
}

/// Keeps head and tail of what is pushed.
#[derive(Debug)]
struct Keeper {
    keep: Keep,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Keeper {
    fn new(keep: Keep) -> Self {
        Self { keep, head: Vec::new(), tail: VecDeque::new(), dropped: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = self.keep.head - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let skipped = rest.len().saturating_sub(self.keep.tail);
        let rest = rest.get(skipped..).unwrap_or_default();
        let pushed_out = (self.tail.len() + rest.len()).saturating_sub(self.keep.tail);
        self.tail.drain(..pushed_out);
        self.tail.extend(rest);
        self.dropped += (skipped + pushed_out) as u64;
    }

    fn finish(self) -> Captured {
        Captured { head: self.head, tail: self.tail.into(), dropped: self.dropped }
    }
}

/// Hears what a command writes, as it comes, in pieces of any length; never waits.
pub type Listener<'a> = Box<dyn FnMut(&[u8]) + Send + 'a>;

/// Reads one stream of a command for as long as the command runs.
pub(crate) struct Drain<'a> {
    pipe: Receiver,
    chunk: Vec<u8>,
    keeper: Keeper,
    listener: Listener<'a>,
    ended: bool,
}

impl<'a> Drain<'a> {
    pub(crate) fn new(pipe: Receiver, keep: Keep, listener: Listener<'a>) -> Self {
        let chunk = Vec::with_capacity(CHUNK);
        Self { pipe, chunk, keeper: Keeper::new(keep), listener, ended: false }
    }

    /// Reads until nobody holds the other end. May be dropped at any time without losing a byte.
    pub(crate) async fn fill(&mut self) {
        while !self.ended {
            self.ended = self.pipe.readable().await.is_err();
            match self.pipe.try_io(|| Ok(read(&self.pipe, &mut self.chunk)?)) {
                Ok(count) => {
                    self.take(count);
                    // A pipe that fills faster than it is heard is readable at once, again and again: others would
                    // never get a turn, neither the clock nor whoever wants to end the command.
                    tokio::task::yield_now().await;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => (),
                Err(_) => self.ended = true,
            }
        }
    }

    /// Reads what is in the pipe now. At most as much as a pipe holds: what the command wrote before it ended
    /// is in there, and a child of it that goes on writing must not keep us.
    pub(crate) fn fill_from_rest(&mut self) {
        let mut rest = fcntl_getpipe_size(&self.pipe).unwrap_or(CHUNK);
        while !self.ended && rest > 0 {
            // Not through the runtime, which may not have heard yet that there is something to read.
            match read(&self.pipe, &mut self.chunk) {
                Ok(count) => {
                    rest = rest.saturating_sub(count);
                    self.take(count);
                }
                Err(Errno::AGAIN) => return,
                Err(_) => self.ended = true,
            }
        }
    }

    fn take(&mut self, count: usize) {
        self.ended = count == 0;
        (self.listener)(&self.chunk);
        self.keeper.push(&self.chunk);
        self.chunk.clear();
    }

    /// What was kept, and the pipe if somebody still holds its other end.
    pub(crate) fn finish(self) -> (Captured, Option<Receiver>) {
        (self.keeper.finish(), (!self.ended).then_some(self.pipe))
    }
}

fn read(pipe: &Receiver, chunk: &mut Vec<u8>) -> rustix::io::Result<usize> {
    retry_on_intr(|| rustix::io::read(pipe, spare_capacity(chunk)))
}

/// Reads and forgets, so that whoever still writes is neither blocked nor killed by a broken pipe.
pub(crate) async fn discard(pipe: Receiver) {
    let mut drain = Drain::new(pipe, Keep { head: 0, tail: 0 }, Box::new(|_| ()));
    drain.fill().await;
}

#[cfg(test)]
mod tests;
