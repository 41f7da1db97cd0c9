//! A process that somebody else started and that should go when its work is done: a client at a socket of ours.

use std::{os::fd::OwnedFd, sync::Arc, time::Duration};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::retry_on_intr,
    process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal},
};

use crate::child::{Grace, LONGEST_GRACE};

/// How long a killed process may take to disappear.
const LAST: Duration = Duration::from_secs(1);

/// Another process, pinned: its id may be used again, this handle never means anyone else.
#[derive(Debug)]
pub struct Peer {
    /// Becomes readable when the process ends.
    descriptor: Arc<OwnedFd>,
}

impl Peer {
    /// The process of that id; `None` when it is gone, when it is this process, or when the system cannot pin it.
    pub fn of(pid: u32) -> Option<Self> {
        let pid = Pid::from_raw(i32::try_from(pid).ok()?).filter(|pid| *pid != getpid())?;
        let descriptor = pidfd_open(pid, PidfdFlags::empty()).ok()?;
        Some(Self { descriptor: Arc::new(descriptor) })
    }

    /// Whether it has ended.
    pub fn is_gone(&self) -> bool {
        ends_within(&self.descriptor, Duration::ZERO)
    }

    /// Waits for it to end by itself, then asks it to (TERM), then kills it. Returns when it is gone, or when even that
    /// did not help: a process of another user, or one stuck in the kernel. Wants a tokio runtime.
    pub async fn see_off(&self, patience: Duration, grace: Grace) {
        let steps = [(patience, Some(Signal::TERM)), (grace.0, Some(Signal::KILL)), (LAST, None)];
        for (wait, next) in steps {
            let descriptor = self.descriptor.clone();
            let waited = tokio::task::spawn_blocking(move || ends_within(&descriptor, wait)).await;
            // No thread to wait on means that the runtime ends, and this with it.
            if waited.unwrap_or(true) {
                return;
            }
            if let Some(signal) = next {
                // Gone meanwhile, or not ours to signal: either way the next wait tells.
                pidfd_send_signal(&self.descriptor, signal).ok();
            }
        }
    }
}

fn ends_within(descriptor: &OwnedFd, wait: Duration) -> bool {
    let wait = Timespec::try_from(wait.min(LONGEST_GRACE)).unwrap_or_default();
    let mut watched = [PollFd::new(descriptor, PollFlags::IN)];
    retry_on_intr(|| poll(&mut watched, Some(&wait))).is_ok_and(|ready| ready > 0)
}
