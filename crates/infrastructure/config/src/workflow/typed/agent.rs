//! An agent's block, its proxy and its tools, as typed.

use awf_core::{
    AgentMode, Code, Located, Operation, OutputFormat, PluginTools, Surface, Text, Tree,
};
use serde_json::{Value, json};

use crate::{
    reader::{Choice, Field, Findings, Mapping, Refused, Shape, Word, object},
    schema::Definitions,
    yaml::{Node, NodeValue},
};

object! {
    /// An agent, in a block of its own.
    pub(crate) struct AgentTyped;
    /// Which agent: claude, gemini, codex, opencode, `openai_compatible` or scripted.
    provider: Text;
    /// What it is asked.
    prompt: Text;
    /// A file with what it is asked.
    prompt_file: Text;
    /// What it is told beforehand.
    system_prompt: Text;
    /// A directory with an `AGENTS.md`, by name or path.
    role: Located<String>;
    /// `SKILL.md` files put before the prompt, by name or path.
    skills: Vec<SkillTyped>;
    /// One answer, or a conversation with a person.
    mode: Choice<AgentMode>;
    /// A session that goes on.
    conversation: ConversationTyped;
    /// How the answer is read.
    output_format: Choice<OutputFormat>;
    /// Settings of the provider, such as `model`.
    options: Mapping<Tree>;
    /// Belongs beside the `agent` block.
    mcp_proxy: Refused;
    /// Belongs beside the `agent` block.
    tools: Refused;
    /// Belongs beneath `options`.
    model: Refused;
    /// Belongs beneath `options`.
    max_tokens: Refused;
}

object! {
    /// A session that goes on.
    pub(crate) struct ConversationTyped;
    /// The earlier agent state whose session goes on.
    continue_from: Located<String>;
}

object! {
    /// Makes awf the agent's source of tools.
    pub(crate) struct McpProxyTyped, unknown = Code::ProxyUnknownKey;
    /// Whether it does; `false` when absent.
    enable: bool;
    /// Whether it is the only source: the agent's own tools are off and awf's built-ins on. `true` when absent.
    intercept_builtins: bool;
    /// Operations of plugins to offer.
    plugin_tools: Vec<PluginToolsTyped>;
}

object! {
    /// Operations of one plugin to offer.
    pub(crate) struct PluginToolsTyped, unknown = Code::ProxyUnknownKey;
    /// The plugin, as declared in `.awf/plugins.yaml`.
    plugin: Located<String>, required;
    /// Its operations.
    expose: Vec<Located<String>>, required;
}

impl PluginToolsTyped {
    /// What was typed; `None` when it names no plugin, which was said.
    pub(crate) fn meant(self) -> Option<PluginTools> {
        let expose = self.expose.given().unwrap_or_default();
        Some(PluginTools { plugin: self.plugin.given()?, expose })
    }

    /// Whether there is an operation in it, as far as it could be read.
    pub(crate) fn offers(&self) -> bool {
        match &self.expose {
            Field::Given(_, names) => !names.is_empty(),
            Field::Bad(_) => true,
            Field::Absent => false,
        }
    }
}

object! {
    /// Which tools an agent is given.
    pub(crate) struct ToolsTyped;
    /// How tools are offered: by name, or by the three intent variants. `direct` when absent.
    surface: Choice<Surface>;
    /// Upstream MCP servers whose tools are offered.
    servers: Vec<Located<String>>;
    /// The highest class of tool that is offered; `destructive` when absent.
    allow: Choice<Operation>;
    /// Further places where the file tools may work.
    roots: Vec<Text>;
}

object! {
    /// A skill at a path.
    pub(crate) struct SkillPathTyped;
    /// Its directory or file.
    path: Located<String>, required;
}

/// A skill, by name or by path.
#[derive(Clone, Debug)]
pub(crate) enum SkillTyped {
    Named(Located<String>),
    At(SkillPathTyped),
}

impl Shape for SkillTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(_) => SkillPathTyped::read(node, findings).map(Self::At),
            NodeValue::Scalar(scalar) if !scalar.is_null() => {
                Located::read(node, findings).map(Self::Named)
            }
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "a name, or a mapping with `path`");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [String::schema(definitions), SkillPathTyped::schema(definitions)] })
    }
}

impl Word for AgentMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("single", Self::Single), ("conversation", Self::Conversation)];
}

impl Word for OutputFormat {
    const WORDS: &'static [(&'static str, Self)] =
        &[("text", Self::Text), ("json", Self::Json), ("raw", Self::Raw), ("", Self::Raw)];
}

impl Word for Surface {
    const WORDS: &'static [(&'static str, Self)] =
        &[("direct", Self::Direct), ("intent", Self::Intent)];
}

impl Word for Operation {
    const WORDS: &'static [(&'static str, Self)] =
        &[("read", Self::Read), ("write", Self::Write), ("destructive", Self::Destructive)];
}
