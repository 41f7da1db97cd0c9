//! One connection to a server that is up: its client, its process, and who listens to its news.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use awf_mcp::{Client, ClientError, NotificationSink, ToolRequest};
use awf_process::{Child, Grace};
use serde_json::value::RawValue;
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{complaints::Complaints, lister::Attempt};

/// How long a server may take to go by itself once its client has left.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it may take to end when it is asked to.
const GRACE: Grace = Grace(Duration::from_secs(1));
/// What it answered before it ended may still be on its way.
const DRAIN: Duration = Duration::from_millis(250);

/// A server that is up.
pub(crate) struct Connection {
    /// Until it is closed.
    client: Mutex<Option<Arc<Client>>>,
    pub(crate) life: Arc<Life>,
    pub(crate) complaints: Complaints,
    pub(crate) news: Arc<News>,
    pub(crate) attempts: watch::Receiver<Attempt>,
    _lister: AbortOnDropHandle<()>,
    _pulse: AbortOnDropHandle<()>,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

/// Whether a server lives, and is in use.
#[derive(Default)]
pub(crate) struct Life {
    /// It ended, or is to end.
    pub(crate) over: CancellationToken,
    calls: AtomicUsize,
}

impl Life {
    /// Whether somebody waits for an answer.
    pub(crate) fn is_in_use(&self) -> bool {
        self.calls.load(Ordering::Acquire) > 0
    }
}

/// What a server tells unasked.
#[derive(Default)]
pub(crate) struct News {
    /// How many times it told that its list changed.
    changes: AtomicU64,
    /// The list is to be asked for.
    pub(crate) wish: Notify,
}

impl News {
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Hears the server's notifications.
    pub(crate) fn ear(self: &Arc<Self>) -> NotificationSink {
        let news = self.clone();
        Arc::new(move |method, _| {
            if method == "notifications/tools/list_changed" {
                news.changes.fetch_add(1, Ordering::AcqRel);
                news.wish.notify_one();
            }
        })
    }
}

/// What a connection is made of.
pub(crate) struct Made {
    pub(crate) client: Arc<Client>,
    pub(crate) child: Option<Child>,
    pub(crate) life: Arc<Life>,
    pub(crate) complaints: Complaints,
    pub(crate) news: Arc<News>,
    pub(crate) attempts: watch::Receiver<Attempt>,
    pub(crate) lister: AbortOnDropHandle<()>,
    /// How long a call may take.
    pub(crate) call: Duration,
}

impl Connection {
    pub(crate) fn new(made: Made) -> Self {
        let Made { client, child, life, complaints, news, attempts, lister, call } = made;
        let keeper = child.map(|child| tokio::spawn(keep(child, life.clone())));
        Self {
            client: Mutex::new(Some(client)),
            life,
            complaints,
            news,
            attempts,
            _lister: lister,
            _pulse: AbortOnDropHandle::new(tokio::spawn(pulse(call / 2))),
            keeper: Mutex::new(keeper),
        }
    }

    /// Whether it can be asked.
    pub(crate) fn is_usable(&self) -> bool {
        !self.life.over.is_cancelled()
            && locked(&self.client).as_ref().is_some_and(|client| !client.is_closed())
    }

    /// Calls a tool. A server that ends meanwhile is [`ClientError::Closed`].
    pub(crate) async fn call(
        &self,
        request: ToolRequest<'_>,
        cancel: &CancellationToken,
    ) -> Result<Box<RawValue>, ClientError> {
        let client = locked(&self.client).clone().ok_or(ClientError::Closed)?;
        let _use = Use::begin(&self.life);
        tokio::select! {
            biased;
            answered = client.call_tool(request, cancel) => answered,
            () = self.life.over.cancelled() => Err(ClientError::Closed),
        }
    }

    /// Nobody is to use it any more.
    pub(crate) fn give_up(&self) {
        self.life.over.cancel();
    }

    /// Ends it and what it started.
    pub(crate) async fn close(&self) {
        let client = locked(&self.client).take();
        self.life.over.cancel();
        // Calls under way hold the client too; they have just been ended, and the last of them hangs up.
        if let Some(client) = client.and_then(Arc::into_inner) {
            timeout(PATIENCE, client.close()).await.ok();
        }
        let keeper = locked(&self.keeper).take();
        if let Some(keeper) = keeper {
            // It neither panics nor is aborted by anyone else.
            keeper.await.ok();
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.life.over.cancel();
        if let Some(keeper) = locked(&self.keeper).take() {
            // The child goes with it.
            keeper.abort();
        }
    }
}

/// Waits for the end of a server, and sees to it that nothing is left of it.
async fn keep(mut child: Child, life: Arc<Life>) {
    let left = tokio::select! {
        _ = child.wait() => true,
        () = life.over.cancelled() => false,
    };
    if left {
        sleep(DRAIN).await;
        life.over.cancel();
    } else {
        timeout(PATIENCE, child.wait()).await.ok();
    }
    if let Err(error) = child.kill(GRACE).await {
        tracing::warn!(%error, "a server did not end");
    }
}

/// A call under way.
struct Use<'l>(&'l Life);

impl<'l> Use<'l> {
    fn begin(life: &'l Life) -> Self {
        life.calls.fetch_add(1, Ordering::AcqRel);
        Self(life)
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Has a timer due before that of any call. The runtime promises to wake up for it, and need not be woken for each call to
/// learn of a later one.
async fn pulse(every: Duration) {
    loop {
        sleep(every).await;
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
