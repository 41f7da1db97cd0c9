//! Agents: what one is asked, how it reaches its tools, what it answers; and the port every agent implements.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    json::RawJson,
    tool::{ToolProvider, TraceContext},
    workflow::{AgentMode, OutputFormat},
};

mod option;

pub use option::OptionFault;

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
#[derive(Clone, Debug, PartialEq)]
pub enum AgentNews {
    /// Its model is asked: for the first time, or with what its calls came to.
    Asked,
    /// Its model has answered, and has said all it says before the calls it asks for.
    Answered(ModelAnswer),
    /// It says something; pieces in order.
    Text(String),
    /// It complains.
    Complaint(String),
    /// It used a tool that is not the proxy's, as its own stream tells.
    OwnTool(OwnToolUse),
}

/// One answer of a model, as far as the agent tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelAnswer {
    /// What it said; enough of the beginning.
    pub text: String,
    /// What it used, where that is told.
    pub usage: Option<Usage>,
}

/// The use of a tool an agent has of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnToolUse {
    /// As the agent names it: `Bash`, `shell`, `apply_patch`.
    pub tool: String,
    /// What it was called with, as JSON, where the stream has it.
    pub arguments: RawJson,
    /// What came of it.
    pub end: OwnToolEnd,
}

/// What becomes of a step whose agent uses a tool of its own although the proxy is to be its only source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBypass {
    /// It goes on; the use is on record.
    #[default]
    Record,
    /// It ends, and has failed.
    Fail,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnToolEnd {
    /// It ran, or nothing says that it did not.
    Ran,
    /// The agent itself has no such tool, and said so to its model: nothing happened.
    Unavailable(String),
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
    /// The model that answered, where it said so.
    pub model: Option<String>,
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

impl Usage {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            estimated: self.estimated || other.estimated,
            cost: match (self.cost, other.cost) {
                (Some(one), Some(another)) => Some(one + another),
                (one, another) => one.or(another),
            },
        }
    }
}

/// Why an agent gave no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
        /// What it used until then.
        usage: Usage,
    },
    /// It was told to stop.
    #[error("the agent was stopped")]
    Cancelled,
    /// This version of awf does not have the agent.
    #[error(
        "provider `{0}` is not supported by this version of awf; `--provider scripted:<file>` can play its part"
    )]
    Unsupported(String),
    /// Its program is not on this machine.
    #[error(
        "the program of provider `{provider}` was not found: there is no `{program}` in the PATH"
    )]
    Missing {
        /// The provider.
        provider: String,
        /// The program it needs.
        program: String,
    },
    /// The model asked for tools without naming any, or without end.
    #[error("{message}")]
    Endless {
        /// What it did.
        message: String,
        /// What it used until then.
        usage: Usage,
    },
    /// A scripted agent got another answer than its script expects.
    #[error("{0}")]
    Mismatch(String),
    /// A setting of the step cannot be honoured by this provider.
    #[error("{0}")]
    Unusable(String),
}

impl AgentFailure {
    /// What the agent used before it failed.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Failed { usage, .. } | Self::Endless { usage, .. } => *usage,
            Self::Start(_)
            | Self::Cancelled
            | Self::Unsupported(_)
            | Self::Missing { .. }
            | Self::Mismatch(_)
            | Self::Unusable(_) => Usage::default(),
        }
    }
}

/// What is known of an agent that is to have no tools but the proxy's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// awf makes the calls itself, or `awf doctor` has proven this very version.
    Certain,
    /// Nobody has looked at this version.
    Unproven,
    /// `awf doctor` has seen this version use tools of its own: which.
    Leaking(String),
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
    /// Whether a step may not set this variable for it: one that says which program runs, what that loads, or where its
    /// key goes. Those are the user's.
    fn reserves(&self, _variable: &OsStr) -> bool {
        false
    }
    /// Whether it is known to keep to the tools it is given, where it is given all of them.
    async fn isolation(&self, _request: &AgentRequest) -> Isolation {
        Isolation::Certain
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
