//! A workflow as meant: both spellings of the file are the same value here. Whatever can be wrong keeps its place.
//!
//! Names of other states, templates and expressions are kept as text with places; awf-workflow checks and runs them.

use std::time::Duration;

use crate::diagnostic::Span;

mod agent_state;
mod input;
mod retry;
mod text;

pub use agent_state::{
    AgentMode, AgentState, McpProxy, OutputFormat, PluginTools, PromptSource, Skill, StepTools,
    Surface,
};
pub use input::{InputRules, InputSpec, InputType};
pub use retry::{Backoff, Retry};
pub use text::{Located, Origin as TextOrigin, Text, Tree};

/// One workflow file.
#[derive(Clone, Debug, PartialEq)]
pub struct Workflow {
    /// Its name: the key `name`, else the file's stem.
    pub name: Located<String>,
    /// The file it came from, as the user named it.
    pub file: String,
    /// What it is for.
    pub description: Option<String>,
    /// Its version, as its author counts.
    pub version: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What it must be given.
    pub inputs: Vec<InputSpec>,
    /// Other names it has for plugins: the name on the left stands for the plugin on the right.
    pub plugins: Vec<(Located<String>, Located<String>)>,
    /// Environment variables it needs.
    pub env: Vec<Located<String>>,
    /// The state it begins in.
    pub initial: Located<String>,
    /// Its states, in the order of the file. Names are unique.
    pub states: Vec<State>,
    /// What is done around the whole run.
    pub hooks: WorkflowHooks,
}

impl Workflow {
    /// The state of that name.
    pub fn state(&self, name: &str) -> Option<&State> {
        self.states.iter().find(|state| state.name.value == name)
    }
}

/// One state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its key under `states`.
    pub name: Located<String>,
    /// What it does.
    pub kind: StateKind,
    /// What it is for.
    pub description: Option<String>,
    /// How long it may take, all attempts apart; `None` is without limit.
    pub timeout: Option<Duration>,
    /// Where to go when it succeeded.
    pub on_success: Option<Located<String>>,
    /// What to do when it failed.
    pub on_failure: Option<OnFailure>,
    /// Conditional ways, the first true one wins; tried before everything else.
    pub transitions: Vec<Transition>,
    /// A failure leads on as a success would.
    pub continue_on_error: bool,
    /// Whether and how it is tried again.
    pub retry: Option<Retry>,
    /// What is done around it.
    pub hooks: StateHooks,
    /// What is kept of its output.
    pub capture: Capture,
    /// The directory it works in, beneath the project's.
    pub dir: Option<Text>,
    /// Variables it adds to the environment.
    pub env: Vec<(Located<String>, Text)>,
}

/// What a state does.
#[derive(Clone, Debug, PartialEq)]
pub enum StateKind {
    /// A shell command or a script file.
    Command(CommandSource),
    /// An agent.
    Agent(Box<AgentState>),
    /// Other states at once.
    Parallel(Parallel),
    /// Other states, once for each item or as long as a condition holds.
    Loop(Box<Loop>),
    /// An operation of a plugin, `plugin.operation`.
    Operation(OperationState),
    /// A step type of a plugin, `plugin.type`.
    Custom(CustomState),
    /// Another workflow.
    Call(CallState),
    /// The end.
    Terminal(Terminal),
}

impl StateKind {
    /// Whether it runs other states.
    pub fn has_parts(&self) -> bool {
        match self {
            Self::Parallel(_) | Self::Loop(_) | Self::Call(_) => true,
            Self::Command(_)
            | Self::Agent(_)
            | Self::Operation(_)
            | Self::Custom(_)
            | Self::Terminal(_) => false,
        }
    }

    /// The word in reports, diagrams and events.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Agent(_) => "agent",
            Self::Parallel(_) => "parallel",
            Self::Loop(cycle) => match cycle.over {
                LoopOver::Items(_) => "for_each",
                LoopOver::Condition(_) => "while",
            },
            Self::Operation(_) => "operation",
            Self::Custom(_) => "custom",
            Self::Call(_) => "call_workflow",
            Self::Terminal(_) => "terminal",
        }
    }
}

/// Where a command comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum CommandSource {
    /// Text for the shell.
    Inline(Text),
    /// A file: run directly when it has a shebang, else given to the shell.
    Script(Text),
}

/// Other states at once. Their own ways onward do not count here.
#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    /// Names of states.
    pub branches: Vec<Located<String>>,
    /// When it has succeeded.
    pub strategy: Strategy,
    /// How many at once; `None` is all.
    pub max_concurrent: Option<usize>,
}

/// When a parallel state has succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// When all have; the first failure cancels the rest.
    #[default]
    AllSucceed,
    /// When one has; the others run on to their end.
    AnySucceed,
    /// Always; the results tell.
    BestEffort,
}

impl Strategy {
    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AllSucceed => "all_succeed",
            Self::AnySucceed => "any_succeed",
            Self::BestEffort => "best_effort",
        }
    }
}

/// Other states, again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Over what.
    pub over: LoopOver,
    /// Names of states, in order. A way to one of them jumps, a way back to the loop goes on with it, a way elsewhere
    /// leaves it.
    pub body: Vec<Located<String>>,
    /// How often at most: a number or an expression; 100 when absent.
    pub max_iterations: Option<Limit>,
    /// Ends the loop when true after an iteration.
    pub break_when: Option<Text>,
    /// Where to go when it is over; before `on_success`.
    pub on_complete: Option<Located<String>>,
}

/// What a loop goes over.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopOver {
    /// A list, or a template that gives one: a JSON array or words between commas.
    Items(Tree),
    /// An expression, asked before each iteration.
    Condition(Text),
}

/// A number, or an expression that gives one.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// The number.
    Fixed(Located<u64>),
    /// The expression.
    Computed(Text),
}

/// An operation of a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationState {
    /// `plugin.operation`.
    pub operation: Located<String>,
    /// What it is given.
    pub inputs: Vec<(Located<String>, Tree)>,
}

/// A step type of a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomState {
    /// `plugin.type`, with the plugin's own name.
    pub step_type: Located<String>,
    /// What the step is told.
    pub config: Vec<(Located<String>, Tree)>,
}

/// Another workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct CallState {
    /// Its name, or a path beside this file.
    pub workflow: Located<String>,
    /// What it is given.
    pub inputs: Vec<(Located<String>, Tree)>,
    /// Its state on the left becomes the name on the right in this state's `Response`.
    pub outputs: Vec<(Located<String>, Located<String>)>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Terminal {
    /// Whether it is a good one.
    pub success: bool,
    /// What to say.
    pub message: Option<Text>,
}

/// A conditional way.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// An expression; `None` is always true.
    pub when: Option<Text>,
    /// A state.
    pub goto: Located<String>,
}

/// What to do after a failure.
#[derive(Clone, Debug, PartialEq)]
pub enum OnFailure {
    /// Go to a state.
    Goto(Located<String>),
    /// End the run here.
    End {
        /// What to say.
        message: Text,
        /// The exit code, 1 to 255; 1 when the file gives none.
        status: u8,
    },
}

/// What is kept of a step's output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Keeps stdout also as `captured.<name>`.
    pub stdout: Option<Located<String>>,
    /// Keeps stderr also as `captured.<name>`.
    pub stderr: Option<Located<String>>,
    /// How many bytes of each are kept; the engine's own bound when absent.
    pub max_size: Option<u64>,
    /// How bytes become text.
    pub encoding: Encoding,
}

/// How bytes become text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As UTF-8; what is none is replaced.
    #[default]
    Utf8,
    /// Each byte is the character of that number.
    Latin1,
    /// As base64.
    Base64,
}

/// What is done around a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkflowHooks {
    /// Before the first state; a failure ends the run.
    pub start: Vec<Hook>,
    /// After a good end.
    pub end: Vec<Hook>,
    /// After a bad end; `error` is known here.
    pub error: Vec<Hook>,
    /// After an interruption.
    pub cancel: Vec<Hook>,
}

/// What is done around a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateHooks {
    /// Before it.
    pub pre: Vec<Hook>,
    /// After it, however it ended.
    pub post: Vec<Hook>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Hook {
    /// Say something.
    Log(Text),
    /// Run a shell command.
    Command(Text),
}

impl Located<String> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}

impl Span {
    /// The first character of a file: for what is missing as a whole.
    pub fn start_of(file: &str) -> Self {
        Self { file: file.to_owned(), line: 1, column: 1, end_line: 1, end_column: 2 }
    }
}
