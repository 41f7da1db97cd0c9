//! Being told to stop: once is a request, twice is an order.

use awf_core::Code;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::report::CommandError;

/// The signals that ask a command to end.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    /// From now on they no longer end the process by themselves.
    pub(crate) fn listen() -> Result<Self, CommandError> {
        let listen = |kind| {
            signal(kind).map_err(|error| {
                let message = format!("cannot listen for signals: {error}");
                CommandError::of(Code::InternalUnmapped, message)
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: listen(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}
