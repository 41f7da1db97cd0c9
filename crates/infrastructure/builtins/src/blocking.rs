//! Disk and CPU work off the async threads, told to stop as soon as nobody waits for it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use awf_core::ToolFailure;
use tokio_util::sync::CancellationToken;

/// Set when nobody waits for the work any more. Cheaper to ask than a token: asked once per file and per block read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets the flag when the call's future ends, in whatever way.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` on a blocking thread; a cancelled call does not wait for it.
pub(crate) async fn run<T: Send + 'static>(
    tool: &'static str,
    cancel: &CancellationToken,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> Result<T, ToolFailure> {
    let stop = Stop::default();
    let _guard = StopOnDrop(stop.clone());
    tokio::select! {
        () = cancel.cancelled() => Err(ToolFailure::Cancelled),
        done = tokio::task::spawn_blocking(move || work(&stop)) => done
            .map_err(|error| ToolFailure::Internal { tool: tool.to_owned(), message: error.to_string() }),
    }
}

/// As [`run`], for work that must not be left half seen: the answer is awaited even after a cancellation.
pub(crate) async fn run_to_end<T: Send + 'static>(
    tool: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolFailure> {
    tokio::task::spawn_blocking(work).await.map_err(|error| ToolFailure::Internal {
        tool: tool.to_owned(),
        message: error.to_string(),
    })
}

#[cfg(test)]
mod tests;
