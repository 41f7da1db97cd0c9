//! One client that listens: first what it missed, from the index, then what the follower tells.

use std::{sync::Arc, time::Duration};

use awf_core::{ActivityError, ActivityFilter, ActivityLog, Over, Place};
use axum::body::Bytes;
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        mpsc,
    },
    time::timeout,
};

use crate::{
    api::events::{
        follower::{KEPT, Tidings},
        frame,
    },
    house::House,
    room::Hangup,
};

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(15);

/// A client, and where it stands.
pub(super) struct Listener {
    pub(super) house: Arc<House>,
    pub(super) log: Arc<dyn ActivityLog>,
    pub(super) filter: ActivityFilter,
    pub(super) place: Place,
    pub(super) out: mpsc::Sender<Bytes>,
}

/// Why no more is told.
enum End {
    /// The client left, serving ended, or the log cannot be read: the client asks again and is told then.
    Over,
    /// The client takes nothing any more.
    Stuck,
}

impl From<ActivityError> for End {
    fn from(error: ActivityError) -> Self {
        tracing::warn!(%error, "a stream of events ends");
        Self::Over
    }
}

impl Listener {
    /// Tells the client until one of the two has enough.
    pub(super) async fn attend(mut self, hangup: Hangup) {
        let stop = self.house.stop.clone();
        let Some(Err(end)) = stop.run_until_cancelled(self.tell()).await else { return };
        match end {
            End::Over => {}
            End::Stuck => hangup.0.cancel(),
        }
    }

    async fn tell(&mut self) -> Result<(), End> {
        self.send(frame::place(self.place)).await?;
        // A long way is gone before the follower's ring is looked at, and the rest of it after: nothing lies between.
        self.catch_up().await?;
        let house = self.house.clone();
        loop {
            let mut heard =
                house.follower.listen(&self.log, self.place, (&house.tasks, &house.stop));
            self.catch_up().await?;
            // A client that took so long over it that the ring went on without it has missed nothing: it was told all the
            // same, and comes again.
            if heard.len() <= KEPT {
                return self.listen(&mut heard).await;
            }
        }
    }

    /// What ended since the client was here last, page by page as it takes it.
    async fn catch_up(&mut self) -> Result<(), End> {
        loop {
            let news = self.log.news(&self.filter, Some(self.place)).await?;
            if news.gap {
                self.send(frame::lost(news.place)).await?;
            }
            for over in &news.calls {
                self.send(frame::activity(over)).await?;
            }
            if news.place == self.place {
                return Ok(());
            }
            self.place = news.place;
        }
    }

    async fn listen(&mut self, heard: &mut broadcast::Receiver<Tidings>) -> Result<(), End> {
        loop {
            let tidings = tokio::select! {
                tidings = timeout(ALIVE, heard.recv()) => tidings,
                () = self.out.closed() => return Err(End::Over),
            };
            match tidings {
                Err(_) => self.send(frame::ALIVE).await?,
                Ok(Ok(Tidings::Over(over, frame))) => self.pass_on(&over, frame).await?,
                Ok(Ok(Tidings::Gap(place))) => {
                    self.place = place;
                    self.send(frame::lost(place)).await?;
                }
                Ok(Err(RecvError::Lagged(_))) => {
                    self.send(frame::too_slow()).await?;
                    return Err(End::Over);
                }
                Ok(Err(RecvError::Closed)) => return Err(End::Over),
            }
        }
    }

    /// Passes a call on unless it is none of this client's, or it was told already.
    async fn pass_on(&mut self, over: &Over, frame: Bytes) -> Result<(), End> {
        let is_known =
            over.place.index == self.place.index && over.place.number <= self.place.number;
        if is_known {
            return Ok(());
        }
        self.place = over.place;
        if self.filter.matches(&over.record) {
            self.send(frame).await?;
        }
        Ok(())
    }

    async fn send(&self, frame: Bytes) -> Result<(), End> {
        let stall = self.house.settings.limits.stall_time;
        match timeout(stall, self.out.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Over),
            Err(_) => Err(End::Stuck),
        }
    }
}
