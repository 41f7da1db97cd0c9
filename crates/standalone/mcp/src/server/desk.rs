//! Where messages are answered: one line in, and whatever it leads to in the outbox or among the calls.

use std::{borrow::Cow, sync::Arc, task::Context, task::Poll};

use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    era::{self, Era, Handshake, Meta, Method},
    error::RpcError,
    server::{
        Server,
        calls::{Asked, Call, Calls, Form, Outcome, Recipient},
        changes::Changes,
        params::{Params, implementation, progress_token, required},
    },
    tool::{CallContext, Implementation, Progress, ProgressLine, Reporter},
    wire::{self, Encode, Line, MAX_LINE, Message, Outbox, Refusal, RequestId, is_object},
};

/// Progress notifications that may wait for the session to look; more are dropped.
const PROGRESS_SLOTS: usize = 64;

pub(crate) struct Desk<'a> {
    server: &'a Server,
    pub(crate) out: Outbox,
    pub(crate) calls: Calls<'a>,
    handshake: Handshake,
    client: Option<Arc<Implementation>>,
    progress: (mpsc::Sender<ProgressLine>, mpsc::Receiver<ProgressLine>),
    next_key: u64,
    changes: Option<Changes>,
}

/// A request whose rules are known.
struct Judged<'l> {
    id: RequestId,
    era: Era,
    params: Params<'l>,
    meta: Meta<'l>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(server: &'a Server) -> Self {
        Self {
            server,
            out: Outbox::default(),
            calls: Calls::new(server.limits),
            handshake: Handshake::Awaited,
            client: None,
            progress: mpsc::channel(PROGRESS_SLOTS),
            next_key: 0,
            changes: server.changes.clone().map(Changes::new),
        }
    }

    /// Whether the next line must wait, so that a peer which asks faster than it listens slows itself and not us.
    pub(crate) fn is_stalled(&self) -> bool {
        self.is_clogged() || self.calls.is_full()
    }

    fn is_clogged(&self) -> bool {
        self.out.waiting() >= self.server.limits.outgoing
    }

    pub(crate) fn take(&mut self, line: Line<'_>) {
        let message = match line {
            Line::Whole(line) => wire::parse(line),
            Line::TooLong(head) => Err(Refusal {
                id: wire::salvage_id(&head),
                error: RpcError::invalid_request(format!(
                    "Invalid request: longer than {MAX_LINE} bytes"
                )),
            }),
        };
        match message {
            Ok(Message::Request { id, method, params }) => self.request(&id, &method, params),
            Ok(Message::Notification { method, params }) => self.notification(&method, params),
            // This half asks nothing, so nothing can be an answer to it.
            Ok(Message::Response { .. }) => {}
            Err(Refusal { id, error }) => self.out.bytes().error(id.as_ref(), &error),
        }
    }

    /// Starts what waits and answers what ended. True if anything did.
    pub(crate) fn poll_calls(&mut self, cx: &mut Context<'_>) -> bool {
        let mut moved = self.tell_changes(cx);
        loop {
            if !self.is_clogged() {
                self.calls.start();
            }
            let finished = self.calls.poll_finished(cx);
            // Progress made by a call that just ended goes out before its answer.
            moved |= self.forward_progress(cx);
            let Poll::Ready(Some((key, outcome))) = finished else { return moved };
            if let Some(recipient) = self.calls.settle(key) {
                self.answer(&recipient, &outcome);
            }
            moved = true;
        }
    }

    /// Tells a peer that waits for nothing else that the list has changed.
    fn tell_changes(&mut self, cx: &mut Context<'_>) -> bool {
        let clogged = self.is_clogged();
        let Some(changes) = &mut self.changes else { return false };
        let told = !clogged && changes.poll_news(cx);
        if told {
            self.out.bytes().notification("notifications/tools/list_changed", |_| {});
        }
        told
    }

    fn notification(&mut self, method: &str, params: Option<&RawValue>) {
        if method == "notifications/cancelled"
            && let Some(id) = Params::parse(params).ok().and_then(|params| params.cancelled())
        {
            self.calls.cancel(&id);
        }
        if method == "notifications/initialized"
            && let Some(changes) = &mut self.changes
        {
            changes.awaited();
        }
    }

    fn request(&mut self, id: &RequestId, method: &str, params: Option<&RawValue>) {
        let answered = self.judge(id, method, params).and_then(|(method, request)| match method {
            Method::Initialize => self.initialize(&request),
            Method::Discover => self.discover(&request),
            Method::Ping | Method::Shutdown => self.acknowledge(&request),
            Method::ListTools => self.list_tools(&request),
            Method::CallTool => self.call_tool(&request),
        });
        if let Err(error) = answered {
            self.out.bytes().error(Some(id), &error);
        }
    }

    fn judge<'l>(
        &self,
        id: &RequestId,
        name: &str,
        params: Option<&'l RawValue>,
    ) -> Result<(Method, Judged<'l>), RpcError> {
        let method = Method::from_name(name).ok_or_else(|| RpcError::unknown_method(name))?;
        let params = Params::parse(params)?;
        let meta = params.meta()?;
        let era = era::judge(method, name, &meta, self.handshake)?;
        Ok((method, Judged { id: id.clone(), era, params, meta }))
    }

    #[expect(clippy::unnecessary_wraps, reason = "all methods share one shape")]
    fn acknowledge(&mut self, request: &Judged<'_>) -> Result<(), RpcError> {
        self.out.bytes().response(&request.id, |out| era::write_empty(request.era, out));
        Ok(())
    }

    fn initialize(&mut self, request: &Judged<'_>) -> Result<(), RpcError> {
        let version =
            era::negotiate(&required(request.params.protocol_version, "protocolVersion")?);
        self.handshake = Handshake::Done;
        self.client = implementation(request.params.client_info).map(Arc::new);
        let identity = self.server.identity();
        self.out.bytes().response(&request.id, |out| identity.write_initialized(version, out));
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "all methods share one shape")]
    fn discover(&mut self, request: &Judged<'_>) -> Result<(), RpcError> {
        let identity = self.server.identity();
        self.out.bytes().response(&request.id, |out| identity.write_discovered(out));
        Ok(())
    }

    fn list_tools(&mut self, request: &Judged<'_>) -> Result<(), RpcError> {
        if request.params.cursor.is_some() {
            return Err(RpcError::invalid_params("Invalid params: unknown cursor"));
        }
        if let Some(lister) = &self.server.lister {
            let context = self.context(request, String::new(), None);
            self.enqueue(Asked::Listing(&**lister), context);
            return Ok(());
        }
        let listing = self.server.listing();
        self.out.bytes().response(&request.id, |out| era::write_tools(request.era, listing, out));
        if let Some(told) = &self.server.listed {
            told();
        }
        Ok(())
    }

    fn call_tool(&mut self, request: &Judged<'_>) -> Result<(), RpcError> {
        let name = required(request.params.name, "name")?;
        let arguments = match request.params.arguments {
            None => {
                Cow::Owned(serde_json::value::to_raw_value(&EmptyObject {}).unwrap_or_default())
            }
            Some(raw) if is_object(raw) => Cow::Borrowed(raw),
            Some(_) => {
                return Err(RpcError::invalid_params(
                    "Invalid params: `arguments` must be an object",
                ));
            }
        };
        let handler = self.server.handler(&name).ok_or_else(|| RpcError::unknown_tool(&name))?;
        let progress = progress_token(&request.meta)?.map(|token| self.reporter(token));
        let context = self.context(request, name.into_owned(), progress);
        self.enqueue(Asked::Tool(handler, arguments.into_owned()), context);
        Ok(())
    }

    fn context(
        &self,
        request: &Judged<'_>,
        tool: String,
        progress: Option<Reporter>,
    ) -> CallContext {
        CallContext {
            id: request.id.clone(),
            tool,
            meta: request.params.meta.map(ToOwned::to_owned),
            cancellation: CancellationToken::new(),
            progress: Progress::new(progress),
            client: match request.era {
                Era::Legacy => self.client.clone(),
                Era::Modern => implementation(request.meta.client).map(Arc::new),
            },
            era: request.era,
        }
    }

    fn enqueue(&mut self, asked: Asked<'a>, context: CallContext) {
        self.calls.enqueue(Call { key: self.next_key, asked, context });
        self.next_key += 1;
    }

    fn reporter(&self, token: &str) -> Reporter {
        Reporter { call: self.next_key, token: token.into(), lines: self.progress.0.clone() }
    }

    fn forward_progress(&mut self, cx: &mut Context<'_>) -> bool {
        let mut moved = false;
        while self.calls.any_reports() && !self.is_clogged() {
            let Poll::Ready(Some(line)) = self.progress.1.poll_recv(cx) else { break };
            if self.calls.is_audible(line.call) {
                self.out.bytes().extend_from_slice(&line.bytes);
                moved = true;
            }
        }
        moved
    }

    fn answer(&mut self, recipient: &Recipient, outcome: &Outcome) {
        let out = self.out.bytes();
        match outcome {
            Ok(tools) if recipient.form == Form::Listing => {
                out.response(&recipient.id, |out| {
                    era::write_tools(recipient.era, tools.json(), out);
                });
                if let Some(told) = &self.server.listed {
                    told();
                }
            }
            Ok(reply) if reply.is_object() => {
                out.response(&recipient.id, |out| {
                    era::write_call_result(recipient.era, reply.json(), out);
                });
            }
            Ok(_) => {
                let error =
                    RpcError::internal("Internal error: the tool's result is not an object");
                out.error(Some(&recipient.id), &error);
            }
            Err(error) => out.error(Some(&recipient.id), error),
        }
    }
}

#[derive(serde::Serialize)]
struct EmptyObject {}
