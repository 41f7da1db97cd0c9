//! The scripted agent: fixed turns from a file, with real tool calls through the real proxy. No key, no network.

use std::time::Duration;

use async_trait::async_trait;
use awf_core::{
    AgentFailure, AgentKind, AgentNews, AgentOutcome, AgentProvider, AgentRequest, AgentWatcher,
    Script, ToolAccess, Turn,
};
use awf_process::Guard;
use tokio_util::sync::CancellationToken;

use crate::scripted::{mcp_child::McpChild, play::play, toolbox::Toolbox};

mod expect;
mod mcp_child;
mod play;
mod toolbox;

/// Plays the part of any agent.
pub struct ScriptedAgent {
    script: Script,
    guard: Guard,
}

impl ScriptedAgent {
    /// An agent that plays `script`; the server it is given is started through `guard`.
    pub fn new(script: Script, guard: Guard) -> Self {
        Self { script, guard }
    }

    fn turns(&self, request: &AgentRequest) -> Result<&[Turn], AgentFailure> {
        let step = &request.step;
        self.script.turns_for(step).ok_or_else(|| {
            let reason = "add it under `steps`, or give `turns` for all steps";
            AgentFailure::Unusable(format!("the script has no turns for step `{step}`; {reason}"))
        })
    }
}

#[async_trait]
impl AgentProvider for ScriptedAgent {
    fn kind(&self) -> AgentKind {
        AgentKind::Scripted
    }

    async fn run(
        &self,
        request: AgentRequest,
        access: ToolAccess,
        watcher: AgentWatcher,
        cancel: CancellationToken,
    ) -> Result<AgentOutcome, AgentFailure> {
        let turns = self.turns(&request)?;
        let part = Part { turns, request: &request, watcher: &watcher, cancel: &cancel };
        match access {
            ToolAccess::Own => part.play_without_tools().await,
            ToolAccess::Router { router, reach: _ } => {
                let tools = Toolbox::Router { router, cancel: cancel.clone() };
                part.until_cancelled(play(&part, &tools)).await
            }
            ToolAccess::Stdio(access) => {
                let child = McpChild::start(&self.guard, &access, &request).await?;
                part.play_through(child).await
            }
        }
    }
}

/// What one run of the agent plays, and for whom.
struct Part<'a> {
    turns: &'a [Turn],
    request: &'a AgentRequest,
    watcher: &'a AgentWatcher,
    cancel: &'a CancellationToken,
}

impl Part<'_> {
    async fn play_without_tools(&self) -> Result<AgentOutcome, AgentFailure> {
        if let Some(call) = self.turns.iter().flat_map(|turn| &turn.calls).next() {
            let (step, tool) = (&self.request.step, &call.tool.value);
            return Err(AgentFailure::Unusable(format!(
                "the script calls `{tool}` in step `{step}`, which has no tools; give the step `mcp_proxy: {{enable: true}}`"
            )));
        }
        play(self, &Toolbox::Empty).await
    }

    /// With a server of its own, which is gone when this returns.
    async fn play_through(&self, mut child: McpChild) -> Result<AgentOutcome, AgentFailure> {
        let played = self
            .until_cancelled(async {
                let tools = Toolbox::Server(child.connect().await?);
                play(self, &tools).await
            })
            .await;
        let complaints = child.stop(patience_after(&played)).await;
        if !matches!(played, Ok(_) | Err(AgentFailure::Cancelled)) {
            for line in complaints {
                (self.watcher)(AgentNews::Complaint(line));
            }
        }
        played
    }

    async fn until_cancelled<T>(
        &self,
        work: impl Future<Output = Result<T, AgentFailure>>,
    ) -> Result<T, AgentFailure> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(AgentFailure::Cancelled),
            done = work => done,
        }
    }
}

/// A server whose client has left goes by itself; one that was interrupted is not waited for.
fn patience_after(played: &Result<AgentOutcome, AgentFailure>) -> Duration {
    match played {
        Err(AgentFailure::Cancelled) => Duration::ZERO,
        Ok(_) | Err(_) => Duration::from_secs(2),
    }
}
