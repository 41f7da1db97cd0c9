//! The first of what a server writes: when that is no MCP, it tells a person what was started by mistake.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
};

use awf_core::shown;
use tokio::io::{AsyncRead, ReadBuf};

/// How much is kept.
const KEPT: usize = 256;

/// What is kept of it.
#[derive(Clone, Default)]
pub(crate) struct Opening(Arc<Mutex<Vec<u8>>>);

impl Opening {
    /// Its first line where that is no JSON, to be put behind a message; empty otherwise.
    pub(crate) fn wrote(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        match text.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(line) if !line.starts_with(['{', '[']) => {
                format!("; it wrote `{}`, which is no MCP", shown(line))
            }
            Some(_) | None => String::new(),
        }
    }
}

/// What a server writes, its opening kept.
pub(crate) struct Overheard<R> {
    inner: R,
    opening: Opening,
    /// Bytes that are still to be kept.
    left: usize,
}

impl<R> Overheard<R> {
    pub(crate) fn new(inner: R, opening: Opening) -> Self {
        Self { inner, opening, left: KEPT }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Overheard<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        if self.left > 0 {
            let read = buffer.filled().get(before..).unwrap_or_default();
            let kept = read.get(..self.left.min(read.len())).unwrap_or_default();
            self.opening.0.lock().unwrap_or_else(PoisonError::into_inner).extend(kept);
            self.left -= kept.len();
        }
        Poll::Ready(Ok(()))
    }
}
