//! The first of what a server writes: when that is no MCP, it tells a person what was started by mistake.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use awf_core::{Redactor, shown};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, ReadBuf},
    sync::oneshot,
    time::timeout,
};

/// How much is told, in bytes.
const TOLD: usize = 256;
/// How much is kept: more than that, so that a secret across the cut is still recognised.
const KEPT: usize = TOLD + 8 * 1024;
/// How long to wait for what nobody has read.
const UNREAD: Duration = Duration::from_millis(300);

type Reader = Box<dyn AsyncRead + Send + Unpin>;

/// What is kept of it.
pub(crate) struct Opening {
    kept: Arc<Mutex<Vec<u8>>>,
    redactor: Redactor,
    /// What is left of it once nobody reads any more.
    rest: oneshot::Receiver<Reader>,
}

/// What a server writes, its opening kept.
pub(crate) struct Overheard {
    /// Until it is dropped.
    inner: Option<Reader>,
    kept: Arc<Mutex<Vec<u8>>>,
    /// Bytes that are still to be kept.
    left: usize,
    rest: Option<oneshot::Sender<Reader>>,
}

pub(crate) fn overhear(inner: Reader, redactor: Redactor) -> (Overheard, Opening) {
    let (kept, (sender, rest)) = (Arc::default(), oneshot::channel());
    let overheard =
        Overheard { inner: Some(inner), kept: Arc::clone(&kept), left: KEPT, rest: Some(sender) };
    (overheard, Opening { kept, redactor, rest })
}

impl Opening {
    /// Its first line where that is no JSON, to be put behind a message; empty otherwise.
    pub(crate) async fn wrote(self) -> String {
        let mut bytes = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if bytes.is_empty() {
            // A server that hung up before it was greeted may have written all the same.
            let unread = async {
                let mut rest = self.rest.await.ok()?.take(KEPT as u64);
                rest.read_to_end(&mut bytes).await.ok()
            };
            timeout(UNREAD, unread).await.ok();
        }
        let text = String::from_utf8_lossy(&bytes);
        match text.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(line) if !line.starts_with(['{', '[']) => {
                let clean = self.redactor.text(line);
                let told = clean.get(..clean.floor_char_boundary(TOLD)).unwrap_or_default();
                format!("; it wrote `{}`, which is no MCP", shown(told))
            }
            Some(_) | None => String::new(),
        }
    }
}

impl AsyncRead for Overheard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Some(inner) = &mut self.inner else { return Poll::Ready(Ok(())) };
        let before = buffer.filled().len();
        ready!(Pin::new(inner).poll_read(context, buffer))?;
        if self.left > 0 {
            let read = buffer.filled().get(before..).unwrap_or_default();
            let kept = read.get(..self.left.min(read.len())).unwrap_or_default();
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).extend(kept);
            self.left -= kept.len();
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for Overheard {
    fn drop(&mut self) {
        if let (Some(inner), Some(rest)) = (self.inner.take(), self.rest.take()) {
            // Nobody may want to know.
            rest.send(inner).ok();
        }
    }
}
