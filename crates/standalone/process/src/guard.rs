//! The host's handle on its guard.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use crate::{
    child::{Child, Grace},
    command::{CommandSpec, Streams},
    error::{EndError, GuardLost, SpawnError},
    link::{Link, Order, end},
    wire::Scope,
};

/// How to execute the host's own binary so that it calls [`guard_main`](crate::guard_main).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardCommand {
    /// Usually `/proc/self/exe`, which is right also when the binary was replaced meanwhile.
    pub program: PathBuf,
    /// What makes `main` call `guard_main`.
    pub args: Vec<OsString>,
}

/// Starts children that cannot outlive this process. Cloning gives another handle on the same guard; when the
/// last one is dropped, everything is ended as by [`Guard::stop`], though nobody waits for it.
///
/// All methods want a tokio runtime with IO and time enabled, the same one for the life of the guard.
#[derive(Debug, Clone)]
pub struct Guard {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    command: GuardCommand,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The guard process, when one was needed.
    link: Option<Link>,
    /// Readers of pipes that background children still hold.
    drains: JoinSet<()>,
}

impl Guard {
    /// Starts nothing; the guard process is started with the first command.
    pub fn new(command: GuardCommand) -> Self {
        Self { shared: Arc::new(Shared { command, state: Mutex::default() }) }
    }

    /// Starts the guard process now, for a host that knows it will need one: the first command then does not wait for it.
    pub fn prepare(&self) -> Result<(), SpawnError> {
        self.orders().map(drop)
    }

    /// Starts a command in a session of its own. Dropping the future kills it, should it have started.
    pub async fn spawn(&self, spec: CommandSpec, streams: Streams) -> Result<Child, SpawnError> {
        spec.check()?;
        let (reply, started) = oneshot::channel();
        // A link that closed between looking and sending is as good as one lost right after.
        self.orders()?.send(Order::Launch { spec, streams, reply }).map_err(|_| GuardLost)?;
        started.await.map_err(|_| GuardLost)?
    }

    /// Ends every process that was started through this guard and all their descendants; returns when they are
    /// gone. The guard stays ready.
    pub async fn sweep(&self, grace: Grace) -> Result<(), EndError> {
        let Some(orders) = self.state().link.as_ref().map(|link| link.orders.clone()) else {
            return Ok(());
        };
        match end(&orders, Scope::Everything, grace).await {
            // Told only after the orphans were ended.
            Err(EndError::GuardLost(_)) => Ok(()),
            other => other,
        }
    }

    /// Sweeps, then ends the guard process too. A command started later gets a new one.
    pub async fn stop(&self, grace: Grace) -> Result<(), EndError> {
        let swept = self.sweep(grace).await;
        let State { link, mut drains } = std::mem::take(&mut *self.state());
        drains.shutdown().await;
        if let Some(Link { orders, task }) = link {
            drop(orders);
            // It panicked or the runtime ends: in both cases its socket is closed, which is what counts.
            drop(task.await);
        }
        swept
    }

    /// Keeps a task for as long as the guard is not stopped.
    pub(crate) fn keep(&self, drain: impl Future<Output = ()> + Send + 'static) {
        let drains = &mut self.state().drains;
        while drains.try_join_next().is_some() {}
        drains.spawn(drain);
    }

    /// The way to the running guard, or to a new one.
    fn orders(&self) -> Result<mpsc::UnboundedSender<Order>, SpawnError> {
        let mut state = self.state();
        match &state.link {
            Some(link) if !link.orders.is_closed() => Ok(link.orders.clone()),
            Some(_) | None => {
                let link = Link::start(&self.shared.command)?;
                Ok(state.link.insert(link).orders.clone())
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
