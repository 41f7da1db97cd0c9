//! Asks one server for its list whenever there is reason to: it told of a change, or somebody needs a newer one.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use awf_mcp::{Client, ClientError};
use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout},
};

use crate::{
    connection::{Life, News},
    pins::PinError,
    snapshot::{Mark, Snapshots},
};

/// Between two lists, at least and at most: a server that tells of changes without end gets half of our time.
const BREATH: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

/// How a list was asked for, for those who wait for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempt {
    /// How many there were.
    pub(crate) count: u64,
    pub(crate) outcome: Outcome,
}

/// What came of the last attempt.
#[derive(Clone, Debug, Default)]
pub(crate) enum Outcome {
    /// A list.
    #[default]
    Listed,
    /// None, and who knows what it would have said.
    Failed,
    /// A list that cannot be judged. Nothing may be called by the one before it: who knows what the pins say.
    Unjudged(Arc<str>),
}

/// Why there is no new list.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Pins(#[from] PinError),
    #[error("its list could not be looked at")]
    Lost,
}

/// One connection's lister.
pub(crate) struct Lister {
    pub(crate) client: Weak<Client>,
    pub(crate) connection: u64,
    pub(crate) life: Arc<Life>,
    pub(crate) news: Arc<News>,
    pub(crate) snapshots: Arc<Snapshots>,
    pub(crate) limit: Duration,
}

impl Lister {
    /// Until the connection is over.
    pub(crate) async fn run(self, attempts: watch::Sender<Attempt>) {
        let over = self.life.over.clone();
        over.run_until_cancelled(async {
            loop {
                self.news.wish.notified().await;
                let begun = Instant::now();
                let outcome = self.attempt().await;
                attempts.send_modify(|attempt| {
                    *attempt = Attempt { count: attempt.count + 1, outcome };
                });
                sleep(begun.elapsed().clamp(BREATH.0, BREATH.1)).await;
            }
        })
        .await;
    }

    async fn attempt(&self) -> Outcome {
        // Whoever closes the connection takes the client away.
        let Some(client) = self.client.upgrade() else { return Outcome::Failed };
        let idle = !self.life.is_in_use();
        match timeout(self.limit, self.list(&client)).await {
            Ok(Ok(())) => Outcome::Listed,
            Ok(Err(ListError::Pins(error))) => Outcome::Unjudged(Arc::from(error.to_string())),
            Ok(Err(error @ (ListError::Client(_) | ListError::Lost))) => {
                tracing::debug!(%error, "a list of tools did not come");
                Outcome::Failed
            }
            Err(_) if idle && !self.life.is_in_use() => {
                // Nothing keeps it busy, and it does not answer: it is started anew when it is next needed.
                self.life.over.cancel();
                Outcome::Failed
            }
            Err(_) => Outcome::Failed,
        }
    }

    /// Asks for the list and keeps it.
    pub(crate) async fn list(&self, client: &Client) -> Result<(), ListError> {
        let (connection, heard) = (self.connection, self.news.changes());
        let mark = Mark { connection, heard, asked: Instant::now() };
        let listed = client.list_tools().await?;
        let snapshots = self.snapshots.clone();
        let taken = tokio::task::spawn_blocking(move || snapshots.take(listed, mark));
        Ok(taken.await.map_err(|_| ListError::Lost)??)
    }
}
