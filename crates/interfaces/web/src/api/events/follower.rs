//! Follows the log once for everybody who listens: one look per tick, however many clients there are.
//!
//! It runs while somebody listens. What it finds goes to a ring of fixed length: whoever is too slow for that misses calls
//! and is told so; nobody waits for anybody.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use awf_core::{ActivityError, ActivityFilter, ActivityLog, Over, PAGE_MAX, Place};
use axum::body::Bytes;
use tokio::{
    sync::broadcast::{self, WeakSender},
    time::sleep,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::api::events::frame;

/// Between two looks at the log.
const TICK: Duration = Duration::from_millis(250);
/// Calls that are kept for those who are slow. One may hold 128 KiB; all listeners share them.
pub(crate) const KEPT: usize = 256;

/// What listeners are told.
#[derive(Clone)]
pub(crate) enum Tidings {
    /// A call is over; written down once for all of them.
    Over(Arc<Over>, Bytes),
    /// The index was made anew: what ended just now is not told, and this is where to go on.
    Gap(Place),
}

/// Tells listeners of calls that are over.
#[derive(Default)]
pub(crate) struct Follower {
    /// Gone when nobody listens.
    told: Mutex<Option<WeakSender<Tidings>>>,
}

impl Follower {
    /// What is over after `place`, where the listener stands, or from now on where somebody listens already: the listener
    /// looks once more at what lies between. The channel closes when the log cannot be read any more, and when serving ends.
    pub(crate) fn listen(
        self: &Arc<Self>,
        log: &Arc<dyn ActivityLog>,
        place: Place,
        (tasks, stop): (&TaskTracker, &CancellationToken),
    ) -> broadcast::Receiver<Tidings> {
        let mut told = self.told();
        if let Some(sender) = told.as_ref().and_then(WeakSender::upgrade) {
            return sender.subscribe();
        }
        let (sender, heard) = broadcast::channel(KEPT);
        *told = Some(sender.downgrade());
        let (follower, log, stop) = (self.clone(), log.clone(), stop.clone());
        tasks.spawn(async move {
            let following = follower.follow(&*log, place, sender);
            if let Some(Err(error)) = stop.run_until_cancelled(following).await {
                tracing::warn!(%error, "the activity log cannot be followed");
            }
        });
        heard
    }

    async fn follow(
        &self,
        log: &dyn ActivityLog,
        mut place: Place,
        sender: broadcast::Sender<Tidings>,
    ) -> Result<(), ActivityError> {
        let all = ActivityFilter { limit: PAGE_MAX, ..ActivityFilter::default() };
        loop {
            if self.is_deserted(&sender) {
                return Ok(());
            }
            let news = log.news(&all, Some(place)).await?;
            let moved = news.place != place;
            place = news.place;
            if news.gap {
                sender.send(Tidings::Gap(place)).ok();
            }
            for over in news.calls {
                let frame = frame::activity(&over);
                sender.send(Tidings::Over(Arc::new(over), frame)).ok();
            }
            if !moved {
                sleep(TICK).await;
            }
        }
    }

    /// Whether nobody listens; whoever comes after that finds no channel, and makes another.
    fn is_deserted(&self, sender: &broadcast::Sender<Tidings>) -> bool {
        let mut told = self.told();
        let deserted = sender.receiver_count() == 0;
        if deserted {
            *told = None;
        }
        deserted
    }

    fn told(&self) -> MutexGuard<'_, Option<WeakSender<Tidings>>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
