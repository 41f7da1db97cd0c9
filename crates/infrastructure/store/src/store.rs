//! Journal and index as the one log the rest of awf knows.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use awf_core::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityLog, ActivityNews, ActivityPage,
    ActivitySummary, Place, Retention,
};

use crate::{
    error::cannot_read,
    index::{self, Index},
    journal::{Durability, Journal},
    layout::Layout,
};

/// The activity log of one home directory. Opening reads and makes nothing; querying makes no segment.
pub struct ActivityStore {
    layout: Layout,
    journal: Journal,
    index: Arc<Mutex<Option<Index>>>,
}

impl ActivityStore {
    /// The log below `home`.
    pub fn open(home: &Path, durability: Durability) -> Self {
        Self {
            layout: Layout::new(home),
            journal: Journal::open(home, durability),
            index: Arc::default(),
        }
    }

    /// The same, with limits: what is beyond them is removed when this process begins a segment.
    #[must_use]
    pub fn keeping(self, retention: Retention) -> Self {
        Self { journal: self.journal.keeping(retention), ..self }
    }

    /// Seals what this process wrote. Idempotent.
    pub fn close(&self) -> Result<(), ActivityError> {
        self.journal.close()
    }

    /// Asks the index, on a thread that may wait.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Layout, &mut Option<Index>) -> Result<T, ActivityError> + Send + 'static,
    ) -> Result<T, ActivityError> {
        let (layout, index) = (self.layout.clone(), Arc::clone(&self.index));
        let answer = tokio::task::spawn_blocking(move || {
            let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
            question(&layout, &mut index)
        });
        answer.await.map_err(|error| cannot_read(self.layout.activity(), &error))?
    }
}

#[async_trait]
impl ActivityLog for ActivityStore {
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        self.journal.append(event).await
    }

    async fn query(&self, filter: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        let filter = filter.clone();
        self.ask(move |layout, index| index::query(layout, index, &filter)).await
    }

    async fn summary(&self, filter: &ActivityFilter) -> Result<ActivitySummary, ActivityError> {
        let filter = filter.clone();
        self.ask(move |layout, index| index::summary(layout, index, &filter)).await
    }

    async fn news(
        &self,
        filter: &ActivityFilter,
        after: Option<Place>,
    ) -> Result<ActivityNews, ActivityError> {
        let filter = filter.clone();
        self.ask(move |layout, index| index::news(layout, index, &filter, after)).await
    }
}
