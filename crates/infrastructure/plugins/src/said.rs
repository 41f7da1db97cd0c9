//! What a plugin says beside its answers: every line to the log, and the last of it kept for who asks why it failed.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use awf_core::Redactor;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::line::Lines;

/// How much is kept: more than is told, so that a secret across the cut is still recognised.
const KEPT: usize = TOLD + 8 * 1024;
/// How much of it is told, in bytes: its end, for what is last is the cause more often than what is first.
const TOLD: usize = 600;
/// How long to wait for the last words; something it left behind may hold the pipe.
pub(crate) const LAST_WORDS: Duration = Duration::from_millis(300);

/// The last of what one plugin complained of.
#[derive(Default)]
pub(crate) struct Said {
    /// Knows what may not be repeated.
    redactor: Redactor,
    kept: Mutex<Kept>,
    /// Its standard error is at its end.
    ended: CancellationToken,
}

#[derive(Default)]
struct Kept {
    bytes: VecDeque<u8>,
    /// Of all that was ever heard.
    heard: usize,
}

/// A moment in what a plugin says.
#[derive(Clone, Copy, Default)]
pub(crate) struct Since(usize);

impl Said {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor, ..Self::default() }
    }

    fn keep(&self, bytes: &[u8]) {
        let last = bytes.get(bytes.len().saturating_sub(KEPT)..).unwrap_or_default();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let over = (kept.bytes.len() + last.len()).saturating_sub(KEPT);
        kept.bytes.drain(..over);
        kept.bytes.extend(last);
        kept.heard = kept.heard.saturating_add(bytes.len());
    }

    /// Now.
    pub(crate) fn now(&self) -> Since {
        Since(self.kept.lock().unwrap_or_else(PoisonError::into_inner).heard)
    }

    /// There is no more to come.
    pub(crate) fn end(&self) {
        self.ended.cancel();
    }

    /// The last of it, on one line, to be put behind a message; empty if it said nothing since then.
    pub(crate) fn words(&self, since: Since) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let new = kept.heard.saturating_sub(since.0);
        let old = kept.bytes.len().saturating_sub(new);
        let bytes: Vec<u8> = kept.bytes.iter().skip(old).copied().collect();
        let text = self.redactor.tail(&bytes, TOLD);
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() { String::new() } else { format!("; it said: {}", lines.join(" / ")) }
    }

    /// The same of a plugin that has ended, whose pipe may not have been read to its end yet.
    pub(crate) async fn last_words(&self, since: Since) -> String {
        // It ended, or somebody else holds its pipe: either way there is no more to wait for.
        timeout(LAST_WORDS, self.ended.cancelled()).await.ok();
        self.words(since)
    }
}

/// Hears one stream of a plugin.
pub(crate) struct Ear {
    lines: Lines,
    said: Option<Arc<Said>>,
}

impl Ear {
    /// Hears what is of no use once it is logged.
    pub(crate) fn new(plugin: &str, said: &Said) -> Self {
        Self { lines: Lines::new(plugin, said.redactor.clone()), said: None }
    }

    /// Hears complaints.
    pub(crate) fn keeping(plugin: &str, said: &Arc<Said>) -> Self {
        Self { said: Some(said.clone()), ..Self::new(plugin, said) }
    }

    pub(crate) fn hear(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
        if let Some(said) = &self.said {
            said.keep(bytes);
        }
    }
}

#[cfg(test)]
mod tests;
