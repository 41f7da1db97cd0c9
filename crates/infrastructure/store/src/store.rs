//! Journal and index as the one log the rest of awf knows.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use awf_core::{ActivityError, ActivityEvent, ActivityFilter, ActivityLog, ActivityPage};

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

    /// Seals what this process wrote. Idempotent.
    pub fn close(&self) -> Result<(), ActivityError> {
        self.journal.close()
    }
}

#[async_trait]
impl ActivityLog for ActivityStore {
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        self.journal.append(event).await
    }

    async fn query(&self, filter: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        let (layout, index, filter) =
            (self.layout.clone(), Arc::clone(&self.index), filter.clone());
        let answer = tokio::task::spawn_blocking(move || {
            let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
            index::query(&layout, &mut index, &filter)
        });
        answer.await.map_err(|error| cannot_read(self.layout.activity(), &error))?
    }
}
