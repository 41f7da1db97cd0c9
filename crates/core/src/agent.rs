//! Agents: what one is asked, how it reaches its tools, what it answers; and the port every agent implements.

use std::{ffi::OsString, path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    tool::{ToolProvider, TraceContext},
    workflow::{AgentMode, OutputFormat},
};

/// The agents there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentKind {
    /// Claude Code.
    Claude,
    /// Gemini CLI.
    Gemini,
    /// Codex.
    Codex,
    /// `OpenCode`.
    OpenCode,
    /// Any endpoint that speaks chat completions.
    OpenAiCompatible,
    /// Fixed turns from a file.
    Scripted,
}

impl AgentKind {
    /// Every agent, for parsers and messages.
    pub const ALL: [Self; 6] = [
        Self::Claude,
        Self::Gemini,
        Self::Codex,
        Self::OpenCode,
        Self::OpenAiCompatible,
        Self::Scripted,
    ];

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Gemini => "gemini",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::OpenAiCompatible => "openai_compatible",
            Self::Scripted => "scripted",
        }
    }

    /// Reads the word; `-` and `_` are the same. The scripted agent is followed by its file: `scripted:turns.yaml`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.strip_prefix("scripted:").is_some_and(|file| !file.is_empty()) {
            return Some(Self::Scripted);
        }
        let word = text.replace('-', "_");
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Whether it keeps tools of its own beside an intercepting proxy until `awf doctor` has proven otherwise (D13).
    pub fn coexists(self) -> bool {
        match self {
            Self::Codex | Self::OpenCode => true,
            Self::Claude | Self::Gemini | Self::OpenAiCompatible | Self::Scripted => false,
        }
    }
}

/// What an agent is asked.
#[derive(Clone, Debug)]
pub struct AgentRequest {
    /// The run it belongs to.
    pub run: String,
    /// The step it takes.
    pub step: String,
    /// The prompt, skills included.
    pub prompt: String,
    /// What it is told beforehand, role included.
    pub system_prompt: Option<String>,
    /// One answer, or a conversation.
    pub mode: AgentMode,
    /// How the answer will be read.
    pub output_format: OutputFormat,
    /// The session to go on with.
    pub session: Option<String>,
    /// Settings of the provider, templates resolved.
    pub options: serde_json::Map<String, Value>,
    /// Where it works.
    pub dir: PathBuf,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// The trace it belongs to.
    pub trace: Option<TraceContext>,
}

/// How an agent reaches its tools.
#[derive(Clone)]
pub enum ToolAccess {
    /// It has no proxy: its own tools, whatever they are.
    Own,
    /// It starts this command and speaks MCP with it.
    Stdio(StdioAccess),
    /// In this process.
    Router {
        /// The router.
        router: Arc<dyn ToolProvider>,
        /// Whether there may be others.
        reach: Reach,
    },
}

/// An MCP server to be started by the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StdioAccess {
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What it needs in its environment, besides the agent's own.
    pub env: Vec<(OsString, OsString)>,
    /// Whether there may be other tools.
    pub reach: Reach,
}

/// Whether the proxy is an agent's only source of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is the only one: the agent's own tools are off.
    Exclusive,
    /// The agent keeps its own.
    Additive,
}

/// What is heard of an agent while it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentNews {
    /// It says something; pieces in order.
    Text(String),
    /// It complains.
    Complaint(String),
}

/// Takes the news of one agent; never waits.
pub type AgentWatcher = Arc<dyn Fn(AgentNews) + Send + Sync>;

/// What an agent answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentOutcome {
    /// The final text.
    pub text: String,
    /// The session, to go on with later.
    pub session: Option<String>,
    /// What it used.
    pub usage: Usage,
}

/// What an agent used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens it read.
    pub input_tokens: u64,
    /// Tokens it wrote.
    pub output_tokens: u64,
    /// Whether the counts are a guess.
    pub estimated: bool,
    /// What it cost, in dollars, where it said so.
    pub cost: Option<f64>,
}

/// Why an agent gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentFailure {
    /// It could not be started.
    #[error("cannot start the agent: {0}")]
    Start(String),
    /// It ended badly.
    #[error("{message}")]
    Failed {
        /// What went wrong.
        message: String,
        /// Its exit code, where there is one.
        exit_code: Option<i32>,
    },
    /// It was told to stop.
    #[error("the agent was stopped")]
    Cancelled,
    /// This version of awf does not have the agent.
    #[error(
        "provider `{0}` is not supported by this version of awf; `--provider scripted:<file>` can play its part"
    )]
    Unsupported(String),
    /// A scripted agent got another answer than its script expects.
    #[error("{0}")]
    Mismatch(String),
    /// A setting of the step cannot be honoured by this provider.
    #[error("{0}")]
    Unusable(String),
}

/// An agent.
///
/// Promises: it is gone when `run` returns, with everything it started; `cancel` ends it soon; it reaches tools by
/// `access` only, as far as awf can see to it.
#[async_trait]
pub trait AgentProvider: Send + Sync {
    /// Which one.
    fn kind(&self) -> AgentKind;
    /// How long it takes from being cancelled to being gone, at most.
    fn patience(&self) -> Duration {
        Duration::from_secs(5)
    }
    /// Asks it.
    async fn run(
        &self,
        request: AgentRequest,
        access: ToolAccess,
        watcher: AgentWatcher,
        cancel: CancellationToken,
    ) -> Result<AgentOutcome, AgentFailure>;
}
