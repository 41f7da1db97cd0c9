//! The way in to a session: who connects, how they are served, and how they are seen off.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use awf_core::{ToolProvider, TraceContext};
use awf_process::{Grace, Peer};
use rustix::process::geteuid;
use tokio::{
    net::{UnixListener, UnixStream},
    task::{JoinHandle, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use crate::{
    front::{FrontError, McpFront},
    session::place::Place,
};

/// Connections served at once; more wait. An agent has one or two.
const AT_ONCE: usize = 64;
/// How long to wait when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);
/// How long a relay may take to notice that its connection was closed.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it may take to end when it is asked to.
const GRACE: Grace = Grace(Duration::from_secs(5));

/// What those who come in are led to.
pub(super) struct Hall {
    provider: Arc<dyn ToolProvider>,
    trace: Option<TraceContext>,
    connected: AtomicBool,
    /// How often somebody asked which tools there are.
    listed: Arc<AtomicU64>,
}

impl Hall {
    pub(super) fn new(provider: Arc<dyn ToolProvider>, trace: Option<TraceContext>) -> Self {
        let (connected, listed) = (AtomicBool::new(false), Arc::default());
        Self { provider, trace, connected, listed }
    }

    pub(super) fn connected(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    pub(super) fn listed(&self) -> u64 {
        self.listed.load(Ordering::Relaxed)
    }

    /// Serves one connection. Each has a session id of its own in the records.
    async fn serve(&self, stream: UnixStream, stop: CancellationToken) -> Result<(), FrontError> {
        let mut front = McpFront::new(self.provider.clone(), self.trace.clone()).await?;
        let listed = self.listed.clone();
        front.on_listed(Arc::new(move || {
            listed.fetch_add(1, Ordering::Relaxed);
        }));
        let (reader, writer) = stream.into_split();
        front.serve(reader, writer, stop).await
    }
}

/// An open session's socket. Dropping it shuts it at once.
pub(super) struct Door {
    hall: Arc<Hall>,
    stop: CancellationToken,
    porter: JoinHandle<()>,
    /// Held: the socket and the file go with the door.
    _place: Place,
}

impl Door {
    /// Lets clients in until the door is closed.
    pub(super) fn open(place: Place, listener: UnixListener, hall: Hall) -> Self {
        let (hall, stop) = (Arc::new(hall), CancellationToken::new());
        let porter = Porter {
            listener,
            hall: hall.clone(),
            stop: stop.clone(),
            served: JoinSet::new(),
            peers: Vec::new(),
        };
        let porter = tokio::spawn(async move {
            let (served, peers) = porter.admit().await;
            see_off(served, peers).await;
        });
        Self { hall, stop, porter, _place: place }
    }

    pub(super) fn hall(&self) -> &Hall {
        &self.hall
    }

    /// Cancels what is under way, closes every connection and waits until those behind them are gone.
    pub(super) async fn close(mut self) {
        self.stop.cancel();
        if let Err(error) = (&mut self.porter).await {
            tracing::error!(%error, "a session's connections did not end in order");
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.porter.abort();
    }
}

/// Who stands at the door.
struct Porter {
    listener: UnixListener,
    hall: Arc<Hall>,
    stop: CancellationToken,
    served: JoinSet<()>,
    /// The processes that came in and may still be there.
    peers: Vec<Peer>,
}

impl Porter {
    /// Until the session ends. Gives back who is still inside.
    async fn admit(mut self) -> (JoinSet<()>, Vec<Peer>) {
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => break,
                Some(_) = self.served.join_next() => {}
                connection = self.listener.accept(), if self.served.len() < AT_ONCE => {
                    match connection {
                        Ok((stream, _)) => self.welcome(stream),
                        Err(error) => {
                            tracing::warn!(%error, "a connection to a session could not be taken");
                            sleep(NO_ROOM).await;
                        }
                    }
                }
            }
        }
        (self.served, self.peers)
    }

    fn welcome(&mut self, stream: UnixStream) {
        let peer = match peer_of(&stream) {
            Ok(peer) => peer,
            Err(error) => {
                tracing::warn!(%error, "a connection to a session was refused");
                return;
            }
        };
        self.peers.retain(|peer| !peer.is_gone());
        self.peers.extend(peer);
        self.hall.connected.store(true, Ordering::Relaxed);
        let (hall, stop) = (self.hall.clone(), self.stop.clone());
        self.served.spawn(async move {
            if let Err(error) = hall.serve(stream, stop).await {
                tracing::warn!(%error, "a connection to a session broke");
            }
        });
    }
}

/// The process on the other side, if it is another one. The directory keeps other users out; this does not rely on it.
fn peer_of(stream: &UnixStream) -> io::Result<Option<Peer>> {
    let credentials = stream.peer_cred()?;
    if credentials.uid() != geteuid().as_raw() {
        let reason = format!("it comes from user {}", credentials.uid());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    let pid = credentials.pid().and_then(|pid| u32::try_from(pid).ok());
    Ok(pid.and_then(Peer::of))
}

async fn see_off(mut served: JoinSet<()>, peers: Vec<Peer>) {
    while served.join_next().await.is_some() {}
    let mut leaving: JoinSet<()> = JoinSet::new();
    for peer in peers {
        leaving.spawn(async move { peer.see_off(PATIENCE, GRACE).await });
    }
    while leaving.join_next().await.is_some() {}
}
