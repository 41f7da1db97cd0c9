//! This process's own stdin and stdout, without a thread in between.
//!
//! Tokio's stdin and stdout hand every read and write to a pool of threads, which costs more than the whole rest of
//! a call. A pipe can be waited for directly, but only when it does not block, and the flag for that belongs
//! to the description shared with whoever started us. Opening the pipe anew gives us a description of our own.

use std::{
    fs, io,
    os::{
        fd::{AsRawFd, BorrowedFd, OwnedFd},
        unix::{fs::OpenOptionsExt, net},
    },
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use rustix::{
    fs::{FileType, OFlags, fstat},
    io::ioctl_fionread,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{UnixStream, unix::pipe},
    time::{sleep, timeout},
};

/// How often to look whether the peer has taken everything: no event tells when a pipe is empty.
const LOOK: Duration = Duration::from_millis(2);

/// Stdin, in the fastest form it can be had.
#[derive(Debug)]
pub struct Stdin(Source);

/// Stdout, in the fastest form it can be had.
#[derive(Debug)]
pub struct Stdout(Sink);

#[derive(Debug)]
enum Source {
    Pipe(pipe::Receiver),
    Socket(UnixStream),
    Other(tokio::io::Stdin),
}

#[derive(Debug)]
enum Sink {
    Pipe(pipe::Sender),
    Socket(UnixStream),
    Other(tokio::io::Stdout),
}

/// Both ends of this process's own stdio, for [`Server::serve`](crate::Server::serve). Call it once, inside a runtime
/// with IO; nothing else may read stdin or write to stdout from then on.
pub fn stdio() -> io::Result<(Stdin, Stdout)> {
    Ok((Stdin(source(rustix::stdio::stdin())?), Stdout(sink(rustix::stdio::stdout())?)))
}

fn source(fd: BorrowedFd<'_>) -> io::Result<Source> {
    Ok(match kind(fd)? {
        Kind::Pipe => match reopen(fd, fs::OpenOptions::new().read(true)) {
            Ok(file) => Source::Pipe(pipe::Receiver::from_file(file)?),
            Err(_) => Source::Other(tokio::io::stdin()),
        },
        Kind::Socket => Source::Socket(socket(fd)?),
        Kind::Other => Source::Other(tokio::io::stdin()),
    })
}

fn sink(fd: BorrowedFd<'_>) -> io::Result<Sink> {
    Ok(match kind(fd)? {
        Kind::Pipe => match reopen(fd, fs::OpenOptions::new().write(true)) {
            Ok(file) => {
                widen(&file);
                Sink::Pipe(pipe::Sender::from_file(file)?)
            }
            Err(_) => Sink::Other(tokio::io::stdout()),
        },
        Kind::Socket => Sink::Socket(socket(fd)?),
        Kind::Other => Sink::Other(tokio::io::stdout()),
    })
}

enum Kind {
    Pipe,
    Socket,
    Other,
}

fn kind(fd: BorrowedFd<'_>) -> io::Result<Kind> {
    Ok(match FileType::from_raw_mode(fstat(fd)?.st_mode) {
        FileType::Fifo => Kind::Pipe,
        FileType::Socket => Kind::Socket,
        _ => Kind::Other,
    })
}

/// Opens the same pipe again. Fails where `/proc` is absent or the pipe belongs to another user.
fn reopen(fd: BorrowedFd<'_>, options: &fs::OpenOptions) -> io::Result<fs::File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    options.clone().custom_flags(flags).open(format!("/proc/self/fd/{}", fd.as_raw_fd()))
}

/// Lets a long answer leave in a few writes: each one that fills the pipe costs both sides a turn of sleeping and waking.
/// Where the system does not grant it, the pipe works as it is.
fn widen(pipe: &fs::File) {
    const WIDE: usize = 1024 * 1024;
    let _: rustix::io::Result<usize> = rustix::pipe::fcntl_setpipe_size(pipe, WIDE);
}

/// A socket cannot be opened anew, so the flag is set on the shared description. Whoever starts children on
/// socket pairs keeps the other end of the pair, which has a description of its own.
fn socket(fd: BorrowedFd<'_>) -> io::Result<UnixStream> {
    let owned: OwnedFd = fd.try_clone_to_owned()?;
    let stream = net::UnixStream::from(owned);
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

impl Stdout {
    /// Waits until the peer has read all that was written, but no longer than `patience`. A pipe keeps what its writer
    /// left behind, yet a peer that learns first of the writer's end may look no further.
    pub async fn taken(&self, patience: Duration) {
        let Sink::Pipe(pipe) = &self.0 else { return };
        let emptied = async {
            while ioctl_fionread(pipe).is_ok_and(|unread| unread > 0) {
                sleep(LOOK).await;
            }
        };
        // Whoever does not read in that time will not miss it.
        timeout(patience, emptied).await.ok();
    }
}

impl AsyncRead for Stdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Source::Pipe(pipe) => Pin::new(pipe).poll_read(cx, buffer),
            Source::Socket(socket) => Pin::new(socket).poll_read(cx, buffer),
            Source::Other(stdin) => Pin::new(stdin).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Stdout {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.0 {
            Sink::Pipe(pipe) => Pin::new(pipe).poll_write(cx, bytes),
            Sink::Socket(socket) => Pin::new(socket).poll_write(cx, bytes),
            Sink::Other(stdout) => Pin::new(stdout).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Sink::Pipe(pipe) => Pin::new(pipe).poll_flush(cx),
            Sink::Socket(socket) => Pin::new(socket).poll_flush(cx),
            Sink::Other(stdout) => Pin::new(stdout).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Sink::Pipe(pipe) => Pin::new(pipe).poll_shutdown(cx),
            Sink::Socket(socket) => Pin::new(socket).poll_shutdown(cx),
            Sink::Other(stdout) => Pin::new(stdout).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests;
