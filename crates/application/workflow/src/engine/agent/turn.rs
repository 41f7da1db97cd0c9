//! One turn of an agent: it is asked, and answers; meanwhile what it does past the proxy is put on record.

use std::pin::pin;

use awf_core::{
    AgentFailure, AgentKind, AgentOutcome, Code, OnBypass, OwnToolEnd, OwnToolUse, StepError,
    StepResult, StepStatus, ToolAccess,
};
use awf_tools::ProxySession;
use tracing::Instrument as _;

use crate::{
    engine::{
        agent::{answer, errand::Errand},
        patience::{Ended, within},
        span,
    },
    machine,
};

/// What an agent answered, if it did.
type Answer = Ended<Result<AgentOutcome, AgentFailure>>;

/// What came of a turn.
struct Turn {
    answer: Answer,
    /// The tool it used past the proxy, where that ends the step.
    bypass: Option<String>,
    /// It asked for the tools it was given, or was given none by a server.
    saw_tools: bool,
}

impl Errand {
    /// Asks once.
    pub(super) async fn turn(&mut self, session: Option<&ProxySession>) -> StepResult {
        let span = span::turn(self.name(), &self.request);
        let listed = session.map_or(0, ProxySession::listed);
        if let Some(session) = session {
            session.caused_by((self.link.current)(&span));
        }
        let access = self.access(session);
        let proxied = matches!(access, ToolAccess::Stdio(_));
        let (answer, bypass) = self.ask(access, session).instrument(span.clone()).await;
        let saw_tools = !proxied || session.is_some_and(|session| session.listed() > listed);
        let turn = Turn { answer, bypass, saw_tools };
        if let Ended::ByItself(Ok(AgentOutcome { model: Some(model), .. })) = &turn.answer {
            span.record("gen_ai.response.model", model);
        }
        let result = self.judged(turn);
        span::close_turn(&span, &result);
        result
    }

    /// Asks, and puts on record what the agent does past the proxy while it works. Gives the tool that it used there,
    /// where that ends the step.
    async fn ask(
        &mut self,
        access: ToolAccess,
        session: Option<&ProxySession>,
    ) -> (Answer, Option<String>) {
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
        (answer, bypass.filter(|_| self.on_bypass == OnBypass::Fail))
    }

    /// Agents that are programs start a server; the one that is a loop in this process has the router itself.
    fn access(&self, session: Option<&ProxySession>) -> ToolAccess {
        let Some(session) = session else { return ToolAccess::Own };
        match self.agent.kind() {
            AgentKind::OpenAiCompatible => {
                ToolAccess::Router { router: session.router(), reach: session.reach() }
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
