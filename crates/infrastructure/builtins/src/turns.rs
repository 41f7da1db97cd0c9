//! A bound on how many calls do the same kind of work at once; the others wait their turn.

use awf_core::ToolFailure;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

/// So many turns at once.
#[derive(Debug)]
pub(crate) struct Turns(Semaphore);

impl Turns {
    pub(crate) fn new(at_once: usize) -> Self {
        Self(Semaphore::new(at_once))
    }

    /// Waits for a turn; it ends when the permit is dropped.
    pub(crate) async fn turn(
        &self,
        cancel: &CancellationToken,
    ) -> Result<SemaphorePermit<'_>, ToolFailure> {
        let closed = |_| ToolFailure::Unavailable("the session is closed".to_owned());
        tokio::select! {
            () = cancel.cancelled() => Err(ToolFailure::Cancelled),
            turn = self.0.acquire() => turn.map_err(closed),
        }
    }
}
