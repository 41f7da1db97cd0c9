//! Nothing xtask starts may hang it.

use std::{
    process::Child,
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use anyhow::Result;
use rustix::process::{Pid, Signal, kill_process};

/// Kills a child that takes too long, so that the run fails instead of waiting for ever. Leaves when dropped, which
/// must be after the child was waited for: until then its number is not given to another process.
pub(crate) struct Watchdog(
    #[expect(dead_code, reason = "held so that its drop is seen")] Sender<()>,
);

impl Watchdog {
    pub(crate) fn on(child: &Child, patience: Duration) -> Result<Self> {
        let pid = Pid::from_child(child);
        let (leash, held) = mpsc::channel();
        thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            if held.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                eprintln!("a program took longer than {patience:?} and is killed");
                // It may have ended meanwhile; then there is nothing to kill.
                kill_process(pid, Signal::KILL).ok();
            }
        })?;
        Ok(Self(leash))
    }
}
