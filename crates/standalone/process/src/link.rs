//! The host's end of the socket: one task that owns the guard process and all that is known of its children.
//!
//! Owning instead of locking: callers send an [`Order`] and await its reply, so a call dropped half-way leaves
//! nothing behind. A child whose caller has gone is dropped here, and so killed.

mod ledger;

use std::{io, ops::ControlFlow, os::fd::AsFd, time::Duration};

use rustix::net::Shutdown;
use tokio::{
    io::Interest,
    net::UnixStream,
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    child::{Child, Grace, LONGEST_GRACE},
    command::{CommandSpec, Marker, Stream, Streams},
    error::{EndError, GuardLost, SpawnError},
    guard::GuardCommand,
    orphans::GuardProcess,
    outbox::{Flushed, Outbox},
    socket::{self, Received},
    wire::{self, GREETING, Reply, Scope},
};
use ledger::{Ledger, Starting};

/// How long a guard may take to say that it is one. Loading the binary is all it has to do.
const GREETING_TIME: Duration = Duration::from_secs(20);

/// How long a guard may take to report an ending, over the grace. It gives up itself before.
const ENDING_TIME: Duration = Duration::from_secs(10);

/// How soon to try again to send what found no room.
const SEND_AGAIN: Duration = Duration::from_millis(10);

/// What the host asks of the link.
#[derive(Debug)]
pub(crate) enum Order {
    Launch {
        spec: CommandSpec,
        streams: Streams,
        reply: oneshot::Sender<Result<Child, SpawnError>>,
    },
    End {
        scope: Scope,
        grace: Grace,
        reply: oneshot::Sender<u32>,
    },
}

/// A running link. When all senders are gone it closes the socket, which tells the guard to sweep and end.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    pub(crate) task: JoinHandle<()>,
}

impl Link {
    /// Starts a guard and the task that talks to it.
    pub(crate) fn start(command: &GuardCommand) -> Result<Self, SpawnError> {
        let failed = |source| SpawnError::StartGuard { program: command.program.clone(), source };
        let scope = random().map_err(|error| failed(error.into()))?;
        let (process, socket) = GuardProcess::start(command).map_err(failed)?;
        let socket = UnixStream::from_std(socket).map_err(failed)?;
        let (orders, received) = mpsc::unbounded_channel();
        let host = Host {
            command: command.clone(),
            socket,
            scope,
            ledger: Ledger::new(orders.downgrade()),
            next: 0,
            inbox: Vec::new(),
            outbox: Outbox::default(),
            greeting: Greeting::Awaited { until: Instant::now() + GREETING_TIME },
        };
        Ok(Self { orders, task: tokio::spawn(host.run(process, received)) })
    }
}

/// Ends what is in the scope; returns when it is gone.
pub(crate) async fn end(
    orders: &mpsc::UnboundedSender<Order>,
    scope: Scope,
    grace: Grace,
) -> Result<(), EndError> {
    let (reply, ended) = oneshot::channel();
    orders.send(Order::End { scope, grace, reply }).map_err(|_| GuardLost)?;
    match ended.await.map_err(|_| GuardLost)? {
        0 => Ok(()),
        count => Err(EndError::Survivors { count }),
    }
}

struct Host {
    command: GuardCommand,
    socket: UnixStream,
    /// Random part of the markers.
    scope: u64,
    ledger: Ledger,
    /// Number of the next command or ending.
    next: u64,
    inbox: Vec<u8>,
    outbox: Outbox,
    greeting: Greeting,
}

#[derive(Debug, Clone, Copy)]
enum Greeting {
    Awaited { until: Instant },
    Heard,
}

/// Why a conversation is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parting {
    /// The guard closed the socket.
    Gone,
    /// The guard does not answer in time, or not as a guard does.
    Unfit,
}

impl Host {
    async fn run(mut self, mut process: GuardProcess, mut orders: mpsc::UnboundedReceiver<Order>) {
        let parting = self.converse(&mut orders).await;
        // From here on, a new command gets a new guard.
        orders.close();
        if parting == Parting::Unfit || matches!(self.greeting, Greeting::Awaited { .. }) {
            process.kill();
        }
        drop(self.socket);
        process.bury().await;
        // Answered last, so that whoever hears of the loss may rely on the children being gone. The endings and
        // the running ones hear it by losing their senders.
        let queued =
            std::iter::from_fn(|| orders.try_recv().ok()).filter_map(|order| match order {
                Order::Launch { reply, .. } => Some(reply),
                Order::End { .. } => None,
            });
        for reply in self.ledger.into_starting().chain(queued) {
            let error = match self.greeting {
                Greeting::Heard => GuardLost.into(),
                Greeting::Awaited { .. } => SpawnError::StartGuard {
                    program: self.command.program.clone(),
                    source: io::Error::other("what was started did not answer as a guard"),
                },
            };
            drop(reply.send(Err(error)));
        }
    }

    /// Until the guard is gone, or nobody needs it and it has swept.
    async fn converse(&mut self, orders: &mut mpsc::UnboundedReceiver<Order>) -> Parting {
        let mut open = true;
        loop {
            let due = self.due();
            let flow = tokio::select! {
                order = orders.recv(), if open => if let Some(order) = order {
                    self.obey(order)
                } else {
                    open = false;
                    self.close()
                },
                ready = self.socket.readable() => {
                    ready.map_or(ControlFlow::Break(Parting::Gone), |()| self.hear())
                }
                ready = self.socket.writable(), if !self.outbox.is_empty() => {
                    ready.map_or(ControlFlow::Break(Parting::Gone), |()| self.flush())
                }
                // The limit on descriptors in flight is the user's, so its end is no event of this socket.
                () = sleep(SEND_AGAIN), if !self.outbox.is_empty() => self.flush(),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    ControlFlow::Break(Parting::Unfit)
                }
            };
            if let ControlFlow::Break(parting) = flow {
                return parting;
            }
        }
    }

    /// When the guard must have said something.
    fn due(&self) -> Option<Instant> {
        let greeting = match self.greeting {
            Greeting::Awaited { until } => Some(until),
            Greeting::Heard => None,
        };
        self.ledger.due().into_iter().chain(greeting).min()
    }

    fn obey(&mut self, order: Order) -> ControlFlow<Parting> {
        let id = self.next;
        self.next += 1;
        match order {
            Order::Launch { spec, streams, reply } => self.launch(id, spec, streams, reply),
            Order::End { scope, grace, reply } => {
                if let Some(frame) = wire::end(id, &scope, grace.0) {
                    let until = Instant::now() + grace.0.min(LONGEST_GRACE) + ENDING_TIME;
                    self.ledger.end(id, until, reply);
                    self.outbox.push(frame, Vec::new());
                }
            }
        }
        self.flush()
    }

    fn launch(
        &mut self,
        id: u64,
        spec: CommandSpec,
        streams: Streams,
        reply: oneshot::Sender<Result<Child, SpawnError>>,
    ) {
        let marker = Marker::new(self.scope, id);
        let streams = [streams.stdin, streams.stdout, streams.stderr];
        let given = streams.each_ref().map(|stream| matches!(stream, Stream::Descriptor(_)));
        let Some(frame) = wire::launch(id, given, &spec, &marker) else {
            drop(reply.send(Err(spec.too_large())));
            return;
        };
        let descriptors = streams.into_iter().filter_map(|stream| match stream {
            Stream::Null => None,
            Stream::Descriptor(descriptor) => Some(descriptor),
        });
        self.outbox.push(frame, descriptors.collect());
        self.ledger.start(id, Starting { spec, marker, reply });
    }

    fn flush(&mut self) -> ControlFlow<Parting> {
        let flushed = self.socket.try_io(Interest::WRITABLE, || {
            match self.outbox.flush(self.socket.as_fd())? {
                Flushed::All => Ok(()),
                // This is how the runtime learns that the socket is full.
                Flushed::Part => Err(io::ErrorKind::WouldBlock.into()),
            }
        });
        unless_broken(flushed)
    }

    /// Tells the guard that there will be no more orders; it sweeps, still reporting, and ends.
    fn close(&self) -> ControlFlow<Parting> {
        unless_broken(rustix::net::shutdown(&self.socket, Shutdown::Write).map_err(Into::into))
    }

    fn hear(&mut self) -> ControlFlow<Parting> {
        loop {
            let mut heard = Received::Nothing;
            let tried = self.socket.try_io(Interest::READABLE, || {
                heard = socket::receive(self.socket.as_fd(), &mut self.inbox)?;
                match heard {
                    Received::Nothing => Err(io::ErrorKind::WouldBlock.into()),
                    Received::Bytes(_) | Received::End => Ok(()),
                }
            });
            match heard {
                Received::Bytes(_) => self.understand()?,
                Received::Nothing => return unless_broken(tried),
                Received::End => return ControlFlow::Break(Parting::Gone),
            }
        }
    }

    fn understand(&mut self) -> ControlFlow<Parting> {
        loop {
            let reply = match wire::split_frame(&mut self.inbox) {
                Ok(None) => return ControlFlow::Continue(()),
                Ok(Some(frame)) => wire::read_reply(&frame),
                Err(malformed) => Err(malformed),
            };
            match (reply, self.greeting) {
                (Ok(Reply::Ready { greeting: GREETING }), _) => self.greeting = Greeting::Heard,
                (Ok(reply), Greeting::Heard) => self.ledger.note(reply),
                (Ok(_) | Err(_), _) => return ControlFlow::Break(Parting::Unfit),
            }
        }
    }
}

/// Goes on unless the socket has failed; having to wait is no failure.
fn unless_broken(tried: io::Result<()>) -> ControlFlow<Parting> {
    match tried {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(Parting::Gone),
    }
}

fn random() -> rustix::io::Result<u64> {
    let mut bytes = [0; size_of::<u64>()];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(u64::from_ne_bytes(bytes))
}
