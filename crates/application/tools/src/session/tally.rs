//! What is heard of a step's calls: their number, and news of each as it ends. It listens on the way to the journal,
//! so that it hears of every call, refused ones included, also when no journal is kept.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use awf_core::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityId, ActivityLog, ActivityNews,
    ActivityPage, ActivitySummary, CallEnded, CallStarted, Operation, Outcome, Place, RefusalCode,
    Status, ToolCalls,
};

use crate::session::subject::subject;

/// A call that has ended, in brief. Nothing in it needs redacting any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallNews {
    /// The half before the colon; empty when the tool is unknown.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// What it does, where that is known.
    pub operation: Option<Operation>,
    /// What was decided.
    pub outcome: Outcome,
    /// How it ended.
    pub status: Status,
    /// What went wrong, in one line.
    pub error: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
    /// What it was about, in a few words: a file, a command, a pattern.
    pub subject: String,
}

impl CallNews {
    /// Why it was refused, if so.
    pub fn code(&self) -> Option<RefusalCode> {
        self.outcome.refusal()
    }

    /// Whether it came to nothing: refused, failed or withdrawn.
    pub fn is_error(&self) -> bool {
        match self.status {
            Status::Success | Status::Bypassed => false,
            Status::Started | Status::Error | Status::Denied | Status::Interrupted => true,
        }
    }

    /// Whether it was refused.
    pub fn refused(&self) -> bool {
        self.code().is_some()
    }
}

/// Takes the news of one session; never waits.
pub type CallWatcher = Arc<dyn Fn(CallNews) + Send + Sync>;

/// Counts and reports calls on their way to the journal.
pub(super) struct Tally {
    journal: Option<Arc<dyn ActivityLog>>,
    watcher: CallWatcher,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: ToolCalls,
    /// Calls under way, as their news will begin.
    open: HashMap<ActivityId, CallNews>,
}

impl Tally {
    pub(super) fn new(journal: Option<Arc<dyn ActivityLog>>, watcher: CallWatcher) -> Self {
        Self { journal, watcher, state: Mutex::default() }
    }

    pub(super) fn calls(&self) -> ToolCalls {
        self.state().calls
    }

    fn begin(&self, started: &CallStarted) {
        let news = CallNews {
            server: started.server.clone(),
            tool: started.tool.clone(),
            operation: started.intent.as_ref().map(|intent| intent.operation),
            outcome: started.outcome,
            status: Status::Started,
            error: None,
            elapsed: Duration::ZERO,
            subject: subject(&started.arguments),
        };
        let mut state = self.state();
        state.calls.made += 1;
        state.open.insert(started.id, news);
    }

    fn end(&self, ended: &CallEnded) {
        let news = {
            let mut state = self.state();
            match ended.status {
                Status::Denied => state.calls.denied += 1,
                Status::Bypassed => {
                    state.calls.made -= 1;
                    state.calls.bypassed += 1;
                }
                Status::Started | Status::Success | Status::Error | Status::Interrupted => {}
            }
            state.open.remove(&ended.id)
        };
        if let Some(news) = news {
            (self.watcher)(concluded(news, ended));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tally {
    fn journal(&self) -> Result<&Arc<dyn ActivityLog>, ActivityError> {
        self.journal.as_ref().ok_or_else(|| ActivityError::Read {
            place: "this session".to_owned(),
            reason: "the activity log is switched off".to_owned(),
        })
    }
}

fn concluded(begun: CallNews, ended: &CallEnded) -> CallNews {
    let outcome = match (begun.outcome, ended.status) {
        // Only a journal that cannot be written stops a call that was let through.
        (Outcome::Allow | Outcome::Warn, Status::Denied) => {
            Outcome::Deny(RefusalCode::JournalUnavailable)
        }
        (outcome, _) => outcome,
    };
    CallNews {
        outcome,
        status: ended.status,
        error: ended.error.clone(),
        elapsed: Duration::from_millis(ended.duration_ms),
        ..begun
    }
}

#[async_trait]
impl ActivityLog for Tally {
    /// Heard first, written then: a call that is dropped waits for no journal, and its news would be lost.
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        match event {
            ActivityEvent::Started(started) => self.begin(started),
            ActivityEvent::Ended(ended) => self.end(ended),
        }
        match &self.journal {
            Some(journal) => journal.append(event).await,
            None => Ok(()),
        }
    }

    async fn query(&self, filter: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        self.journal()?.query(filter).await
    }

    async fn summary(&self, filter: &ActivityFilter) -> Result<ActivitySummary, ActivityError> {
        self.journal()?.summary(filter).await
    }

    async fn news(
        &self,
        filter: &ActivityFilter,
        after: Option<Place>,
    ) -> Result<ActivityNews, ActivityError> {
        self.journal()?.news(filter, after).await
    }
}
