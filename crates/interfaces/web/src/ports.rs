//! What this crate is handed: tools as a client may see them, the activity log, the clock.

use std::{sync::Arc, time::SystemTime};

use async_trait::async_trait;
use awf_core::{
    ActivityLog, Operation, RunJournal, ToolCall, ToolFailure, ToolProvider, TraceContext,
};
use awf_tools::{Answer, IntentSurface, ToolList};

/// What the endpoints stand on.
pub struct WebPorts {
    /// Gives each client its tools.
    pub views: Arc<dyn Views>,
    /// What was done; `None` when the activity log is switched off.
    pub log: Option<Arc<dyn ActivityLog>>,
    /// The runs of workflows.
    pub runs: Arc<dyn RunJournal>,
    /// What calls belong to that bring no trace of their own.
    pub trace: Option<TraceContext>,
    /// What is known of this machine.
    pub clinic: Arc<dyn Clinic>,
    /// Tells the time, for filters that say how long ago.
    pub clock: fn() -> SystemTime,
    /// Strikes out what this process knows to be secret.
    pub redact: fn(&str) -> String,
}

/// Tools that can be called and say whether a call was refused.
#[async_trait]
pub trait Gate: ToolProvider {
    /// Calls a tool. `Err` is for calls that reached no tool or broke the host.
    async fn judge_and_call(&self, call: ToolCall) -> Result<Answer, ToolFailure>;
    /// The tools it leads to: the best `limit` for `query`, or all for an empty one.
    async fn list(&self, query: &str, limit: usize) -> Result<ToolList, ToolFailure>;
}

#[async_trait]
impl Gate for IntentSurface {
    async fn judge_and_call(&self, call: ToolCall) -> Result<Answer, ToolFailure> {
        Self::judge_and_call(self, call).await
    }

    async fn list(&self, query: &str, limit: usize) -> Result<ToolList, ToolFailure> {
        Self::list(self, query, limit).await
    }
}

/// Gives clients their tools.
#[async_trait]
pub trait Views: Send + Sync {
    /// The tools of one client. A view narrows what is offered, it never widens it.
    async fn view(&self, wanted: &View) -> Result<Arc<dyn Gate>, NoView>;
}

/// What a client wants to see of what there is. An absent field leaves everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct View {
    /// Tools of these servers only.
    pub servers: Option<Vec<String>>,
    /// Tools up to this class only.
    pub allow: Option<Operation>,
}

/// Why there is no such view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoView {
    /// No such server.
    #[error("unknown server `{name}`: {hint}")]
    UnknownServer {
        /// As asked for, printable.
        name: String,
        /// Which there are.
        hint: String,
    },
    /// The tools cannot be had right now.
    #[error("{0}")]
    Unavailable(String),
}

/// Knows this machine, as far as that takes no trial: nothing is started to find out.
pub trait Clinic: Send + Sync {
    /// What is known now.
    fn chart(&self) -> Chart;
}

/// What is known of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The version of awf.
    pub version: String,
    /// Where awf keeps its data.
    pub home: String,
    /// What is open to others there, and what to do about it.
    pub exposure: Option<String>,
    /// The agents awf can start, in the order of `awf doctor`.
    pub agents: Vec<AgentChart>,
    /// The MCP servers whose tools are offered; `None` where no tools are.
    pub servers: Option<Vec<ServerChart>>,
}

/// What is known of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentChart {
    /// Its name in a workflow.
    pub name: String,
    /// Where its program is.
    pub program: AgentProgram,
    /// What was proven of its versions, the newest proof first.
    pub proofs: Vec<ProofChart>,
}

/// Where the program of an agent is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AgentProgram {
    /// It was not found.
    #[default]
    Missing,
    /// It is part of awf.
    Included,
    /// Here.
    At(String),
}

/// What was proven of one version of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofChart {
    /// The agent's version.
    pub version: String,
    /// The awf that tried it: another one asks it otherwise.
    pub awf_version: String,
    /// The verdict in one word.
    pub verdict: &'static str,
    /// Tools of its own that it kept.
    pub remains: Vec<String>,
    /// What went past awf.
    pub leaks: Vec<String>,
    /// How it was logged in.
    pub login: String,
    /// When, RFC 3339.
    pub at: String,
}

/// What is known of an MCP server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerChart {
    /// Its name.
    pub name: String,
    /// Its command or URL, without secrets.
    pub target: String,
    /// Why it cannot be used, if so.
    pub fault: Option<String>,
}
