//! What a server complains of on its standard error: read to the end, the last of it kept for who asks why it failed.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use awf_core::Redactor;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::hidden::unhidden;

/// How much is told: the end of it, for what is last is the cause more often than what is first.
const TOLD: usize = 2048;
/// How much is kept: more than that, so that a secret across the cut is still recognised.
const KEPT: usize = TOLD + 8 * 1024;
/// How long to wait for the last words; something it left behind may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The complaints of one server; reading ends when it is dropped.
pub(crate) struct Complaints {
    kept: Arc<Mutex<VecDeque<u8>>>,
    redactor: Redactor,
    /// There is no more to come.
    ended: CancellationToken,
    _reader: AbortOnDropHandle<()>,
}

impl Complaints {
    pub(crate) fn hear(
        mut pipe: impl AsyncRead + Send + Unpin + 'static,
        redactor: Redactor,
    ) -> Self {
        let kept: Arc<Mutex<VecDeque<u8>>> = Arc::default();
        let ended = CancellationToken::new();
        let (sink, end) = (kept.clone(), ended.clone().drop_guard());
        let reader = tokio::spawn(async move {
            let _end = end;
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
                let mut kept = sink.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(chunk.get(..count).unwrap_or_default());
                let over = kept.len().saturating_sub(KEPT);
                kept.drain(..over);
            }
        });
        Self { kept, redactor, ended, _reader: AbortOnDropHandle::new(reader) }
    }

    /// The last of it, on one line, to be put behind a message; empty if it said nothing.
    pub(crate) async fn said(&self) -> String {
        // It ended, or somebody else holds its pipe: either way there is no more to wait for.
        timeout(LAST_WORDS, self.ended.cancelled()).await.ok();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = self.redactor.tail(&bytes, TOLD);
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() {
            return String::new();
        }
        format!("; it said: {}", unhidden(&lines.join(" / ")))
    }
}
