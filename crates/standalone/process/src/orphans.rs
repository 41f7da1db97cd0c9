//! Guard processes as the host knows them, and what a guard leaves behind when it dies.

use std::{
    collections::HashSet,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Child, Command, Stdio},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid},
};
use tokio::time::sleep;

use crate::{
    guard::GuardCommand,
    tree::{self, Process, Tree},
};

/// How long killed orphans may take to disappear.
const BURIAL: Duration = Duration::from_secs(3);

const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// Every guard this process has running. They are its children as orphans are, and a sweep must tell them
/// apart; so a guard is started, and orphans are killed, under this lock.
static GUARDS: LazyLock<Mutex<HashSet<Pid>>> = LazyLock::new(Mutex::default);

fn guards() -> MutexGuard<'static, HashSet<Pid>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running guard process.
pub(crate) struct GuardProcess {
    child: Child,
    pid: Pid,
    /// Its start time: whatever it left is younger.
    started: u64,
}

impl GuardProcess {
    /// Starts the guard; the socket is the host's end.
    #[expect(clippy::disallowed_methods, reason = "the guard is the one child that has no guard")]
    pub(crate) fn start(command: &GuardCommand) -> io::Result<(Self, UnixStream)> {
        let (socket, guard_end) = UnixStream::pair()?;
        socket.set_nonblocking(true)?;
        let mut guards = guards();
        set_child_subreaper(Some(getpid()))?;
        let child = Command::new(&command.program)
            .args(&command.args)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(guard_end)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let pid = Pid::from_child(&child);
        let started = Process::read(pid).map_or(0, |process| process.started);
        guards.insert(pid);
        Ok((Self { child, pid, started }, socket))
    }

    /// Ends a guard that does not answer, or a program that turned out to be none.
    pub(crate) fn kill(&mut self) {
        // Failing means it has ended already.
        drop(self.child.kill());
    }

    /// Waits for the guard to end, then ends whatever it left. The socket must be closed. A dying guard closes
    /// its end of it before its children become this process's: therefore the wait, which is short.
    pub(crate) async fn bury(mut self) {
        let deadline = Instant::now() + BURIAL;
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => sleep(LOOK_AGAIN).await,
                Ok(status) => break status,
                Err(_) => break None,
            }
        };
        if status.is_some_and(|status| status.success()) {
            // It has swept by itself.
            return;
        }
        while self.kill_orphans() > 0 && Instant::now() < deadline {
            sleep(LOOK_AGAIN).await;
        }
    }

    fn kill_orphans(&mut self) -> usize {
        let guards = guards();
        let own_session = Process::read(getpid()).map_or(0, |own| own.session);
        let found = tree::kill(|tree: &Tree| {
            tree.below(tree.children(getpid()).filter(|child| {
                // Each command has its own session and none can enter ours.
                child.session != own_session
                    && child.started >= self.started
                    && !guards.contains(&child.pid)
            }))
        });
        for process in &found {
            // Those that are not (yet) our own children give an error, which is as good as "not yet".
            let _: Result<_, Errno> = waitpid(Some(process.pid), WaitOptions::NOHANG);
        }
        found.len()
    }
}

impl Drop for GuardProcess {
    fn drop(&mut self) {
        let mut guards = guards();
        // One that has not ended stays listed: its socket is closed by now, so it will, and as nobody reaps it,
        // its id is not used again.
        if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
            guards.remove(&self.pid);
        }
    }
}
