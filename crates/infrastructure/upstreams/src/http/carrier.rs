//! Carries lines to the server and its answers back, until the client leaves or the server has forgotten it.

use std::{future, pin::pin, time::Duration};

use awf_core::shown;
use awf_mcp::{MAX_LINE, RequestId};
use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{AbortHandle, Abortable, BoxFuture},
    stream::FuturesUnordered,
};
use reqwest::{Response, StatusCode, header::CONTENT_TYPE};
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
        split,
    },
    sync::mpsc,
    time::{sleep, timeout},
};

use crate::http::{
    events::Events,
    line::{self, Line},
    remote::{Remote, cause},
};

/// Requests under way at once.
const MOST: usize = 256;
/// Lines that may wait for the client to read them.
const SLOTS: usize = 16;
/// How long the server may take for what it need not answer.
const TOLD: Duration = Duration::from_secs(30);
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// How long to wait before news is asked for again; doubled each time, up to the second.
const AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));
/// Characters of an error that are shown.
const LONGEST_ERROR: usize = 300;
/// Bytes of it that are read: more than that, so that a secret across the cut is still recognised.
const READ_ERROR: usize = 8 * 1024;

/// How carrying a line, or listening, ended.
enum End {
    Done,
    /// The server does not know the session any more.
    Forgotten,
}

pub(super) async fn carry(stream: DuplexStream, remote: Remote) {
    let (reader, writer) = split(stream);
    let (back, lines) = mpsc::channel(SLOTS);
    let mut giving = pin!(give_back(writer, lines));
    tokio::select! {
        // What is on its way back when the session ends still arrives.
        () = forward(reader, &remote, back) => { timeout(GOODBYE, giving.as_mut()).await.ok(); }
        () = giving.as_mut() => {}
    }
    timeout(GOODBYE, remote.leave()).await.ok();
}

async fn give_back(mut writer: WriteHalf<DuplexStream>, mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if writer.write_all(&line).await.is_err() {
            return;
        }
    }
}

/// Posts each line, beside each other, but for the last word of the handshake: what follows it must come after it.
async fn forward(reader: ReadHalf<DuplexStream>, remote: &Remote, back: mpsc::Sender<Vec<u8>>) {
    let mut lines = BufReader::new(reader).split(b'\n');
    let mut under_way = UnderWay::default();
    let mut news: BoxFuture<'_, End> = future::pending().boxed();
    loop {
        let line = tokio::select! {
            ended = under_way.next() => match ended {
                End::Forgotten => return,
                End::Done => continue,
            },
            ended = &mut news => match ended {
                End::Forgotten => return,
                End::Done => { news = future::pending().boxed(); continue }
            },
            line = lines.next_segment(), if under_way.posts.len() < MOST => line,
        };
        let Ok(Some(bytes)) = line else { return };
        let Some(line) = Line::read(bytes) else { continue };
        if let Some(id) = &line.withdrawn {
            under_way.withdraw(id);
            if !remote.is_legacy() {
                continue;
            }
        }
        match (line.id.clone(), line.method.as_str()) {
            (Some(id), _) => under_way.begin(Some(id), ask(line, remote, back.clone())),
            (None, "notifications/initialized") => {
                if let End::Forgotten = tell(line, remote).await {
                    return;
                }
                news = listen(remote, back.clone()).boxed();
            }
            (None, _) => under_way.begin(None, tell(line, remote)),
        }
    }
}

/// What was posted and has not come to an end.
#[derive(Default)]
struct UnderWay<'r> {
    posts: FuturesUnordered<BoxFuture<'r, (Option<RequestId>, End)>>,
    handles: Vec<(RequestId, AbortHandle)>,
}

impl<'r> UnderWay<'r> {
    fn begin(&mut self, id: Option<RequestId>, post: impl Future<Output = End> + Send + 'r) {
        let (handle, registration) = AbortHandle::new_pair();
        self.handles.extend(id.clone().map(|id| (id, handle)));
        let post = Abortable::new(post, registration);
        self.posts.push(post.map(|ended| (id, ended.unwrap_or(End::Done))).boxed());
    }

    /// Leaving is how a request is withdrawn; a legacy server is told as well.
    fn withdraw(&mut self, id: &RequestId) {
        let found = self.handles.iter().find(|(asked, _)| asked == id);
        found.inspect(|(_, handle)| handle.abort());
    }

    /// Waits for the next end, for ever if there is none to come.
    async fn next(&mut self) -> End {
        let Some((id, ended)) = self.posts.next().await else { return future::pending().await };
        self.handles.retain(|(asked, _)| Some(asked) != id.as_ref());
        ended
    }
}

/// Posts what wants no answer.
async fn tell(line: Line, remote: &Remote) -> End {
    let sent = timeout(TOLD, remote.post(&line)).await;
    let reason = match sent {
        Ok(Ok(response)) if is_forgotten(&response, remote) => return End::Forgotten,
        Ok(Ok(response)) if response.status().is_success() => return End::Done,
        Ok(Ok(response)) => response.status().to_string(),
        Ok(Err(reason)) => reason,
        Err(_) => "it took too long".to_owned(),
    };
    tracing::debug!(method = line.method, reason, "a notification was not taken");
    End::Done
}

/// Posts a request and passes on what comes back for it. Whatever happens, the client gets an answer.
async fn ask(line: Line, remote: &Remote, back: mpsc::Sender<Vec<u8>>) -> End {
    let failed = match remote.post(&line).await {
        Ok(response) if is_forgotten(&response, remote) => {
            // It was not taken: whoever asked may ask again in another session.
            if let Some(error) = line.forgotten() {
                back.send(error).await.ok();
            }
            return End::Forgotten;
        }
        Ok(response) => {
            if line.method == "initialize" && response.status().is_success() {
                remote.enter(&response);
            }
            Answer { line: &line, remote, back: &back }.read(response).await.err()
        }
        Err(reason) => Some(reason),
    };
    remote.trouble.set(failed.as_ref());
    if let Some(error) = failed.and_then(|reason| line.failed(reason)) {
        // A client that is gone wants no answer.
        back.send(error).await.ok();
    }
    End::Done
}

fn is_forgotten(response: &Response, remote: &Remote) -> bool {
    response.status() == StatusCode::NOT_FOUND && remote.has_session()
}

/// An answer on its way back.
struct Answer<'a> {
    line: &'a Line,
    remote: &'a Remote,
    back: &'a mpsc::Sender<Vec<u8>>,
}

impl Answer<'_> {
    async fn read(&self, response: Response) -> Result<(), String> {
        let (status, place) = (response.status(), self.remote.place());
        match kind(&response).as_str() {
            "text/event-stream" if status.is_success() => self.events(response).await,
            "application/json" => {
                let body = body(response, MAX_LINE).await?;
                match line::answer(&body, self.line.id.as_ref()) {
                    Some(line) if line::answers(&line, self.line.id.as_ref()) => {
                        self.pass(line).await
                    }
                    _ if status.is_success() => {
                        Err(format!("`{place}` did not answer what it was asked"))
                    }
                    _ => Err(self.refused(status, &body)),
                }
            }
            _ if status.is_redirection() => Err(format!(
                "`{place}` leads elsewhere ({status}), which is not followed: name the right address in `url`"
            )),
            kind if status.is_success() => Err(format!(
                "`{place}` answered with `{}`, not with MCP: is `url` right?",
                shown(kind)
            )),
            _ => {
                let body = body(response, READ_ERROR).await.unwrap_or_default();
                Err(self.refused(status, &body))
            }
        }
    }

    fn refused(&self, status: StatusCode, body: &[u8]) -> String {
        let (place, text) = (self.remote.place(), self.remote.without_secrets(body));
        let advice = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "; check the server's `headers`",
            _ => "",
        };
        let text: String = text.chars().take(LONGEST_ERROR).collect();
        let said = if text.is_empty() { text } else { format!(": {}", shown(&text)) };
        format!("`{place}` answered {status}{said}{advice}")
    }

    async fn events(&self, mut response: Response) -> Result<(), String> {
        let mut events = Events::default();
        while let Some(chunk) = response.chunk().await.map_err(cause)? {
            let ended = events.take(&chunk);
            for data in ended.map_err(|_| format!("an event is longer than {MAX_LINE} bytes"))? {
                let Some(line) = line::answer(&data, self.line.id.as_ref()) else { continue };
                let last = line::answers(&line, self.line.id.as_ref());
                self.pass(line).await?;
                if last {
                    return Ok(());
                }
            }
        }
        Err(format!("`{}` hung up before it answered", self.remote.place()))
    }

    async fn pass(&self, line: Vec<u8>) -> Result<(), String> {
        if self.line.method == "initialize"
            && let Some(version) = line::settled(&line)
        {
            self.remote.settle(&version);
        }
        self.back.send(line).await.ok();
        Ok(())
    }
}

/// Listens to what the server says unasked, again and again. A server that has no such stream says so once.
async fn listen(remote: &Remote, back: mpsc::Sender<Vec<u8>>) -> End {
    let (mut wait, longest) = AGAIN;
    loop {
        match remote.listen().await {
            Ok(response) if is_forgotten(&response, remote) => return End::Forgotten,
            Ok(response)
                if response.status() == StatusCode::OK
                    && kind(&response) == "text/event-stream" =>
            {
                wait = AGAIN.0;
                hear(response, &back).await;
            }
            // Some answer a stream that is still open with a conflict, and all others have none.
            Ok(response)
                if response.status() != StatusCode::CONFLICT
                    && !response.status().is_server_error() =>
            {
                return End::Done;
            }
            Ok(_) | Err(_) => {}
        }
        sleep(wait).await;
        wait = (wait * 2).min(longest);
    }
}

async fn hear(mut response: Response, back: &mpsc::Sender<Vec<u8>>) {
    let mut events = Events::default();
    while let Ok(Some(chunk)) = response.chunk().await {
        let Ok(ended) = events.take(&chunk) else { return };
        for line in ended.iter().filter_map(|data| line::answer(data, None)) {
            if back.send(line).await.is_err() {
                return;
            }
        }
    }
}

async fn body(mut response: Response, most: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(cause)? {
        body.extend_from_slice(&chunk);
        if body.len() > most && most == MAX_LINE {
            return Err(format!("the answer is longer than {MAX_LINE} bytes"));
        }
        if body.len() > most {
            break;
        }
    }
    Ok(body)
}

fn kind(response: &Response) -> String {
    let full = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = full.and_then(|full| full.split(';').next()).unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}
