//! Log lines to stderr, without secrets, and without ever waiting for whoever reads it.
//!
//! One thread carries all calls of a server. A client that pipes our stderr and never reads it would stop that thread for
//! good once the pipe is full, so a line that does not fit is dropped and counted; the activity journal has the call anyway.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt as _,
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fs::{FileType, OFlags, fstat},
    net::{SendFlags, send},
};

use crate::secrets;

/// Where log lines go.
pub(crate) struct LogSink {
    target: Target,
    dropped: AtomicU64,
}

enum Target {
    /// A description of our own for the same pipe: the flag does not reach whoever else writes to it.
    Pipe(File),
    Socket,
    /// A file or a terminal: takes what it is given.
    Other,
}

impl LogSink {
    pub(crate) fn stderr() -> Self {
        let kind = fstat(rustix::stdio::stderr()).map(|stat| FileType::from_raw_mode(stat.st_mode));
        let target = match kind {
            Ok(FileType::Fifo) => reopened().map_or(Target::Other, Target::Pipe),
            Ok(FileType::Socket) => Target::Socket,
            Ok(_) | Err(_) => Target::Other,
        };
        Self { target, dropped: AtomicU64::new(0) }
    }

    fn put(&self, line: &[u8]) -> io::Result<usize> {
        match &self.target {
            Target::Pipe(pipe) => (&mut &*pipe).write(line),
            Target::Socket => {
                Ok(send(rustix::stdio::stderr(), line, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)?)
            }
            Target::Other => io::stderr().write(line),
        }
    }
}

impl LogSink {
    fn put_all(&self, mut line: &[u8]) -> io::Result<()> {
        while !line.is_empty() {
            let taken = self.put(line)?;
            line = line.get(taken..).unwrap_or_default();
        }
        Ok(())
    }
}

fn reopened() -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    OpenOptions::new().write(true).custom_flags(flags).open("/proc/self/fd/2")
}

impl Write for &LogSink {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let note = format!("{dropped} log lines were dropped: nobody read stderr\n");
            if self.put(note.as_bytes()).is_err() {
                self.dropped.fetch_add(dropped, Ordering::Relaxed);
            }
        }
        // One event is one line and one write: what was said in it is seen whole.
        let clean = secrets::logged(&String::from_utf8_lossy(line));
        match self.put_all(clean.as_bytes()) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.dropped.fetch_add(1, Ordering::Relaxed);
                Ok(line.len())
            }
            outcome => outcome.map(|()| line.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
