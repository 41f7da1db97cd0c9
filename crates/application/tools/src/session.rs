//! The tools of one step: a router of its own behind a private socket, gone with the step.
//!
//! An agent starts its MCP server itself, from a configuration it is given. So the step's router lives here, in the
//! run, and what the agent starts (`awf mcp-serve --config <file>`) only carries bytes between it and the socket.

use std::sync::Arc;

use awf_core::{
    Ceiling, Exposure, OwnToolUse, Reach, StdioAccess, Surface, ToolAccess, ToolCalls,
    ToolProvider, TraceContext,
};

use crate::{
    private_dir::sweep_private_dirs,
    router::{Ports, RouterError, ToolRouter},
    session::{
        door::{Door, Hall},
        place::Place,
        stamp::Stamped,
        tally::Tally,
    },
    surface::IntentSurface,
};

mod door;
mod error;
mod place;
mod request;
mod stamp;
mod subject;
mod tally;

pub use error::{PlaceError, ProxyError};
pub use request::{NoSource, ProxySettings, SessionRequest, ToolSources};
pub use tally::{CallNews, CallWatcher};

/// Opens sessions.
pub struct ToolProxyService {
    settings: ProxySettings,
}

impl ToolProxyService {
    /// Removes what crashed runs left behind; opens nothing.
    pub fn new(settings: ProxySettings) -> Self {
        for dir in &settings.runtime_dirs {
            sweep_private_dirs(dir);
        }
        Self { settings }
    }

    /// Gives a step its router and its socket. Where two names collide, nothing is set up.
    pub async fn open(&self, request: SessionRequest) -> Result<ProxySession, ProxyError> {
        let tally = Arc::new(Tally::new(self.settings.log.clone(), request.watcher.clone()));
        let router = self.router(&request, tally.clone()).await?;
        match self.admit(&request, router.clone()) {
            Ok((access, door)) => Ok(ProxySession { access, router, tally, door }),
            Err(error) => {
                router.close().await;
                Err(error)
            }
        }
    }

    /// The step's router. What it was to lead to is closed where it cannot be built.
    async fn router(
        &self,
        request: &SessionRequest,
        tally: Arc<Tally>,
    ) -> Result<Arc<Stamped>, ProxyError> {
        let unavailable = |NoSource { code, reason }| {
            let step = request.step.clone();
            ProxyError::Sources { step, code, reason }
        };
        let sources = self.settings.sources.open(request).await.map_err(unavailable)?;
        if sources.is_empty() {
            return Err(ProxyError::Empty { step: request.step.clone() });
        }
        let ports = Ports {
            validator: self.settings.validator.clone(),
            log: Some(tally),
            redactor: request.redactor.clone(),
            trace: self.settings.trace,
        };
        match ToolRouter::new(sources.clone(), self.exposure(request), ports).await {
            Ok(router) => Ok(Arc::new(self.stamped(Arc::new(router), request))),
            Err(error) => {
                for source in sources {
                    source.close().await;
                }
                Err(match error {
                    RouterError::Collision(collision) => collision.into(),
                    RouterError::List(failure) => unavailable(failure.to_string().into()),
                })
            }
        }
    }

    fn exposure(&self, request: &SessionRequest) -> Exposure {
        let bound = self.settings.exposure;
        let allowed = request.allow.unwrap_or(bound.ceiling.0).min(bound.ceiling.0);
        let naming = request.surface.naming();
        Exposure { ceiling: Ceiling(allowed), naming, ..bound }
    }

    /// The router the way the step asked for it.
    fn stamped(&self, router: Arc<ToolRouter>, request: &SessionRequest) -> Stamped {
        let surface: Arc<dyn ToolProvider> = match request.surface {
            Surface::Direct => router.clone(),
            Surface::Intent => Arc::new(IntentSurface::new(router.clone(), self.settings.policy)),
        };
        Stamped::new(router, surface, request)
    }

    /// The way in: the socket, the file that names it, the command that reads the file.
    fn admit(
        &self,
        request: &SessionRequest,
        router: Arc<Stamped>,
    ) -> Result<(StdioAccess, Door), ProxyError> {
        let (place, listener) = Place::make(&self.settings.runtime_dirs, request)?;
        let access = StdioAccess {
            command: self.settings.program.clone(),
            args: vec!["mcp-serve".into(), "--config".into(), place.config().into()],
            env: Vec::new(),
            reach: reach(request),
        };
        Ok((access, Door::open(place, listener, Hall::new(router, request.trace.clone()))))
    }
}

fn reach(request: &SessionRequest) -> Reach {
    if request.proxy.intercept_builtins { Reach::Exclusive } else { Reach::Additive }
}

/// The tools of one step, offered until it is closed. Dropping it ends it too, but waits for nobody.
pub struct ProxySession {
    access: StdioAccess,
    router: Arc<Stamped>,
    tally: Arc<Tally>,
    door: Door,
}

impl ProxySession {
    /// How an agent that starts MCP servers reaches the tools.
    pub fn access(&self) -> ToolAccess {
        ToolAccess::Stdio(self.access.clone())
    }

    /// Whether there may be other tools.
    pub fn reach(&self) -> Reach {
        self.access.reach
    }

    /// The tools themselves, for an agent in this process: the same router, the same records.
    pub fn router(&self) -> Arc<dyn ToolProvider> {
        self.router.clone()
    }

    /// From now on calls are brought about by this turn of the agent.
    pub fn caused_by(&self, turn: Option<TraceContext>) {
        self.router.caused_by(turn);
    }

    /// Puts on record that `agent` used a tool of its own, past this session.
    pub async fn bypassed(&self, agent: &str, seen: OwnToolUse) {
        self.router.bypassed(agent, seen).await;
    }

    /// Calls so far.
    pub fn calls(&self) -> ToolCalls {
        self.tally.calls()
    }

    /// Whether anyone has come in by the socket.
    pub fn connected(&self) -> bool {
        self.door.hall().connected()
    }

    /// How often those who came in asked which tools there are.
    pub fn listed(&self) -> u64 {
        self.door.hall().listed()
    }

    /// Ends it: calls are cancelled, connections closed, relays seen off, what the tools started ended, and no file is
    /// left.
    pub async fn close(self) {
        let Self { access: _, router, tally: _, door } = self;
        door.close().await;
        router.close().await;
    }
}
