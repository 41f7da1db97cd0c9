//! Waiting for what may take too long: it is told to stop, given a little time, then left.

use std::{pin::pin, time::Duration};

use awf_core::{Code, StepError};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How long something that was told to stop may take; more is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How something ended.
pub(super) enum Ended<T> {
    /// By itself.
    ByItself(T),
    /// Its time was up.
    Late(StepError),
    /// It was not wanted any more.
    Cancelled,
}

/// Waits for `work`, which stops when `cancel` fires.
pub(super) async fn within<T>(
    limit: Option<Duration>,
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> Ended<T> {
    let mut work = pin!(work);
    let end = tokio::select! {
        biased;
        answer = &mut work => return Ended::ByItself(answer),
        () = cancel.cancelled() => Ended::Cancelled,
        () = sleep(limit.unwrap_or(Duration::MAX)) => {
            let message = format!("did not end within {:?}", limit.unwrap_or_default());
            Ended::Late(StepError { code: Code::CommandTimeout, message })
        }
    };
    cancel.cancel();
    // What it answers now is too late; that it has stopped is what counts.
    drop(timeout(PATIENCE, work).await);
    end
}

#[cfg(test)]
mod tests;
