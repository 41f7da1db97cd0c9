//! A state as typed: the keys of every kind of state in one object, so that a misplaced one can be told from an unknown one.

use awf_core::{AgentMode, Code, Located, OutputFormat, Strategy, Text, Tree, nearest, shown};
use serde_json::{Value, json};

use crate::{
    period::Period,
    reader::{Choice, Entries, Findings, Mapping, Refused, Shape, Useless, Word, object},
    schema::Definitions,
    workflow::{
        meant::state_rules,
        typed::{
            AgentTyped, Bound, CaptureTyped, Items, McpProxyTyped, RetryTyped, SkillTyped,
            StateHooksTyped, ToolsTyped, agent::ConversationTyped, bounds,
        },
    },
    yaml::{Node, NodeValue, Place},
};

object! {
    /// One state.
    pub(crate) struct StateTyped, rules = state_rules;
    /// What it does. With an `agent` block it may be left out.
    kind = "type": TypeWord;
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
    /// Step types of plugins are not supported.
    config: Refused;
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

/// The word of `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeWord {
    Command,
    Agent,
    Parallel,
    ForEach,
    While,
    Operation,
    Call,
    Terminal,
}

impl Word for TypeWord {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("step", Self::Command),
        ("command", Self::Command),
        ("agent", Self::Agent),
        ("parallel", Self::Parallel),
        ("for_each", Self::ForEach),
        ("while", Self::While),
        ("operation", Self::Operation),
        ("call_workflow", Self::Call),
        ("terminal", Self::Terminal),
    ];
}

impl TypeWord {
    /// A pattern for the words that mean this, in whatever case.
    pub(crate) fn pattern(self) -> String {
        let words = Self::WORDS.iter().filter(|(_, kind)| *kind == self).map(|(word, _)| {
            let letter = |c: char| match c {
                '_' => "_".to_owned(),
                c => format!("[{}{c}]", c.to_ascii_uppercase()),
            };
            word.chars().map(letter).collect::<String>()
        });
        format!("^({})$", words.collect::<Vec<_>>().join("|"))
    }
}

impl Shape for TypeWord {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, "the kind of the state");
            return None;
        };
        let word = scalar.text.to_ascii_lowercase();
        let known = Self::WORDS.iter().find(|(known, _)| *known == word);
        if known.is_none() {
            refuse_type(node, &word, findings);
        }
        known.map(|(_, kind)| *kind)
    }

    fn schema(_: &mut Definitions) -> Value {
        let words: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
        let mut patterns: Vec<String> = Vec::new();
        for (_, kind) in Self::WORDS {
            let pattern = kind.pattern();
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        json!({ "anyOf": [
            { "enum": words },
            { "type": "string", "pattern": patterns.join("|") },
        ] })
    }
}

fn refuse_type(node: &Node, word: &str, findings: &mut Findings<'_>) {
    let words: Vec<&str> = TypeWord::WORDS.iter().map(|(word, _)| *word).collect();
    if word.contains('.') && nearest(word, words.iter().copied()).is_empty() {
        findings.hint(
            Code::ParseUnsupported,
            node.place,
            format!("`{}` is a step type of a plugin, and awf has none", shown(word)),
            "use an operation of the plugin: `type: operation` with `operation: plugin.name`",
        );
    } else {
        findings.not_one_of(node, word, &words);
    }
}

/// Whether a terminal state is a good end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Success,
    Failure,
}

impl Word for End {
    const WORDS: &'static [(&'static str, Self)] =
        &[("success", Self::Success), ("failure", Self::Failure)];
}

impl Word for Strategy {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("all_succeed", Self::AllSucceed),
        ("any_succeed", Self::AnySucceed),
        ("best_effort", Self::BestEffort),
    ];
}

object! {
    /// A conditional way.
    pub(crate) struct TransitionTyped, rules = needs_goto;
    /// An expression; without one the way is always taken.
    when: Text;
    /// The state to go to.
    goto: Located<String>;
}

fn needs_goto() -> serde_json::Map<String, Value> {
    serde_json::Map::from_iter([("required".to_owned(), json!(["goto"]))])
}

object! {
    /// An end of the run, where a step failed.
    pub(crate) struct EndTyped, rules = exit_code;
    /// What to say.
    message: Text, required;
    /// The exit code, 1 to 255; 1 when absent.
    status: Located<i64>;
}

fn exit_code() -> serde_json::Map<String, Value> {
    bounds(&json!({ "status": { "minimum": 1, "maximum": 255 } }))
}

/// What to do after a failure.
#[derive(Clone, Debug)]
pub(crate) enum OnFailureTyped {
    Goto(Located<String>),
    End(EndTyped),
}

impl Shape for OnFailureTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(_) => EndTyped::read(node, findings).map(Self::End),
            NodeValue::Scalar(scalar) if !scalar.is_null() => {
                Located::read(node, findings).map(Self::Goto)
            }
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "the name of a state, or a mapping with `message`");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [String::schema(definitions), EndTyped::schema(definitions)] })
    }
}
