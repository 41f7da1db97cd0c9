//! Asking an agent: its tools are opened, it is waited for, turn by turn where somebody talks with it, and whatever comes
//! of it, its session is closed.

use std::{
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use awf_core::{
    AgentFailure, AgentKind, AgentOutcome, AgentProvider, AgentRequest, AgentWatcher, Code,
    Isolation, McpProxy, OnBypass, OwnToolEnd, OwnToolUse, Reach, StepError, StepResult,
    StepStatus, ToolAccess, Usage,
};
use awf_tools::{ProxySession, SessionRequest, ToolProxyService, TraceLink};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::{
    engine::{
        Person,
        agent::answer,
        patience::{Ended, within},
        span,
    },
    machine,
};

/// An agent, ready to be asked.
pub(super) struct Errand {
    pub(super) agent: Arc<dyn AgentProvider>,
    pub(super) request: AgentRequest,
    /// What gives it tools, where it wants any.
    pub(super) tools: Option<(Arc<ToolProxyService>, SessionRequest)>,
    pub(super) watcher: AgentWatcher,
    /// Tools of its own that it used.
    pub(super) own_tools: mpsc::UnboundedReceiver<OwnToolUse>,
    pub(super) on_bypass: OnBypass,
    /// Whom it talks with, where it does.
    pub(super) person: Option<Person>,
    pub(super) link: TraceLink,
    /// For each turn.
    pub(super) timeout: Option<Duration>,
    pub(super) cancel: CancellationToken,
}

/// What came of a turn.
struct Turn {
    answer: Ended<Result<AgentOutcome, AgentFailure>>,
    /// The tool it used past the proxy, where that ends the step.
    bypass: Option<String>,
    /// It asked for the tools it was given, or was given none by a server.
    saw_tools: bool,
}

pub(super) async fn run(mut errand: Errand) -> StepResult {
    let began = Instant::now();
    // Asking a program for its version is not worth waiting for once the step is not wanted any more.
    errand.cancel.clone().run_until_cancelled(errand.warn_of_coexistence()).await;
    let result = match errand.open().await {
        Ok(None) => errand.converse(None).await,
        Ok(Some(session)) => {
            let result = errand.converse(Some(&session)).await;
            let calls = session.calls();
            session.close().await;
            StepResult { calls, ..result }
        }
        Err(refused) => *refused,
    };
    StepResult { elapsed: began.elapsed(), ..result }
}

impl Errand {
    fn name(&self) -> &'static str {
        self.agent.kind().as_str()
    }

    /// Whether awf is to be its only source of tools.
    fn is_intercepted(&self) -> bool {
        self.tools.as_ref().is_some_and(|(_, asked)| asked.proxy.intercept_builtins)
    }

    /// Says that an agent may keep tools of its own, unless it is known that it does not.
    async fn warn_of_coexistence(&self) {
        if !self.is_intercepted() {
            return;
        }
        let (step, name) = (&self.request.step, self.name());
        let leaks = match self.agent.isolation(&self.request).await {
            Isolation::Certain => return,
            Isolation::Unproven => String::new(),
            Isolation::Leaking(which) => format!(" `awf doctor` saw this version use: {which}."),
        };
        if self.agent.kind().coexists() {
            tracing::warn!(
                step,
                "mcp_proxy on provider={name} runs in coexistence mode. Built-in tools cannot be disabled and may bypass \
                 the proxy. Use 'claude' or 'openai-compatible' for guaranteed MCP-only isolation.{leaks}",
            );
        } else if !leaks.is_empty() {
            tracing::warn!(step, "mcp_proxy on provider={name} does not hold everything.{leaks}");
        }
    }

    /// The session of a step that wants tools, or why it has none.
    async fn open(&self) -> Result<Option<ProxySession>, Box<StepResult>> {
        let Some((service, request)) = &self.tools else { return Ok(None) };
        // A server that does not come up hears of nothing, so it is left at once.
        let opening = self.cancel.run_until_cancelled(service.open(request.clone()));
        Err(Box::new(match within(self.timeout, &self.cancel, opening).await {
            Ended::ByItself(Some(Ok(session))) => return Ok(Some(session)),
            Ended::ByItself(Some(Err(error))) => {
                machine::failed(StepError { code: error.code(), message: error.to_string() })
            }
            Ended::Late(error) => machine::failed(error),
            Ended::ByItself(None) | Ended::Cancelled => {
                machine::finished(StepStatus::Cancelled, 130)
            }
        }))
    }

    /// One turn, and as many more as somebody has something to say. The last answer is the step's.
    async fn converse(&mut self, session: Option<&ProxySession>) -> StepResult {
        let mut used = Usage::default();
        loop {
            let result = self.turn(session).await;
            used = used.plus(result.usage);
            let said = match result.status {
                StepStatus::Completed => self.next_line().await,
                StepStatus::Pending
                | StepStatus::Running
                | StepStatus::Failed
                | StepStatus::Cancelled
                | StepStatus::Interrupted => None,
            };
            match said {
                None => return StepResult { usage: used, ..result },
                Some(said) if result.session.is_some() => {
                    self.request.prompt = said;
                    self.request.session = result.session;
                }
                Some(_) => {
                    let message = "the agent named no session to go on with".to_owned();
                    let error = StepError { code: Code::AgentFailed, message };
                    return StepResult { usage: used, ..machine::failed(error) };
                }
            }
        }
    }

    /// What a person says next; nothing when there is none, or when they are done.
    async fn next_line(&self) -> Option<String> {
        let person = self.person.as_ref()?;
        let line = tokio::select! {
            biased;
            () = self.cancel.cancelled() => None,
            line = person(self.request.step.clone()) => line,
        };
        line.filter(|line| !matches!(line.trim(), "" | "exit" | "quit"))
    }

    async fn turn(&mut self, session: Option<&ProxySession>) -> StepResult {
        let span = span::turn(self.name(), &self.request);
        let listed = session.map_or(0, ProxySession::listed);
        if let Some(session) = session {
            session.caused_by((self.link.current)(&span));
        }
        let access = self.access(session);
        let proxied = matches!(access, ToolAccess::Stdio(_));
        let mut turn = self.ask(access, session).instrument(span.clone()).await;
        turn.saw_tools = !proxied || session.is_some_and(|session| session.listed() > listed);
        if let Ended::ByItself(Ok(AgentOutcome { model: Some(model), .. })) = &turn.answer {
            span.record("gen_ai.response.model", model);
        }
        let result = self.judged(turn);
        span::close_turn(&span, &result);
        result
    }

    /// Asks, and puts on record what the agent does past the proxy while it works.
    async fn ask(&mut self, access: ToolAccess, session: Option<&ProxySession>) -> Turn {
        let session = session.filter(|_| self.is_intercepted());
        let cancel = self.cancel.child_token();
        let asked =
            self.agent.run(self.request.clone(), access, self.watcher.clone(), cancel.clone());
        let mut asked = pin!(within(self.timeout, &cancel, asked));
        let mut bypass = None;
        let answer = loop {
            tokio::select! {
                biased;
                Some(seen) = self.own_tools.recv() => {
                    bypass = bypass.or(past(session, self.agent.kind(), seen).await);
                    if bypass.is_some() && self.on_bypass == OnBypass::Fail {
                        cancel.cancel();
                    }
                }
                answer = &mut asked => break answer,
            }
        };
        while let Ok(seen) = self.own_tools.try_recv() {
            bypass = bypass.or(past(session, self.agent.kind(), seen).await);
        }
        let bypass = bypass.filter(|_| self.on_bypass == OnBypass::Fail);
        Turn { answer, bypass, saw_tools: false }
    }

    /// Agents that are programs start a server; the one that is a loop in this process has the router itself.
    fn access(&self, session: Option<&ProxySession>) -> ToolAccess {
        let (Some(session), Some((_, asked))) = (session, &self.tools) else {
            return ToolAccess::Own;
        };
        match self.agent.kind() {
            AgentKind::OpenAiCompatible => {
                ToolAccess::Router { router: session.router(), reach: reach(&asked.proxy) }
            }
            AgentKind::Claude
            | AgentKind::Gemini
            | AgentKind::Codex
            | AgentKind::OpenCode
            | AgentKind::Scripted => session.access(),
        }
    }

    /// What the turn comes to. An agent that answered without ever having asked for its tools did not do what the step says.
    fn judged(&self, turn: Turn) -> StepResult {
        let name = self.name();
        let result = answer::told(turn.answer, self.request.output_format);
        if let Some(tool) = turn.bypass {
            let message = format!(
                "`{name}` used its own `{tool}`, past the proxy, and `on_bypass` is `fail`"
            );
            let error = StepError { code: Code::ProxyBypassed, message };
            return StepResult { usage: result.usage, ..machine::failed(error) };
        }
        if result.status != StepStatus::Completed || turn.saw_tools {
            return result;
        }
        let message =
            format!("`{name}` worked without the tools of the step: it never asked for them");
        let error = StepError { code: Code::ProxyUnseen, message };
        StepResult { usage: result.usage, ..machine::failed(error) }
    }
}

/// Puts a tool used past an intercepting proxy on record. Gives its name if it really ran.
async fn past(
    session: Option<&ProxySession>,
    agent: AgentKind,
    seen: OwnToolUse,
) -> Option<String> {
    let session = session?;
    let ran = (seen.end == OwnToolEnd::Ran).then(|| seen.tool.clone());
    session.bypassed(agent.as_str(), seen).await;
    ran
}

fn reach(proxy: &McpProxy) -> Reach {
    if proxy.intercept_builtins { Reach::Exclusive } else { Reach::Additive }
}
