//! What the host knows of its commands: which are starting, running or being ended, and who waits for that.

use std::{collections::HashMap, io};

use rustix::io::Errno;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use crate::{
    child::{Child, Exit},
    command::{CommandSpec, Marker},
    error::SpawnError,
    link::Order,
    wire::{Fault, Reply},
};

/// Dropping it tells those who wait for an exit or an ending that there is no guard any more.
pub(super) struct Ledger {
    starting: HashMap<u64, Starting>,
    running: HashMap<u64, oneshot::Sender<Exit>>,
    /// With the time by which the guard must have answered.
    ending: HashMap<u64, (Instant, oneshot::Sender<u32>)>,
    /// For the children to be ended by.
    orders: mpsc::WeakUnboundedSender<Order>,
}

pub(super) struct Starting {
    pub(super) spec: CommandSpec,
    pub(super) marker: Marker,
    pub(super) reply: oneshot::Sender<Result<Child, SpawnError>>,
}

impl Ledger {
    pub(super) fn new(orders: mpsc::WeakUnboundedSender<Order>) -> Self {
        Self { starting: HashMap::new(), running: HashMap::new(), ending: HashMap::new(), orders }
    }

    pub(super) fn start(&mut self, id: u64, starting: Starting) {
        self.starting.insert(id, starting);
    }

    pub(super) fn end(&mut self, ticket: u64, until: Instant, reply: oneshot::Sender<u32>) {
        self.ending.insert(ticket, (until, reply));
    }

    /// When the guard must have reported the next ending.
    pub(super) fn due(&self) -> Option<Instant> {
        self.ending.values().map(|(until, _)| *until).min()
    }

    pub(super) fn note(&mut self, reply: Reply) {
        match reply {
            Reply::Ready { .. } => (),
            Reply::Started { id, pid } => {
                let Some(starting) = self.starting.remove(&id) else { return };
                let (exited, exit) = oneshot::channel();
                self.running.insert(id, exited);
                let child = Child::new(id, pid, starting.marker, exit, self.orders.clone());
                // Nobody waits any more: the child comes back, is dropped, and so killed.
                drop(starting.reply.send(Ok(child)));
            }
            Reply::Failed { id, fault, errno } => {
                let Some(starting) = self.starting.remove(&id) else { return };
                drop(starting.reply.send(Err(refusal(starting.spec, fault, errno))));
            }
            Reply::Exited { id, status } => {
                if let Some(exited) = self.running.remove(&id) {
                    let _: Result<(), Exit> = exited.send(Exit::from_status(status));
                }
            }
            Reply::Ended { ticket, survivors } => {
                if let Some((_, ended)) = self.ending.remove(&ticket) {
                    let _: Result<(), u32> = ended.send(survivors);
                }
            }
        }
    }

    /// Those who still wait for a command to start.
    pub(super) fn into_starting(
        self,
    ) -> impl Iterator<Item = oneshot::Sender<Result<Child, SpawnError>>> {
        self.starting.into_values().map(|starting| starting.reply)
    }
}

fn refusal(spec: CommandSpec, fault: Fault, errno: i32) -> SpawnError {
    let source = io::Error::from_raw_os_error(errno);
    match fault {
        Fault::WorkingDirectory => SpawnError::WorkingDirectory { path: spec.cwd, source },
        Fault::Program if errno == Errno::TOOBIG.raw_os_error() => spec.too_large(),
        Fault::Program => SpawnError::Program { program: spec.program, source },
    }
}
