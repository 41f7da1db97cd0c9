//! Asking an agent: its tools are opened, it is waited for, turn by turn where somebody talks with it, and whatever comes
//! of it, its session is closed.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use awf_core::{
    AgentProvider, AgentRequest, AgentWatcher, Code, Isolation, OnBypass, OwnToolUse, StepError,
    StepResult, StepStatus, Usage,
};
use awf_tools::{ProxySession, SessionRequest, ToolProxyService, TraceLink};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    engine::{
        Person,
        patience::{Ended, within},
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
    pub(super) fn name(&self) -> &'static str {
        self.agent.kind().as_str()
    }

    /// Whether awf is to be its only source of tools.
    pub(super) fn is_intercepted(&self) -> bool {
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
}
