//! The guard process: one thread, one loop, no runtime.
//!
//! One thread, so that nothing races between starting a child and reaping whatever ended. It never touches
//! the output of a command and never ends while the host lives.

mod ending;
mod launch;

pub(crate) use launch::words_of;

use std::{
    collections::{HashMap, VecDeque},
    env, io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    process::ExitCode,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{
        Pid, PidfdFlags, WaitOptions, getpid, getppid, pidfd_open, set_child_subreaper, setsid,
        wait,
    },
};
use signal_hook::{
    consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM},
    low_level::pipe,
};

use crate::{
    socket::{self, Received, Wait},
    wire::{self, GREETING, Launch, Malformed, Reply, Request, Scope},
};
use ending::{Ending, Left};

/// How long what is left may take to end by itself when the host is gone.
const LAST_GRACE: Duration = Duration::from_millis(500);

/// How long a host that is dying may take.
const HOST_END: Duration = Duration::from_secs(5);

/// Serves the host at the other end of standard input until it is gone, then ends every descendant.
///
/// To be called first thing in `main`, before a runtime or a thread exists, when the program was started as
/// its [`GuardCommand`](crate::GuardCommand) says.
#[must_use]
pub fn guard_main() -> ExitCode {
    // There is nobody to tell: the host sees the closed socket, and this process has no other output.
    match Server::start().and_then(Server::serve) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The same, and then `last`. A host that dies closes this socket before it lets go of its locks and files, so its end is
/// waited for; one that lives on and told the guard to end is not.
#[must_use]
pub fn guard_main_then(last: impl FnOnce()) -> ExitCode {
    let host = getppid().and_then(|host| pidfd_open(host, PidfdFlags::empty()).ok());
    let exit = guard_main();
    if let Some(host) =
        host.filter(|_| polled(&io::stdin(), Duration::ZERO).contains(PollFlags::HUP))
    {
        polled(&host, HOST_END);
    }
    last();
    exit
}

/// What there is to hear of a descriptor, within a time.
fn polled(descriptor: &impl AsFd, time: Duration) -> PollFlags {
    let until = Instant::now() + time;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let mut asked = [PollFd::new(descriptor, PollFlags::IN)];
        match poll(&mut asked, Timespec::try_from(left).ok().as_ref()) {
            // Children that end are signals, too.
            Err(Errno::INTR) => {}
            Ok(_) | Err(_) => return asked[0].revents(),
        }
    }
}

struct Server {
    /// The socket, which is standard input.
    host: io::Stdin,
    hearing: Hearing,
    wake: UnixStream,
    inbox: Vec<u8>,
    /// Descriptors that came with a launch whose frame is not complete yet.
    batches: VecDeque<Vec<OwnedFd>>,
    running: HashMap<Pid, u64>,
    endings: Vec<Ending>,
}

/// Whether the host may still ask for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hearing {
    Open,
    Over,
}

impl Server {
    fn start() -> io::Result<Self> {
        match setsid() {
            // Already a session's leader, for instance when started by hand.
            Ok(_) | Err(Errno::PERM) => (),
            Err(error) => return Err(error.into()),
        }
        set_child_subreaper(Some(getpid()))?;
        // No mount is kept busy by a process that lives as long as the host.
        env::set_current_dir("/")?;
        let (wake, signalled) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        // The guard's life hangs on the socket alone: a TERM meant for everybody must not end it before its
        // children. Handlers, unlike "ignore", are not inherited through exec.
        for signal in [SIGCHLD, SIGHUP, SIGINT, SIGTERM] {
            pipe::register(signal, signalled.try_clone()?)?;
        }
        let server = Self {
            host: io::stdin(),
            hearing: Hearing::Open,
            wake,
            inbox: Vec::new(),
            batches: VecDeque::new(),
            running: HashMap::new(),
            endings: Vec::new(),
        };
        server.answer(&Reply::Ready { greeting: GREETING });
        Ok(server)
    }

    fn serve(mut self) -> io::Result<()> {
        loop {
            self.sleep()?;
            self.drain_wake();
            let left = self.reap()?;
            self.advance_endings(left);
            if self.hearing == Hearing::Over && self.endings.is_empty() {
                return Ok(());
            }
            self.hear();
        }
    }

    /// Until the host speaks, a signal comes, or an ending has something to do.
    fn sleep(&self) -> io::Result<()> {
        let due = self.endings.iter().map(Ending::due).min();
        let timeout = due
            .map(|due| Timespec::try_from(due.saturating_duration_since(Instant::now())))
            .transpose()
            .map_err(io::Error::other)?;
        let mut polled =
            [PollFd::new(&self.wake, PollFlags::IN), PollFd::new(&self.host, PollFlags::IN)];
        let polled = match self.hearing {
            Hearing::Open => polled.as_mut_slice(),
            Hearing::Over => &mut polled[..1],
        };
        match poll(polled, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn drain_wake(&self) {
        let mut bytes = [0; 64];
        while io::Read::read(&mut &self.wake, &mut bytes).is_ok_and(|count| count > 0) {}
    }

    /// Takes every child that ended, orphans included, and reports those that were commands.
    fn reap(&mut self) -> io::Result<Left> {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    if let Some(id) = self.running.remove(&pid) {
                        self.answer(&Reply::Exited { id, status: status.as_raw() });
                    }
                }
                Ok(None) => return Ok(Left::Some),
                Err(Errno::CHILD) => return Ok(Left::Nothing),
                Err(Errno::INTR) => (),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn advance_endings(&mut self, left: Left) {
        let now = Instant::now();
        self.endings.iter_mut().for_each(|ending| ending.advance(left, now));
        let done: Vec<Ending> =
            self.endings.extract_if(.., |ending| ending.survivors().is_some()).collect();
        for ending in done {
            if let (Some(ticket), Some(survivors)) = (ending.ticket(), ending.survivors()) {
                self.answer(&Reply::Ended { ticket, survivors });
            }
        }
    }

    fn hear(&mut self) {
        if self.hearing == Hearing::Over {
            return;
        }
        match socket::receive(self.host.as_fd(), &mut self.inbox) {
            Ok(Received::Nothing) => (),
            Ok(Received::Bytes(batch)) => {
                self.batches.extend(batch);
                if self.obey().is_err() {
                    self.lose_host();
                }
            }
            Ok(Received::End) | Err(_) => self.lose_host(),
        }
    }

    fn obey(&mut self) -> Result<(), Malformed> {
        while let Some(frame) = wire::split_frame(&mut self.inbox)? {
            match wire::read_request(&frame)? {
                Request::Launch(launch) => self.launch(launch),
                Request::End { ticket, scope, grace } => self.end(Some(ticket), scope, grace),
            }
        }
        Ok(())
    }

    fn launch(&mut self, launch: Launch) {
        let id = launch.id;
        let descriptors = match launch.given {
            [false, false, false] => Vec::new(),
            _ => self.batches.pop_front().unwrap_or_default(),
        };
        match launch::start(launch, &descriptors) {
            Ok(pid) => {
                self.running.insert(pid, id);
                self.answer(&Reply::Started {
                    id,
                    pid: pid.as_raw_nonzero().get().cast_unsigned(),
                });
            }
            Err((fault, errno)) => self.answer(&Reply::Failed { id, fault, errno }),
        }
    }

    fn end(&mut self, ticket: Option<u64>, scope: Scope, grace: Duration) {
        let root = match &scope {
            Scope::Everything => None,
            Scope::Command { id, .. } => {
                self.running.iter().find(|(_, running)| *running == id).map(|(pid, _)| *pid)
            }
        };
        self.endings.push(Ending::begin(ticket, scope, root, grace));
    }

    fn lose_host(&mut self) {
        self.hearing = Hearing::Over;
        self.end(None, Scope::Everything, LAST_GRACE);
    }

    /// Waits for room. A host that is gone is noticed by the next read; one that only closed its side, because
    /// nobody there needs the guard any more, still hears how the last commands ended.
    fn answer(&self, reply: &Reply) {
        let Some(frame) = wire::reply(reply) else { return };
        let mut rest = frame.as_slice();
        while let Ok(sent @ 1..) = socket::send(self.host.as_fd(), rest, &[], Wait::ForRoom) {
            rest = rest.get(sent..).unwrap_or_default();
            if rest.is_empty() {
                return;
            }
        }
    }
}
