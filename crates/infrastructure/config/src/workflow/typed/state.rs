//! A state as typed: the keys of every kind of state in one object, so that a misplaced one can be told from an unknown one.

use awf_core::{AgentMode, Located, OutputFormat, Strategy, Text, Tree};
use serde_json::Value;

use crate::{
    period::Period,
    reader::{Choice, Entries, Findings, Mapping, Refused, Shape, Useless, object},
    schema::Definitions,
    workflow::{
        meant::state_rules,
        typed::{
            AgentTyped, Bound, CaptureTyped, End, Items, McpProxyTyped, OnFailureTyped, RetryTyped,
            SkillTyped, StateHooksTyped, ToolsTyped, TransitionTyped, TypeTyped,
            agent::ConversationTyped,
        },
    },
    yaml::{Node, Place},
};

object! {
    /// One state.
    pub(crate) struct StateTyped, rules = state_rules;
    /// What it does: a word, or a plugin's own type `plugin.type`. With an `agent` block it may be left out.
    kind = "type": TypeTyped;
    /// What it is for.
    description: String;
    /// How long an attempt may take: whole seconds, or a duration such as `1500ms`, `2m`, `1h30m`.
    timeout: Period;
    /// Where to go when it succeeded.
    on_success: Located<String>;
    /// What to do when it failed: the name of a state, or an end with a message and an exit code.
    on_failure: OnFailureTyped;
    /// Conditional ways: the first that is true is taken, before everything else.
    transitions: Vec<Located<TransitionTyped>>;
    /// A failure leads on as a success would.
    continue_on_error: bool;
    /// Whether and how it is tried again.
    retry: RetryTyped;
    /// What is done around it.
    hooks: StateHooksTyped;
    /// What is kept of its output.
    capture: CaptureTyped;
    /// The directory it works in. For commands and agents.
    dir: Text;
    /// Variables added to its environment. For commands and agents.
    env: Mapping<Text>;

    /// Text for the shell. For commands.
    command: Text;
    /// A script file: run directly when it has a shebang, else given to the shell. For commands.
    script_file: Text;

    /// The agent, in a block of its own.
    agent: AgentTyped;
    /// Which agent: claude, gemini, codex, opencode, `openai_compatible` or scripted. For agents.
    provider: Text;
    /// What it is asked. For agents.
    prompt: Text;
    /// A file with what it is asked. For agents.
    prompt_file: Text;
    /// What it is told beforehand. For agents.
    system_prompt: Text;
    /// A directory with an `AGENTS.md`, by name or path. For agents.
    role: Located<String>;
    /// `SKILL.md` files put before the prompt, by name or path. For agents.
    skills: Vec<SkillTyped>;
    /// One answer, or a conversation with a person. For agents.
    mode: Choice<AgentMode>;
    /// A session that goes on. For agents.
    conversation: ConversationTyped;
    /// How the answer is read. For agents.
    output_format: Choice<OutputFormat>;
    /// Settings of the provider, such as `model`. For agents.
    options: Mapping<Tree>;
    /// Makes awf the agent's source of tools. For agents.
    mcp_proxy: McpProxyTyped;
    /// Which tools the agent is given; needs `mcp_proxy` with `enable: true`. For agents.
    tools: ToolsTyped;

    /// States that run at once. For `type: parallel`.
    parallel: Vec<Located<String>>;
    /// When a parallel state has succeeded; `all_succeed` when absent.
    strategy: Choice<Strategy>;
    /// How many states run at once; 0 is all. For `type: parallel`.
    max_concurrent: Located<i64>;

    /// A list, or a template that gives one. For `type: for_each`.
    items: Items;
    /// A condition, asked before each iteration. For `type: while`.
    condition = "while": Text;
    /// States that run in each iteration. For loops.
    body: Vec<Located<String>>;
    /// How many iterations at most, a number up to 10000 or an expression; 100 when absent. For loops.
    max_iterations: Bound;
    /// A condition that ends the loop, asked after each iteration. For loops.
    break_when: Text;
    /// Where to go when the loop is over. For loops.
    on_complete: Located<String>;

    /// An operation of a plugin, `plugin.operation`. For `type: operation`.
    operation: Located<String>;
    /// What an operation or a called workflow is given.
    inputs: Mapping<Tree>;
    /// Another name of `inputs`. For `type: operation`.
    operation_inputs: Mapping<Tree>;

    /// What a step of a plugin's own type is told. For `type: plugin.type`.
    config: Mapping<Tree>;

    /// A workflow to call, by name or path. For `type: call_workflow`.
    workflow: Located<String>;
    /// States of the called workflow and the names their output gets here. For `type: call_workflow`.
    outputs: Mapping<Located<String>>;

    /// Whether the end is a good one; `success` when absent. For `type: terminal`.
    status: Choice<End>;
    /// What to say at the end. For `type: terminal`.
    message: Text;

    /// Has no effect: write `transitions: [{when: …, goto: …}]`.
    when: Useless;
    /// Has no effect: write `on_success: <state>`.
    next: Useless;
    /// Has no effect: write `type: for_each` or `type: while` with a `body`.
    cycle = "loop": Useless;
    /// Has no effect: write `type: parallel` with `parallel: [<state>, …]`.
    branches: Useless;
    /// Has no effect: write `options: {model: …}`.
    model: Useless;
    /// Has no effect: write `options: {max_tokens: …}`.
    max_tokens: Useless;
    /// Has no effect: what comes after what is said by `on_success` and `transitions`.
    depends_on: Useless;
    /// Templates of states are not supported.
    use_template: Refused;
    /// Templates of states are not supported.
    parameters: Refused;
}

/// Something read, with the keys that were there.
#[derive(Clone, Debug)]
pub(crate) struct Keyed<T> {
    pub(crate) typed: T,
    pub(crate) keys: Vec<(String, Place)>,
}

impl<T: Shape> Shape for Keyed<T> {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let keys = Entries::of(node, findings)?;
        let keys = keys.all().map(|(key, place, _)| (key.to_owned(), place)).collect();
        T::read(node, findings).map(|typed| Self { typed, keys })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }
}
