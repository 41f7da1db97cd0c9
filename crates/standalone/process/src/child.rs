//! A started command, as the host holds it.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus, time::Duration};

use tokio::sync::{mpsc, oneshot};

use crate::{
    command::Marker,
    error::{EndError, GuardLost},
    link::{Order, end},
    wire::Scope,
};

/// A grace beyond any sense is cut to this.
pub(crate) const LONGEST_GRACE: Duration = Duration::from_hours(24);

/// How long a process that was asked to end (TERM) may take before it is killed; at most a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grace(pub Duration);

impl Grace {
    /// Killed unasked.
    pub const NONE: Self = Self(Duration::ZERO);
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// From the status word of wait(2).
    pub(crate) fn from_status(status: i32) -> Self {
        let status = ExitStatus::from_raw(status);
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or_default()),
        }
    }
}

/// A running command. Dropping it while it runs kills it and all it started; see [`Child::detach`].
#[derive(Debug)]
pub struct Child {
    id: u64,
    pid: u32,
    marker: Marker,
    state: State,
    orders: mpsc::WeakUnboundedSender<Order>,
}

#[derive(Debug)]
enum State {
    Running(oneshot::Receiver<Exit>),
    Ended(Result<Exit, GuardLost>),
    /// Nobody waits, and dropping the handle means nothing.
    Detached,
}

impl Child {
    pub(crate) fn new(
        id: u64,
        pid: u32,
        marker: Marker,
        exit: oneshot::Receiver<Exit>,
        orders: mpsc::WeakUnboundedSender<Order>,
    ) -> Self {
        Self { id, pid, marker, state: State::Running(exit), orders }
    }

    /// Its process id, which is also the number of its session and group. For display: the process may have
    /// ended, and the number may be in use again.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Until it has ended. What it left in the background goes on. May be dropped and called again.
    pub async fn wait(&mut self) -> Result<Exit, GuardLost> {
        match &mut self.state {
            State::Running(exit) => {
                let ended = exit.await.map_err(|_| GuardLost);
                self.state = State::Ended(ended);
                ended
            }
            State::Ended(ended) => *ended,
            State::Detached => Err(GuardLost),
        }
    }

    /// Ends the command and everything it started: its session, its descendants, and the orphans that carry
    /// its marker, also when it has ended itself before. Returns when they are gone.
    pub async fn kill(&self, grace: Grace) -> Result<(), EndError> {
        let orders = self.orders.upgrade().ok_or(GuardLost)?;
        end(&orders, self.scope(), grace).await
    }

    /// Lets it run until the guard sweeps.
    pub fn detach(mut self) {
        self.state = State::Detached;
    }

    fn scope(&self) -> Scope {
        Scope::Command { id: self.id, marker: self.marker.clone() }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let State::Running(exit) = &mut self.state else { return };
        if exit.try_recv() == Err(oneshot::error::TryRecvError::Empty)
            && let Some(orders) = self.orders.upgrade()
        {
            let (reply, _) = oneshot::channel();
            // A link that is closed has ended its children already.
            drop(orders.send(Order::End { scope: self.scope(), grace: Grace::NONE, reply }));
        }
    }
}
