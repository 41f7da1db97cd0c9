//! One peer from its first byte to the end: reads, calls and writes in turn, in a single task.
//!
//! A round takes one read, answers all lines in it, collects the calls that are done, and writes everything
//! that is ready at once. Rounds go on while anything moves; then the task sleeps until reader, writer, a call or the
//! clock wakes it.

use std::{
    future::poll_fn,
    io,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Sleep, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::{
    server::{Ended, Server, desk::Desk},
    wire::{Flow, LineBuffer, MAX_LINE},
};

pub(crate) struct Session<'a, R, W> {
    reader: R,
    writer: W,
    lines: LineBuffer,
    desk: Desk<'a>,
    phase: Phase,
    eof_grace: Duration,
    cancel_grace: Duration,
}

enum Phase {
    Open,
    /// The peer has closed its side. What it asked may still be answered.
    Draining(Pin<Box<Sleep>>),
    /// Calls were told to stop and are waited for.
    Stopping {
        because: io::Result<Ended>,
        timer: Pin<Box<Sleep>>,
    },
    Over(io::Result<Ended>),
}

impl<'a, R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Session<'a, R, W> {
    pub(crate) fn new(server: &'a Server, reader: R, writer: W) -> Self {
        Self {
            reader,
            writer,
            lines: LineBuffer::new(MAX_LINE),
            desk: Desk::new(server),
            phase: Phase::Open,
            eof_grace: server.limits.eof_grace,
            cancel_grace: server.limits.cancel_grace,
        }
    }

    pub(crate) async fn run(mut self, shutdown: CancellationToken) -> io::Result<Ended> {
        let mut asked_to_stop = pin!(shutdown.cancelled());
        poll_fn(|cx| {
            if matches!(self.phase, Phase::Open | Phase::Draining(_))
                && asked_to_stop.as_mut().poll(cx).is_ready()
            {
                self.stop(Ok(Ended::Shutdown));
            }
            self.poll_rounds(cx)
        })
        .await
    }

    fn poll_rounds(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Ended>> {
        loop {
            let mut moved = self.take_input(cx);
            moved |= self.desk.poll_calls(cx);
            moved |= self.send(cx);
            // Only a round in which nothing moved shows that nothing is left to do.
            moved = moved || self.watch_clock(cx);
            if let Phase::Over(outcome) = &mut self.phase {
                return Poll::Ready(std::mem::replace(outcome, Ok(Ended::Eof)));
            }
            if !moved {
                return Poll::Pending;
            }
        }
    }

    fn take_input(&mut self, cx: &mut Context<'_>) -> bool {
        let mut moved = self.take_lines();
        if matches!(self.phase, Phase::Open) && !self.desk.is_stalled() {
            match self.lines.poll_fill(cx, &mut self.reader) {
                Poll::Pending => return moved,
                Poll::Ready(Ok(0)) => self.phase = Phase::Draining(Box::pin(sleep(self.eof_grace))),
                Poll::Ready(Ok(_)) => {}
                Poll::Ready(Err(error)) => self.stop(gone_or(error)),
            }
            self.take_lines();
            moved = true;
        }
        moved
    }

    fn take_lines(&mut self) -> bool {
        if !matches!(self.phase, Phase::Open | Phase::Draining(_)) {
            return false;
        }
        let mut moved = false;
        while !self.desk.is_stalled()
            && let Some(line) = self.lines.next_line()
        {
            self.desk.take(line);
            moved = true;
        }
        moved
    }

    fn send(&mut self, cx: &mut Context<'_>) -> bool {
        match self.desk.out.poll_write(cx, &mut self.writer) {
            Ok(Flow::Idle) => false,
            Ok(Flow::Moved) => {
                // A peer that has closed its side but still reads is alive, however slowly it reads.
                if let Phase::Draining(timer) = &mut self.phase
                    && !self.desk.out.is_empty()
                {
                    timer.set(sleep(self.eof_grace));
                }
                true
            }
            Err(error) => {
                self.desk.out.discard();
                self.stop(gone_or(error));
                true
            }
        }
    }

    /// Moves on to the next phase when this one is done or its time is up.
    fn watch_clock(&mut self, cx: &mut Context<'_>) -> bool {
        let idle = self.desk.calls.is_idle() && self.desk.out.is_empty();
        match &mut self.phase {
            Phase::Open | Phase::Over(_) => false,
            Phase::Draining(_) if idle => {
                self.phase = Phase::Over(Ok(Ended::Eof));
                true
            }
            Phase::Draining(timer) => {
                let late = timer.as_mut().poll(cx).is_ready();
                if late {
                    self.stop(Ok(Ended::Eof));
                }
                late
            }
            Phase::Stopping { because, timer } => {
                let over = idle || timer.as_mut().poll(cx).is_ready();
                if over {
                    self.phase = Phase::Over(std::mem::replace(because, Ok(Ended::Eof)));
                }
                over
            }
        }
    }

    fn stop(&mut self, because: io::Result<Ended>) {
        self.desk.calls.cancel_all();
        if !matches!(self.phase, Phase::Stopping { .. } | Phase::Over(_)) {
            self.phase = Phase::Stopping { because, timer: Box::pin(sleep(self.cancel_grace)) };
        }
    }
}

/// A peer that hangs up is an end like any other; only what else can go wrong is an error.
fn gone_or(error: io::Error) -> io::Result<Ended> {
    match error.kind() {
        io::ErrorKind::BrokenPipe
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted => Ok(Ended::PeerGone),
        _ => Err(error),
    }
}
