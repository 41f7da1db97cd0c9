//! What all requests share: settings, ports, open sessions, and the tasks that outlive a request.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    api::Follower,
    guard::Refusals,
    key::ApiKey,
    login::{Codes, Visits},
    mcp::Sessions,
    ports::WebPorts,
    problem::Problem,
};

/// Bytes of request bodies held at once, in KiB: eight of the longest.
const BODIES: usize = 128 * 1024;

/// How the endpoints are guarded and bounded.
#[derive(Debug)]
pub struct WebSettings {
    /// Who has it may do everything.
    pub key: ApiKey,
    /// Values of `Host` that are ours beside those of loopback, with or without a port.
    pub hosts: Vec<String>,
    /// Since when there is this server: codes for the login from before are refused.
    pub begun: SystemTime,
    /// How much is served.
    pub limits: WebLimits,
}

/// How much is served at once, and how long is waited.
#[derive(Debug, Clone, Copy)]
pub struct WebLimits {
    /// Connections at once; for one more, one that has shown no key is closed, or it waits.
    pub connections: usize,
    /// How long a client may take for the head of a request, and may be silent between two.
    pub head_time: Duration,
    /// How long a client may take for the body.
    pub body_time: Duration,
    /// MCP sessions at once.
    pub sessions: usize,
    /// How long a session lives unused.
    pub session_idle: Duration,
    /// Visits to the page at once.
    pub visits: usize,
    /// How long a visitor may be away.
    pub visit_idle: Duration,
    /// Streams at once, of events and of MCP: fewer than connections, so that there is room for other requests.
    pub streams: usize,
    /// How long a client of such a stream may take nothing while there is something for it.
    pub stall_time: Duration,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self {
            connections: 640,
            head_time: Duration::from_secs(15),
            body_time: Duration::from_secs(30),
            sessions: 256,
            session_idle: Duration::from_mins(30),
            visits: 32,
            visit_idle: Duration::from_hours(12),
            streams: 500,
            stall_time: Duration::from_secs(30),
        }
    }
}

/// What all requests share.
pub(crate) struct House {
    pub(crate) settings: WebSettings,
    pub(crate) ports: WebPorts,
    /// The port we listen on.
    pub(crate) port: u16,
    pub(crate) sessions: Sessions,
    /// Codes for the login that were used.
    pub(crate) codes: Codes,
    pub(crate) visits: Visits,
    /// Bytes of bodies that may still be taken in, in KiB.
    pub(crate) bodies: Arc<Semaphore>,
    /// Streams that may still be opened.
    streams: Arc<Semaphore>,
    /// Looks at the log for all of them.
    pub(crate) follower: Arc<Follower>,
    /// What the log was told of those who were turned away.
    pub(crate) refusals: Refusals,
    /// Calls and sessions.
    pub(crate) tasks: TaskTracker,
    /// Fires when serving ends.
    pub(crate) stop: CancellationToken,
}

impl House {
    pub(crate) fn new(
        settings: WebSettings,
        ports: WebPorts,
        port: u16,
        stop: CancellationToken,
    ) -> Self {
        let limits = settings.limits;
        Self {
            sessions: Sessions::new(limits.sessions),
            codes: Codes::new(settings.begun),
            visits: Visits::new(limits.visits, limits.visit_idle),
            streams: Arc::new(Semaphore::new(limits.streams)),
            follower: Arc::default(),
            refusals: Refusals::default(),
            settings,
            ports,
            port,
            bodies: Arc::new(Semaphore::new(BODIES)),
            tasks: TaskTracker::new(),
            stop,
        }
    }

    /// Room for one more stream, for as long as it is held.
    pub(crate) fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        self.streams.clone().try_acquire_owned().map_err(|_| {
            let detail = "no room for another stream: try again later";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "TOO_MANY_STREAMS", detail)
        })
    }
}
