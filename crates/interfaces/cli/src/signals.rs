//! Being told to stop: once is a request, twice is an order.

use awf_core::Code;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::report::CommandError;

/// From now on a file that may not grow any further is an error of the write, as on a full disk, and not the end of the
/// process. Programs we start get the signal as ever.
pub(crate) fn outlive_file_limits() {
    let signal = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
    if let Err(error) = signal {
        tracing::debug!(%error, "a limit on the size of files ends this process");
    }
}

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

/// The first signal ends a server in order: calls are cancelled, children ended, the journal closed.
pub(crate) async fn cancel_on_signal(stop: CancellationToken) {
    let Ok(mut signals) = Signals::listen() else {
        tracing::warn!("signals cannot be watched; the end of stdin ends this server");
        return;
    };
    signals.next().await;
    stop.cancel();
}
