//! Scripted models: a server on loopback that answers as the models of the agents do, each in the protocol it is asked in,
//! and remembers what it was offered. No key, no network; it decides nothing and knows no tool.

use std::{
    fmt, io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{net::TcpListener, task::JoinHandle};

mod anthropic;
mod chat;
mod conversation;
mod event;
mod gemini;
mod http;
mod reply;
mod request;
mod responses;
mod sample;
mod scenario;

pub use request::{ModelAnswer, ModelProtocol, ModelRequest, ToolResultSeen};
pub use scenario::{ModelCall, ModelTurn, Scenario, Wanted};

/// What each answer says it cost to read.
pub const INPUT_TOKENS: u64 = 100;
/// What each answer says it cost to write.
pub const OUTPUT_TOKENS: u64 = 10;

/// A client that asks without end is answered, but not remembered without end.
const REMEMBERED: usize = 1000;

/// Hears of each request when its answer is decided, before it is given.
pub type ModelWatcher = Arc<dyn Fn(&ModelRequest) + Send + Sync>;

/// Serves until stopped or dropped.
pub struct ModelServer {
    address: SocketAddr,
    book: Arc<Book>,
    task: JoinHandle<()>,
}

impl ModelServer {
    /// Serves `scenario` on a free port of loopback.
    pub async fn start(scenario: Scenario) -> io::Result<Self> {
        Self::watched(scenario, Arc::new(|_: &ModelRequest| ())).await
    }

    /// The same, with somebody who hears of each request.
    pub async fn watched(scenario: Scenario, watcher: ModelWatcher) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let book = Arc::new(Book { scenario, watcher, requests: Mutex::default() });
        let task = tokio::spawn(http::serve(listener, Arc::clone(&book)));
        Ok(Self { address, book, task })
    }

    /// Where it is, without a path: `http://127.0.0.1:<port>`. Endpoints of the `OpenAI` family are beneath `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked so far, in the order it was answered; the first thousand.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.book.lock().clone()
    }

    /// Ends every connection and waits for the end.
    pub async fn stop(mut self) {
        self.task.abort();
        // It was told to end: that it was cancelled is no news.
        let _cancelled = (&mut self.task).await;
    }
}

impl fmt::Debug for ModelServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelServer").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the server plays, and what it has seen.
struct Book {
    scenario: Scenario,
    watcher: ModelWatcher,
    requests: Mutex<Vec<ModelRequest>>,
}

impl Book {
    fn remember(&self, request: ModelRequest) {
        (self.watcher)(&request);
        let mut requests = self.lock();
        if requests.len() < REMEMBERED {
            requests.push(request);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ModelRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
