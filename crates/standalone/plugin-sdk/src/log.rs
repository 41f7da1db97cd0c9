//! Lines for the host's log: held until it takes them, and never more than it could want.

use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

/// How much is held for a host that does not listen.
const HELD: usize = 256 * 1024;
/// How much of one line is kept.
const LONGEST: usize = 16 * 1024;

/// Lines on their way to the host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    lines: VecDeque<String>,
    bytes: usize,
    /// Lines that had to give way since the host last took some.
    dropped: usize,
    closed: bool,
}

impl Log {
    /// Adds a line. When there is no room the oldest go, and the host is told how many.
    pub(crate) fn write(&self, line: &str) {
        let line = line.trim_end_matches('\n');
        let line = line.get(..line.floor_char_boundary(LONGEST)).unwrap_or_default();
        let mut queue = self.queue();
        queue.bytes += line.len();
        queue.lines.push_back(line.to_owned());
        while queue.bytes > HELD
            && let Some(oldest) = queue.lines.pop_front()
        {
            queue.bytes -= oldest.len();
            queue.dropped += 1;
        }
        drop(queue);
        self.0.changed.notify_one();
    }

    /// Waits for lines and takes all there are, each ended; `None` once the log is closed and empty.
    pub(crate) async fn take(&self) -> Option<String> {
        loop {
            let waiting = self.0.changed.notified();
            match self.queue().take() {
                Taken::Lines(lines) => return Some(lines),
                Taken::Closed => return None,
                Taken::Nothing => {}
            }
            waiting.await;
        }
    }

    /// No more is waited for.
    pub(crate) fn close(&self) {
        self.queue().closed = true;
        self.0.changed.notify_waiters();
    }

    /// A handler that panicked did so between two lines, never within the queue.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Taken {
    Lines(String),
    Nothing,
    Closed,
}

impl Queue {
    fn take(&mut self) -> Taken {
        if self.lines.is_empty() {
            return if self.closed { Taken::Closed } else { Taken::Nothing };
        }
        self.bytes = 0;
        let mut text = match mem::take(&mut self.dropped) {
            0 => String::new(),
            dropped => format!("({dropped} lines of the log were dropped)\n"),
        };
        for line in mem::take(&mut self.lines) {
            text.push_str(&line);
            text.push('\n');
        }
        Taken::Lines(text)
    }
}

#[cfg(test)]
mod tests;
