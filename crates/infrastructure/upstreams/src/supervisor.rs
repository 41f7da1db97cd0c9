//! Keeps one server up for as long as somebody needs it: started when it is first used, again when it died, and left alone
//! for a while when it cannot be started.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use awf_core::{ToolFailure, shown};
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    backoff::Backoff,
    connection::Connection,
    lister::Outcome,
    snapshot::Snapshots,
    spec::{Ground, Limits, UpstreamSpec},
    start::start,
};

/// A start that many may wait for; the error says why there is no server.
type Starting = Shared<BoxFuture<'static, Result<Arc<Connection>, Arc<str>>>>;

/// The place of one server.
pub(crate) struct Supervisor {
    pub(crate) spec: UpstreamSpec,
    pub(crate) ground: Ground,
    pub(crate) snapshots: Arc<Snapshots>,
    link: Mutex<Link>,
    starts: AtomicU64,
    closing: CancellationToken,
}

enum Link {
    Down(Option<Backoff>),
    Starting(Starting),
    Up(Arc<Connection>),
    Closed,
}

/// How one gets to the server.
enum Way {
    Open(Arc<Connection>),
    Opening(Starting),
}

/// Whether there is a list that calls can be judged by.
enum Renewed {
    Yes,
    /// And what became of it, to be said after the server's name.
    Not(String),
}

/// Why that matters.
const STALE: &str = ", and what it listed before may not be true any more; call again later";

impl Supervisor {
    pub(crate) fn new(spec: UpstreamSpec, ground: Ground) -> Arc<Self> {
        let shelf = ground.pins.shelf(&spec);
        let snapshots = Arc::new(Snapshots::new(&spec.name, ground.pins.clone(), shelf));
        let (link, closing) = (Mutex::new(Link::Down(None)), CancellationToken::new());
        Arc::new(Self { spec, ground, snapshots, link, starts: AtomicU64::new(0), closing })
    }

    /// The server, started if need be. All who come while it starts wait for the same start and get what came of it.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, ToolFailure> {
        let starting = match self.way()? {
            Way::Open(connection) => return Ok(connection),
            Way::Opening(starting) => starting,
        };
        starting.await.map_err(|why| ToolFailure::Unavailable(why.to_string()))
    }

    fn way(self: &Arc<Self>) -> Result<Way, ToolFailure> {
        let mut link = self.link();
        let (old, backoff) = match &*link {
            Link::Closed => return Err(ToolFailure::Unavailable(self.closed())),
            Link::Starting(starting) => return Ok(Way::Opening(starting.clone())),
            Link::Up(connection) if connection.is_usable() => {
                return Ok(Way::Open(connection.clone()));
            }
            Link::Up(dead) => (Some(dead.clone()), None),
            Link::Down(backoff) => match backoff.as_ref().and_then(|it| it.refusal(Instant::now()))
            {
                Some(refusal) => return Err(ToolFailure::Unavailable(refusal)),
                None => (None, backoff.clone()),
            },
        };
        let starting = self.begin(old, backoff);
        *link = Link::Starting(starting.clone());
        Ok(Way::Opening(starting))
    }

    /// A task of its own, which goes on when whoever asked first has given up.
    fn begin(self: &Arc<Self>, old: Option<Arc<Connection>>, backoff: Option<Backoff>) -> Starting {
        let this = self.clone();
        let number = self.starts.fetch_add(1, Ordering::Relaxed);
        let task = tokio::spawn(async move {
            let starting = async {
                if let Some(old) = old {
                    old.close().await;
                }
                start(&this.spec, &this.ground, this.snapshots.clone(), number).await
            };
            let started = tokio::select! {
                biased;
                () = this.closing.cancelled() => Err(Arc::from(this.closed())),
                started = starting => started.map(Arc::new).map_err(|error| {
                    Arc::from(this.ground.redactor.text(&error.to_string()))
                }),
            };
            this.settle(started, backoff.as_ref())
        });
        let lost: Arc<str> = Arc::from(self.closed());
        // A start that was torn down with its runtime has no answer.
        async move { task.await.unwrap_or(Err(lost)) }.boxed().shared()
    }

    fn settle(
        &self,
        started: Result<Arc<Connection>, Arc<str>>,
        backoff: Option<&Backoff>,
    ) -> Result<Arc<Connection>, Arc<str>> {
        let mut link = self.link();
        match &*link {
            Link::Closed => return Err(Arc::from(self.closed())),
            Link::Down(_) | Link::Starting(_) | Link::Up(_) => {}
        }
        *link = match &started {
            Ok(connection) => Link::Up(connection.clone()),
            Err(why) => Link::Down(Some(Backoff::after(backoff, why.clone(), Instant::now()))),
        };
        started
    }

    /// Sees to it that the newest list is new enough. A server that does not give one is an error: what it said before may
    /// not be true any more, and that is what a call would be judged by.
    pub(crate) async fn refresh(self: &Arc<Self>) -> Result<(), ToolFailure> {
        let began = Instant::now();
        let connection = self.connection().await?;
        let why = match self.renewed(&connection, began).await {
            Renewed::Yes => return Ok(()),
            Renewed::Not(why) => why,
        };
        // It may have died meanwhile, and a start comes with a list.
        let next = self.connection().await?;
        if !Arc::ptr_eq(&connection, &next)
            && matches!(self.renewed(&next, began).await, Renewed::Yes)
        {
            return Ok(());
        }
        Err(ToolFailure::Unavailable(format!("server `{}`{why}", shown(&self.spec.name))))
    }

    /// The server, and nothing that it told of since its newest list.
    pub(crate) async fn abreast(self: &Arc<Self>) -> Result<Arc<Connection>, ToolFailure> {
        let connection = self.connection().await?;
        let newest = self.snapshots.newest();
        if newest.is_some_and(|newest| newest.mark.heard >= connection.news.changes()) {
            return Ok(connection);
        }
        self.refresh().await?;
        self.connection().await
    }

    /// Asks for a list of this connection, unless the newest one was asked for since `began` or is young, and knows all
    /// that the server told.
    async fn renewed(&self, connection: &Connection, began: Instant) -> Renewed {
        let heard = connection.news.changes();
        let is_new = || {
            self.snapshots.newest().is_some_and(|newest| {
                let mark = newest.mark;
                let young = mark.asked >= began || mark.asked.elapsed() <= self.ground.max_age;
                young && mark.heard >= heard
            })
        };
        if is_new() {
            return Renewed::Yes;
        }
        let mut attempts = connection.attempts.clone();
        attempts.mark_unchanged();
        connection.news.wish.notify_one();
        let waiting = async {
            while !is_new() {
                // Its sender goes with the connection.
                if attempts.changed().await.is_err() {
                    return Outcome::Failed;
                }
                let outcome = attempts.borrow_and_update().outcome.clone();
                match outcome {
                    Outcome::Listed => {}
                    Outcome::Failed | Outcome::Unjudged(_) => return outcome,
                }
            }
            Outcome::Listed
        };
        // One that works on a call may do one thing at a time.
        let Limits { ready, news, .. } = self.ground.limits;
        let limit = if connection.life.is_in_use() { ready.max(news) } else { news };
        match timeout(limit, waiting).await {
            Ok(Outcome::Listed) => Renewed::Yes,
            Ok(Outcome::Unjudged(why)) => Renewed::Not(format!(": {why}")),
            Ok(Outcome::Failed) => Renewed::Not(format!(" does not list its tools{STALE}")),
            Err(_) => {
                let limit = limit.as_secs_f64();
                Renewed::Not(format!(" did not list its tools within {limit} s{STALE}"))
            }
        }
    }

    /// Ends the server, for good.
    pub(crate) async fn close(&self) {
        self.hang_up();
        let link = std::mem::replace(&mut *self.link(), Link::Closed);
        match link {
            Link::Up(connection) => connection.close().await,
            // It hears that all is closing, and drops what it has.
            Link::Starting(starting) => drop(starting.await),
            Link::Down(_) | Link::Closed => {}
        }
    }

    /// Nothing is started any more.
    pub(crate) fn hang_up(&self) {
        self.closing.cancel();
    }

    fn closed(&self) -> String {
        format!("server `{}` is closed", shown(&self.spec.name))
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
