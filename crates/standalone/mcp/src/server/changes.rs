//! Whether one peer is to be told that the list of tools has changed.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::watch;

type Waiting = Pin<Box<dyn Future<Output = Option<watch::Receiver<u64>>> + Send>>;

pub(crate) struct Changes {
    /// Until the host says that nothing changes any more.
    waiting: Option<Waiting>,
    /// The peer has shaken hands and takes notifications.
    awaited: bool,
}

impl Changes {
    pub(crate) fn new(mut news: watch::Receiver<u64>) -> Self {
        news.mark_unchanged();
        Self { waiting: Some(next(news)), awaited: false }
    }

    /// From now on the peer may be told.
    pub(crate) fn awaited(&mut self) {
        self.awaited = true;
    }

    /// Whether there is something to tell. However often the list has changed since, it is told once.
    pub(crate) fn poll_news(&mut self, cx: &mut Context<'_>) -> bool {
        if !self.awaited {
            return false;
        }
        let Some(waiting) = &mut self.waiting else { return false };
        let Poll::Ready(news) = waiting.as_mut().poll(cx) else { return false };
        let told = news.is_some();
        self.waiting = news.map(next);
        told
    }
}

fn next(mut news: watch::Receiver<u64>) -> Waiting {
    Box::pin(async move { news.changed().await.is_ok().then_some(news) })
}
