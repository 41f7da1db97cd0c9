//! Progress of a call, told only to a peer that asked.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::wire::Encode;

/// One step on the way.
#[derive(Debug, Clone, Copy)]
pub struct ProgressUpdate<'a> {
    progress: f64,
    total: Option<f64>,
    message: Option<&'a str>,
}

impl<'a> ProgressUpdate<'a> {
    /// How much is done; must grow from one update to the next.
    pub const fn at(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// How much there is to do.
    #[must_use]
    pub const fn of(self, total: f64) -> Self {
        Self { total: Some(total), ..self }
    }

    /// What is being done.
    #[must_use]
    pub const fn saying(self, message: &'a str) -> Self {
        Self { message: Some(message), ..self }
    }
}

/// Sends progress of one call. Costs nothing when the peer did not ask.
#[derive(Debug, Clone)]
pub struct Progress(Option<Arc<Reporter>>);

impl Progress {
    pub(crate) fn new(reporter: Option<Reporter>) -> Self {
        Self(reporter.map(Arc::new))
    }

    /// Whether anyone listens.
    pub const fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Tells the peer. An update is dropped, never waited for, when the peer does not keep up or the call is over;
    /// the next one supersedes it anyway.
    pub fn report(&self, update: ProgressUpdate<'_>) {
        if let Some(reporter) = &self.0 {
            reporter.send(update);
        }
    }
}

/// A notification on its way to the session, and the call it belongs to.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    pub(crate) call: u64,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Reporter {
    pub(crate) call: u64,
    /// The peer's token, as it wrote it.
    pub(crate) token: Box<str>,
    pub(crate) lines: mpsc::Sender<ProgressLine>,
}

impl Reporter {
    fn send(&self, update: ProgressUpdate<'_>) {
        let Ok(slot) = self.lines.try_reserve() else { return };
        let mut bytes = Vec::with_capacity(160);
        bytes.raw(
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#,
        );
        bytes.raw(&self.token);
        bytes.raw(r#","progress":"#);
        bytes.raw(&number(update.progress));
        if let Some(total) = update.total {
            bytes.raw(r#","total":"#);
            bytes.raw(&number(total));
        }
        if let Some(message) = update.message {
            bytes.raw(r#","message":"#);
            bytes.string(message);
        }
        bytes.extend_from_slice(b"}}\n");
        slot.send(ProgressLine { call: self.call, bytes });
    }
}

/// JSON has no infinities and no NaN; zero is the number that claims least.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "0".to_owned() }
}
