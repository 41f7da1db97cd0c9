//! Where the follower begins.

use std::sync::Arc;

use async_trait::async_trait;
use awf_core::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityLog, ActivityNews, ActivityPage,
    ActivitySummary, Place,
};
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::Follower;

/// Says from where it was asked for news, and has none.
struct Asked(mpsc::UnboundedSender<Option<Place>>);

#[async_trait]
impl ActivityLog for Asked {
    async fn append(&self, _: &ActivityEvent) -> Result<(), ActivityError> {
        Ok(())
    }

    async fn query(&self, _: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        Ok(ActivityPage::default())
    }

    async fn summary(&self, _: &ActivityFilter) -> Result<ActivitySummary, ActivityError> {
        Ok(ActivitySummary::default())
    }

    async fn news(
        &self,
        _: &ActivityFilter,
        after: Option<Place>,
    ) -> Result<ActivityNews, ActivityError> {
        self.0.send(after).unwrap();
        Ok(ActivityNews { place: after.unwrap_or_default(), ..ActivityNews::default() })
    }
}

/// Were it to begin where the log stands when it first looks, a call that ended a moment before would be told to nobody.
#[tokio::test]
async fn it_begins_where_its_first_listener_stands() {
    let (send, mut asked) = mpsc::unbounded_channel();
    let log: Arc<dyn ActivityLog> = Arc::new(Asked(send));
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let place = Place { index: 3, number: 41 };
    let _heard = Arc::new(Follower::default()).listen(&log, place, (&tasks, &stop));
    assert_eq!(asked.recv().await, Some(Some(place)));
    stop.cancel();
}
