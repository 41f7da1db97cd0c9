//! One client and its server: what was asked and waits for an answer, and who listens to news.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use awf_mcp::{Message, RequestId, RpcError};
use awf_tools::McpFront;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    house::House,
    mcp::{parts::Parts, pump, reply::Fault},
    ports::View,
    problem::Problem,
};

/// Reports of progress, or news, that may wait for a client to read; more are dropped.
const SLOTS: usize = 64;

/// What goes to the server.
pub(super) enum Feed {
    Line(Vec<u8>),
    Withdrawn(RequestId),
}

/// A client's session, or a modern request that stands for itself.
pub(crate) struct Session {
    pub(super) view: View,
    feed: mpsc::UnboundedSender<Feed>,
    book: Mutex<Book>,
    pub(super) stop: CancellationToken,
}

struct Book {
    waiting: Vec<Waiting>,
    news: News,
    used: Instant,
}

struct Waiting {
    id: RequestId,
    token: Option<String>,
    answer: oneshot::Sender<String>,
    progress: mpsc::Sender<String>,
}

enum News {
    /// Nobody listens; the last few are kept.
    Kept(VecDeque<String>),
    Heard(mpsc::Sender<String>),
}

impl Session {
    /// Starts a server for one client. It ends with the guard, unless that is disarmed.
    pub(super) async fn open(
        house: &Arc<House>,
        view: View,
    ) -> Result<(Arc<Self>, DropGuard), Problem> {
        let gate = house.ports.views.view(&view).await?;
        let front = McpFront::new(gate, house.ports.trace.clone()).await.map_err(|error| {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", error.to_string())
        })?;
        let (feed, fed) = mpsc::unbounded_channel();
        let book =
            Book { waiting: Vec::new(), news: News::Kept(VecDeque::new()), used: Instant::now() };
        let stop = house.stop.child_token();
        let session = Arc::new(Self { view, feed, book: Mutex::new(book), stop: stop.clone() });
        let idle = house.settings.limits.session_idle;
        house.tasks.spawn(pump::run(front, session.clone(), fed, idle));
        Ok((session, stop.drop_guard()))
    }

    /// Sends a request to the server.
    pub(super) fn ask(self: &Arc<Self>, parts: Parts) -> Result<Asked, Fault> {
        let (answer, answered) = oneshot::channel();
        let (progress, reported) = mpsc::channel(SLOTS);
        let mut book = self.book();
        if book.waiting.iter().any(|waiting| waiting.id == parts.id) {
            let error = RpcError::invalid_request("Invalid request: the id is in use");
            return Err(Fault::rpc(StatusCode::BAD_REQUEST, Some(&parts.id), &error));
        }
        let (id, token) = (parts.id.clone(), parts.token);
        let reports = token.is_some();
        book.used = Instant::now();
        book.waiting.push(Waiting { id, token, answer, progress });
        // A server that is gone answers nothing, and that is told when the answer is waited for.
        self.feed.send(Feed::Line(parts.line)).ok();
        let withdrawal = Withdrawal { session: self.clone(), id: parts.id };
        Ok(Asked { answered, reported, reports, _withdrawal: withdrawal, _guard: None })
    }

    /// Passes on a notification, as far as the server listens to any.
    pub(super) fn tell(&self, method: &str, params: Option<&RawValue>) {
        match method {
            "notifications/cancelled" => {
                if let Some(id) = params.and_then(cancelled) {
                    self.withdraw(&id);
                }
            }
            "notifications/initialized" => {
                let line = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
                self.feed.send(Feed::Line([line.as_slice(), b"\n"].concat())).ok();
            }
            _ => {}
        }
    }

    /// The news from now on, and the last few before; `None` if somebody listens already.
    pub(super) fn listen(&self) -> Option<mpsc::Receiver<String>> {
        let mut book = self.book();
        let (heard, news) = mpsc::channel(SLOTS);
        match &mut book.news {
            News::Heard(before) if !before.is_closed() => return None,
            News::Heard(_) => {}
            News::Kept(kept) => {
                for line in kept.drain(..) {
                    heard.try_send(line).ok();
                }
            }
        }
        book.news = News::Heard(heard);
        Some(news)
    }

    /// Takes a line of the server to whom it is for.
    pub(super) fn deliver(&self, line: Vec<u8>) {
        let Ok(line) = String::from_utf8(line) else { return };
        let mut book = self.book();
        match Message::read(line.as_bytes()) {
            Ok(Message::Response { id: Some(id), .. }) => {
                let at = book.waiting.iter().position(|waiting| waiting.id == id);
                if let Some(waiting) = at.map(|at| book.waiting.swap_remove(at)) {
                    book.used = Instant::now();
                    waiting.answer.send(line).ok();
                }
            }
            Ok(Message::Notification { method, params }) if method == "notifications/progress" => {
                let token = params.and_then(token);
                let waiting = book.waiting.iter().find(|waiting| waiting.token == token);
                if let Some(waiting) = waiting.filter(|_| token.is_some()) {
                    waiting.progress.try_send(line).ok();
                }
            }
            Ok(Message::Notification { .. }) => book.news.tell(line),
            Ok(Message::Request { .. } | Message::Response { id: None, .. }) | Err(_) => {}
        }
    }

    /// Forgets who waits: there will be no more answers.
    pub(super) fn end(&self) {
        self.stop.cancel();
        let mut book = self.book();
        book.waiting.clear();
        book.news = News::Kept(VecDeque::new());
    }

    pub(super) fn is_over(&self) -> bool {
        self.stop.is_cancelled()
    }

    pub(super) fn touch(&self) {
        self.book().used = Instant::now();
    }

    /// How long nobody has used it; `None` while somebody waits or listens.
    pub(super) fn unused(&self) -> Option<Duration> {
        let book = self.book();
        let heard = matches!(&book.news, News::Heard(heard) if !heard.is_closed());
        (book.waiting.is_empty() && !heard).then(|| book.used.elapsed())
    }

    /// Nobody waits for `id` any more.
    fn withdraw(&self, id: &RequestId) {
        let mut book = self.book();
        if let Some(at) = book.waiting.iter().position(|waiting| waiting.id == *id) {
            book.waiting.swap_remove(at);
            self.feed.send(Feed::Withdrawn(id.clone())).ok();
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl News {
    fn tell(&mut self, line: String) {
        match self {
            Self::Heard(heard) if !heard.is_closed() => {
                heard.try_send(line).ok();
            }
            Self::Heard(_) => *self = Self::Kept(VecDeque::from([line])),
            Self::Kept(kept) => {
                if kept.len() == SLOTS {
                    kept.pop_front();
                }
                kept.push_back(line);
            }
        }
    }
}

/// A request that was sent. Dropped before its answer, it is withdrawn.
pub(super) struct Asked {
    answered: oneshot::Receiver<String>,
    reported: mpsc::Receiver<String>,
    reports: bool,
    _withdrawal: Withdrawal,
    _guard: Option<DropGuard>,
}

/// What comes back.
pub(super) enum Word {
    Progress(String),
    Answer(String),
    /// It was withdrawn, or its server is gone.
    None,
}

impl Asked {
    /// The same, with what must live as long.
    pub(super) fn holding(self, guard: DropGuard) -> Self {
        Self { _guard: Some(guard), ..self }
    }

    /// Whether it asked to be told of progress.
    pub(super) fn reports(&self) -> bool {
        self.reports
    }

    pub(super) async fn answer(&mut self) -> Option<String> {
        (&mut self.answered).await.ok()
    }

    /// Progress first: what a call reported came before its answer.
    pub(super) async fn next(&mut self) -> Word {
        tokio::select! {
            biased;
            Some(line) = self.reported.recv() => Word::Progress(line),
            answer = &mut self.answered => answer.map_or(Word::None, Word::Answer),
        }
    }
}

struct Withdrawal {
    session: Arc<Session>,
    id: RequestId,
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        self.session.withdraw(&self.id);
    }
}

fn cancelled(params: &RawValue) -> Option<RequestId> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Cancelled<'a> {
        #[serde(borrow)]
        request_id: &'a RawValue,
    }
    let cancelled: Cancelled<'_> = serde_json::from_str(params.get()).ok()?;
    RequestId::parse(cancelled.request_id)
}

fn token(params: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Progress<'a> {
        #[serde(borrow)]
        progress_token: &'a RawValue,
    }
    let progress: Progress<'_> = serde_json::from_str(params.get()).ok()?;
    Some(progress.progress_token.get().to_owned())
}
