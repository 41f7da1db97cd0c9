//! A step that an agent takes, and the tools it is given.

use crate::{
    diagnostic::Span,
    intent::Operation,
    tool_set::Naming,
    workflow::{Located, Text, Tree},
};

/// An agent's step.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentState {
    /// Which agent: `claude`, `gemini`, `codex`, `opencode`, `openai_compatible`, `scripted`; a template.
    pub provider: Text,
    /// What it is asked.
    pub prompt: PromptSource,
    /// What it is told beforehand.
    pub system_prompt: Option<Text>,
    /// A directory with an `AGENTS.md`, by name or path, put before the system prompt.
    pub role: Option<Located<String>>,
    /// `SKILL.md` files put before the prompt.
    pub skills: Vec<Skill>,
    /// One answer, or a conversation with a person.
    pub mode: AgentMode,
    /// The earlier agent state whose session goes on.
    pub continue_from: Option<Located<String>>,
    /// How the answer is read.
    pub output_format: OutputFormat,
    /// Settings of the provider, as they are.
    pub options: Vec<(Located<String>, Tree)>,
    /// The proxy, where the step has the block.
    pub proxy: Option<McpProxy>,
    /// Which tools, where the step has the block.
    pub tools: StepTools,
}

/// Where a prompt comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum PromptSource {
    /// The text itself.
    Inline(Text),
    /// A file.
    File(Text),
}

/// A skill: by name, or by the path of its directory or file.
#[derive(Clone, Debug, PartialEq)]
pub enum Skill {
    /// Looked for in the skill directories.
    Named(Located<String>),
    /// At this path.
    At(Located<String>),
}

/// One answer, or a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgentMode {
    /// One prompt, one answer.
    #[default]
    Single,
    /// A person answers until an empty line.
    Conversation,
}

/// How an answer is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// As it is.
    #[default]
    Raw,
    /// Without the fences of a code block.
    Text,
    /// As JSON, known as `JSON`.
    Json,
}

/// The `mcp_proxy` block.
#[derive(Clone, Debug, PartialEq)]
pub struct McpProxy {
    /// Whether awf is the source of tools.
    pub enable: bool,
    /// Whether it is the only one, with the built-ins.
    pub intercept_builtins: bool,
    /// Operations of plugins to offer.
    pub plugin_tools: Vec<PluginTools>,
    /// The key of the block.
    pub span: Span,
}

/// Operations of one plugin to offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginTools {
    /// The plugin.
    pub plugin: Located<String>,
    /// Its operations.
    pub expose: Vec<Located<String>>,
}

/// The `tools` block: what it does not say is as by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTools {
    /// How tools are offered.
    pub surface: Surface,
    /// Upstream servers whose tools are offered.
    pub servers: Vec<Located<String>>,
    /// The highest class that is offered.
    pub allow: Option<Operation>,
    /// Further places where the file tools may work.
    pub roots: Vec<Text>,
    /// The key of the block, if it is there.
    pub span: Option<Span>,
}

/// How tools are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// By name.
    #[default]
    Direct,
    /// By `call_tool_read`, `call_tool_write`, `call_tool_destructive`.
    Intent,
}

impl Surface {
    /// What the tools behind it need to be called by.
    pub fn naming(self) -> Naming {
        match self {
            Self::Direct => Naming::ByName,
            Self::Intent => Naming::ByAddress,
        }
    }
}
