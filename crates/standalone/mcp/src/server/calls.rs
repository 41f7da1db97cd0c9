//! Calls of one session: those that run, those that wait, and how each ends.

use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures_util::{Stream, stream::FuturesUnordered};
use serde_json::value::RawValue;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::{
    era::Era,
    error::RpcError,
    server::Limits,
    tool::{CallContext, ToolHandler, ToolLister, ToolReply},
    wire::RequestId,
};

/// A call as it came, not started yet.
pub(crate) struct Call<'a> {
    pub(crate) key: u64,
    pub(crate) asked: Asked<'a>,
    pub(crate) context: CallContext,
}

/// What a call asks for, and of whom.
pub(crate) enum Asked<'a> {
    Tool(&'a dyn ToolHandler, Box<RawValue>),
    Listing(&'a dyn ToolLister),
}

impl<'a> Asked<'a> {
    fn form(&self) -> Form {
        match self {
            Self::Tool(..) => Form::Result,
            Self::Listing(_) => Form::Listing,
        }
    }

    fn begin(self, context: CallContext) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        match self {
            Self::Tool(handler, arguments) => handler.call(context, arguments),
            Self::Listing(lister) => Box::pin(async move {
                let tools = lister.list(context.client.as_deref()).await?;
                let tools: Vec<&str> = tools.iter().map(|tool| tool.get()).collect();
                Ok(ToolReply::Vouched(tools.join(",")))
            }),
        }
    }
}

/// What the words of an answer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The result itself.
    Result,
    /// The inside of the `tools` array.
    Listing,
}

impl Call<'_> {
    /// What the peer's words in it take, whoever holds them by now.
    fn bytes(&self) -> usize {
        let CallContext { id, tool, meta, client, era, cancellation: _, progress: _ } =
            &self.context;
        let client = match era {
            // Shared by the whole session.
            Era::Legacy => None,
            Era::Modern => client.as_ref(),
        };
        let arguments = match &self.asked {
            Asked::Tool(_, arguments) => arguments.get().len(),
            Asked::Listing(_) => 0,
        };
        arguments
            + id.as_json().len()
            + tool.len()
            + meta.as_ref().map_or(0, |meta| meta.get().len())
            + client.map_or(0, |client| client.name.len() + client.version.len())
    }
}

/// Whom the answer to a call goes to, and in which form.
pub(crate) struct Recipient {
    pub(crate) id: RequestId,
    pub(crate) era: Era,
    pub(crate) form: Form,
}

pub(crate) type Outcome = Result<ToolReply, RpcError>;

pub(crate) struct Calls<'a> {
    running: FuturesUnordered<Running<'a>>,
    /// What must be known of a running call from outside, by its key.
    live: HashMap<u64, Live>,
    /// How many of those may send progress.
    reporting: usize,
    queue: VecDeque<Waiting<'a>>,
    /// Of all calls that wait or run.
    held_bytes: usize,
    limits: Limits,
}

struct Waiting<'a> {
    call: Call<'a>,
    bytes: usize,
}

struct Live {
    recipient: Recipient,
    cancellation: CancellationToken,
    /// The peer has cancelled it and must hear nothing of it any more.
    silenced: bool,
    reports: bool,
    bytes: usize,
}

impl<'a> Calls<'a> {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            running: FuturesUnordered::new(),
            live: HashMap::new(),
            reporting: 0,
            queue: VecDeque::new(),
            held_bytes: 0,
            limits,
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.queue.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.queue.len() >= self.limits.queued || self.held_bytes >= self.limits.held
    }

    /// Whether any running call may send progress.
    pub(crate) const fn any_reports(&self) -> bool {
        self.reporting > 0
    }

    /// Whether the peer may still hear of this call.
    pub(crate) fn is_audible(&self, key: u64) -> bool {
        self.live.get(&key).is_some_and(|live| !live.silenced)
    }

    pub(crate) fn enqueue(&mut self, call: Call<'a>) {
        let bytes = call.bytes();
        self.held_bytes += bytes;
        self.queue.push_back(Waiting { call, bytes });
    }

    /// Begins waiting calls as far as the limit allows.
    pub(crate) fn start(&mut self) {
        while self.running.len() < self.limits.in_flight {
            let Some(Waiting { call, bytes }) = self.queue.pop_front() else { return };
            let form = call.asked.form();
            let recipient = Recipient { id: call.context.id.clone(), era: call.context.era, form };
            let reports = call.context.progress.is_wanted();
            self.reporting += usize::from(reports);
            let cancellation = call.context.cancellation.clone();
            let live = Live { recipient, cancellation, silenced: false, reports, bytes };
            self.live.insert(call.key, live);
            self.running.push(Running {
                key: call.key,
                cancellation: call.context.cancellation.clone(),
                work: call.asked.begin(call.context),
                leash: Leash::Untied,
                grace: self.limits.cancel_grace,
            });
        }
    }

    /// The peer wants no answer to this id. A call that waits is forgotten, one that runs is told.
    pub(crate) fn cancel(&mut self, id: &RequestId) {
        self.queue.retain(|waiting| {
            let kept = waiting.call.context.id != *id;
            self.held_bytes -= if kept { 0 } else { waiting.bytes };
            kept
        });
        for live in self.live.values_mut().filter(|live| live.recipient.id == *id) {
            live.silenced = true;
            live.cancellation.cancel();
        }
    }

    /// The session ends: nothing more begins, and what runs is told.
    pub(crate) fn cancel_all(&mut self) {
        self.held_bytes -= self.queue.drain(..).map(|waiting| waiting.bytes).sum::<usize>();
        self.live.values().for_each(|live| live.cancellation.cancel());
    }

    /// The next call that ended, by its key. `Ready(None)` when nothing runs.
    pub(crate) fn poll_finished(&mut self, cx: &mut Context<'_>) -> Poll<Option<(u64, Outcome)>> {
        Pin::new(&mut self.running).poll_next(cx)
    }

    /// Closes the books on a call that ended. `None` when its peer has cancelled it.
    pub(crate) fn settle(&mut self, key: u64) -> Option<Recipient> {
        let live = self.live.remove(&key)?;
        self.reporting -= usize::from(live.reports);
        self.held_bytes -= live.bytes;
        (!live.silenced).then_some(live.recipient)
    }
}

/// A handler at work. It is polled once before anything else is set up, as most calls are done by then.
struct Running<'a> {
    key: u64,
    work: Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>,
    cancellation: CancellationToken,
    leash: Leash,
    grace: Duration,
}

/// How a cancelled call is kept from running on for ever.
enum Leash {
    Untied,
    AwaitingCancel(Pin<Box<WaitForCancellationFutureOwned>>),
    Expiring(Pin<Box<Sleep>>),
}

impl Future for Running<'_> {
    type Output = (u64, Outcome);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let call = &mut *self;
        // The work is dropped right after a panic, so nobody sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| call.work.as_mut().poll(cx))) {
            Ok(Poll::Ready(outcome)) => return Poll::Ready((call.key, outcome)),
            Ok(Poll::Pending) => {}
            Err(_) => {
                return Poll::Ready((
                    call.key,
                    Err(RpcError::internal("Internal error: the tool panicked")),
                ));
            }
        }
        loop {
            call.leash = match &mut call.leash {
                Leash::Untied => {
                    Leash::AwaitingCancel(Box::pin(call.cancellation.clone().cancelled_owned()))
                }
                Leash::AwaitingCancel(cancelled) => {
                    ready!(cancelled.as_mut().poll(cx));
                    Leash::Expiring(Box::pin(sleep(call.grace)))
                }
                Leash::Expiring(timer) => {
                    ready!(timer.as_mut().poll(cx));
                    let error = RpcError::internal("Internal error: the call was cancelled");
                    return Poll::Ready((call.key, Err(error)));
                }
            };
        }
    }
}
