//! The task behind a client: puts requests on the wire and hands replies to whoever waits for them.

use std::{
    collections::HashMap,
    future::poll_fn,
    io,
    task::{Context, Poll},
};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::{mpsc, oneshot},
};

use crate::{
    client::{ClientError, NotificationSink},
    error::RpcError,
    wire::{self, Encode, Flow, Line, LineBuffer, MAX_LINE, Message, Outbox, Refusal, RequestId},
};

/// Bytes the server has not taken yet. When they are that many, it is neither asked nor listened to.
const MAX_OUTGOING: usize = 1024 * 1024;

pub(super) type Reply = Result<Box<RawValue>, ClientError>;

#[derive(Debug)]
pub(super) enum Command {
    Ask {
        id: u64,
        line: Vec<u8>,
        reply: oneshot::Sender<Reply>,
    },
    Tell(Vec<u8>),
    /// Nobody waits for this answer any more.
    Forget {
        id: u64,
    },
}

pub(super) struct Driver<R, W> {
    reader: R,
    writer: W,
    lines: LineBuffer,
    inbox: mpsc::Receiver<Command>,
    switchboard: Switchboard,
}

/// Who waits for what.
struct Switchboard {
    out: Outbox,
    waiting: HashMap<u64, oneshot::Sender<Reply>>,
    notifications: NotificationSink,
}

/// Whether there is a reason to go on.
#[derive(PartialEq, Eq)]
enum Step {
    Moved,
    Idle,
    Over,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Driver<R, W> {
    pub(super) fn new(
        reader: R,
        writer: W,
        inbox: mpsc::Receiver<Command>,
        notifications: NotificationSink,
    ) -> Self {
        let switchboard =
            Switchboard { out: Outbox::default(), waiting: HashMap::new(), notifications };
        Self { reader, writer, lines: LineBuffer::new(MAX_LINE), inbox, switchboard }
    }

    /// Runs until the server hangs up or all callers are gone. Callers that still wait then learn it by their
    /// channels closing.
    pub(super) async fn run(mut self) {
        // An error of the stream is the end of it; callers see the connection closed either way.
        poll_fn(|cx| self.poll_rounds(cx)).await.ok();
        self.writer.shutdown().await.ok();
    }

    fn poll_rounds(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let steps = [self.take_commands(cx), self.take_input(cx)?, self.send(cx)?];
            if steps[1] == Step::Over || (steps[0] == Step::Over && self.switchboard.out.is_empty())
            {
                return Poll::Ready(Ok(()));
            }
            if !steps.contains(&Step::Moved) {
                return Poll::Pending;
            }
        }
    }

    fn take_commands(&mut self, cx: &mut Context<'_>) -> Step {
        let mut step = Step::Idle;
        while self.switchboard.out.waiting() < MAX_OUTGOING {
            match self.inbox.poll_recv(cx) {
                Poll::Pending => break,
                Poll::Ready(None) => return Step::Over,
                Poll::Ready(Some(command)) => self.switchboard.obey(command),
            }
            step = Step::Moved;
        }
        step
    }

    fn take_input(&mut self, cx: &mut Context<'_>) -> io::Result<Step> {
        let mut step = Step::Idle;
        loop {
            while self.switchboard.out.waiting() < MAX_OUTGOING
                && let Some(line) = self.lines.next_line()
            {
                self.switchboard.take(line);
                step = Step::Moved;
            }
            if step == Step::Moved || self.switchboard.out.waiting() >= MAX_OUTGOING {
                return Ok(step);
            }
            match self.lines.poll_fill(cx, &mut self.reader) {
                Poll::Pending => return Ok(step),
                Poll::Ready(Ok(0)) => {
                    while let Some(line) = self.lines.next_line() {
                        self.switchboard.take(line);
                    }
                    return Ok(Step::Over);
                }
                Poll::Ready(read) => drop(read?),
            }
        }
    }

    fn send(&mut self, cx: &mut Context<'_>) -> io::Result<Step> {
        Ok(match self.switchboard.out.poll_write(cx, &mut self.writer)? {
            Flow::Moved => Step::Moved,
            Flow::Idle => Step::Idle,
        })
    }
}

impl Switchboard {
    fn obey(&mut self, command: Command) {
        match command {
            Command::Ask { id, line, reply } => {
                self.out.bytes().extend_from_slice(&line);
                self.waiting.insert(id, reply);
            }
            Command::Tell(line) => self.out.bytes().extend_from_slice(&line),
            Command::Forget { id } => {
                if self.waiting.remove(&id).is_some() {
                    self.out.bytes().notification("notifications/cancelled", |params| {
                        params.raw(r#""requestId":"#);
                        params.raw(&id.to_string());
                    });
                }
            }
        }
    }

    fn take(&mut self, line: Line<'_>) {
        let message = match line {
            Line::Whole(line) => wire::parse(line),
            Line::TooLong(head) => {
                return self
                    .fail(wire::salvage_id(&head), &format!("longer than {MAX_LINE} bytes"));
            }
        };
        match message {
            Ok(Message::Response { id, outcome }) => self.reply(id, outcome),
            Ok(Message::Request { id, method, params: _ }) => self.refuse(&id, &method),
            Ok(Message::Notification { method, params }) => (self.notifications)(&method, params),
            // Some servers print what is not a message; only a reply to a question concerns anyone.
            Err(Refusal { id: Some(id), error }) => self.fail(Some(id), &error.message),
            Err(Refusal { id: None, .. }) => {}
        }
    }

    fn reply(&mut self, id: Option<RequestId>, outcome: Result<&RawValue, &RawValue>) {
        // A server that could not read a request cannot name it. If only one is open, it is that one.
        let only = || {
            self.waiting
                .keys()
                .next()
                .filter(|_| self.waiting.len() == 1)
                .copied()
                .map(RequestId::number)
        };
        if let Some(id) = id.or_else(only) {
            self.settle(
                &id,
                outcome.map(ToOwned::to_owned).map_err(|error| read_error(error).into()),
            );
        }
    }

    fn settle(&mut self, id: &RequestId, reply: Reply) {
        // The server may answer what nobody asked, or answer too late.
        if let Some(waiter) = id.as_json().parse().ok().and_then(|id: u64| self.waiting.remove(&id))
        {
            waiter.send(reply).ok();
        }
    }

    /// A reply is lost. When it cannot be said whose it was, nobody may wait for it for ever.
    fn fail(&mut self, id: Option<RequestId>, reason: &str) {
        let error = || Err(ClientError::BadReply { reason: reason.to_owned() });
        match id {
            Some(id) => self.settle(&id, error()),
            None => self.waiting.drain().for_each(|(_, waiter)| drop(waiter.send(error()))),
        }
    }

    /// We answer that we are alive. All else a server may ask (sampling, roots, elicitation) would leak or act.
    fn refuse(&mut self, id: &RequestId, method: &str) {
        match method {
            "ping" => self.out.bytes().response(id, |out| out.raw("{}")),
            _ => self.out.bytes().error(Some(id), &RpcError::unknown_method(method)),
        }
    }
}

fn read_error(raw: &RawValue) -> RpcError {
    #[derive(Deserialize)]
    struct View {
        code: i64,
        message: String,
        data: Option<Box<RawValue>>,
    }
    match serde_json::from_str::<View>(raw.get()) {
        Ok(view) => RpcError { code: view.code, message: view.message.into(), data: view.data },
        Err(_) => RpcError::internal("the server's error is not a JSON-RPC error"),
    }
}
