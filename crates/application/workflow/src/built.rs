//! Workflows built in code, for tests: short to write, with places that tell where a finding points.

use std::{collections::HashMap, path::Path};

use awf_core::{
    AgentKind, AgentMode, AgentState, CallState, Capture, CommandSource, CustomState, Diagnostic,
    InputRules, InputSpec, InputType, Located, Loop, LoopOver, OnFailure, OperationSchema,
    OperationState, OptionFault, OutputFormat, Parallel, PluginCatalog, PluginEntry, PromptSource,
    Reach, Span, State, StateHooks, StateKind, StepTools, Strategy, Terminal, Text, TextOrigin,
    Transition, Tree, Workflow, WorkflowHooks,
};
use serde_json::{Value, json};

use crate::check::{Surroundings, check};

/// The only file there is.
pub(crate) const FILE: &str = "flows/main.yaml";

/// A text begins at line 1, column 1 of a file of its own, so a column counts its characters.
pub(crate) fn span(length: usize) -> Span {
    Span { file: FILE.to_owned(), line: 1, column: 1, end_line: 1, end_column: 1 + length }
}

pub(crate) fn name(value: &str) -> Located<String> {
    Located { value: value.to_owned(), span: span(value.chars().count()) }
}

pub(crate) fn names(values: &[&str]) -> Vec<Located<String>> {
    values.iter().map(|value| name(value)).collect()
}

pub(crate) fn text(value: &str) -> Text {
    let origin = Some(TextOrigin { line: 1, column: 1, indent: 1 });
    Text { value: value.to_owned(), span: span(value.chars().count()), origin }
}

pub(crate) fn tree(value: &str) -> Tree {
    Tree::Text(text(value))
}

/// A workflow that begins in the first of its states.
pub(crate) fn workflow(states: impl IntoIterator<Item = State>) -> Workflow {
    let states: Vec<State> = states.into_iter().collect();
    let initial = states.first().map_or_else(|| name("start"), |state| state.name.clone());
    Workflow {
        name: name("main"),
        file: FILE.to_owned(),
        description: None,
        version: None,
        author: None,
        tags: Vec::new(),
        inputs: Vec::new(),
        plugins: Vec::new(),
        env: Vec::new(),
        initial,
        states,
        hooks: WorkflowHooks::default(),
    }
}

pub(crate) fn state(own: &str, kind: StateKind) -> State {
    State {
        name: name(own),
        kind,
        description: None,
        timeout: None,
        on_success: None,
        on_failure: None,
        transitions: Vec::new(),
        continue_on_error: false,
        retry: None,
        hooks: StateHooks::default(),
        capture: Capture::default(),
        dir: None,
        env: Vec::new(),
    }
}

pub(crate) fn command(own: &str, command: &str) -> State {
    state(own, StateKind::Command(CommandSource::Inline(text(command))))
}

/// A command that does nothing worth naming.
pub(crate) fn step(own: &str) -> State {
    command(own, "true")
}

pub(crate) fn end(own: &str) -> State {
    state(own, StateKind::Terminal(Terminal { success: true, message: None }))
}

pub(crate) fn parallel(own: &str, branches: &[&str]) -> State {
    let branches = names(branches);
    let strategy = Strategy::default();
    state(own, StateKind::Parallel(Parallel { branches, strategy, max_concurrent: None }))
}

pub(crate) fn while_loop(own: &str, condition: &str, body: &[&str]) -> State {
    cycle(own, LoopOver::Condition(text(condition)), body)
}

pub(crate) fn for_each(own: &str, items: &str, body: &[&str]) -> State {
    cycle(own, LoopOver::Items(tree(items)), body)
}

fn cycle(own: &str, over: LoopOver, body: &[&str]) -> State {
    let cycle =
        Loop { over, body: names(body), max_iterations: None, break_when: None, on_complete: None };
    state(own, StateKind::Loop(Box::new(cycle)))
}

/// The loop itself, to change it.
pub(crate) fn loop_of(state: &mut State) -> &mut Loop {
    match &mut state.kind {
        StateKind::Loop(cycle) => cycle,
        other => panic!("{} is no loop", other.as_str()),
    }
}

pub(crate) fn agent(own: &str, prompt: &str) -> State {
    let agent = AgentState {
        provider: text("claude"),
        prompt: PromptSource::Inline(text(prompt)),
        system_prompt: None,
        role: None,
        skills: Vec::new(),
        mode: AgentMode::Single,
        continue_from: None,
        output_format: OutputFormat::Raw,
        options: Vec::new(),
        proxy: None,
        tools: StepTools::default(),
    };
    state(own, StateKind::Agent(Box::new(agent)))
}

/// An agent's step, changed.
pub(crate) fn agent_with(own: &str, change: impl FnOnce(&mut AgentState)) -> State {
    let mut state = agent(own, "go");
    match &mut state.kind {
        StateKind::Agent(agent) => change(agent),
        other => panic!("{} is no agent", other.as_str()),
    }
    state
}

pub(crate) fn operation(own: &str, operation: &str) -> State {
    let operation = OperationState { operation: name(operation), inputs: Vec::new() };
    state(own, StateKind::Operation(operation))
}

/// A step of a plugin's own type.
pub(crate) fn custom(own: &str, step_type: &str) -> State {
    let custom = CustomState { step_type: name(step_type), config: Vec::new() };
    state(own, StateKind::Custom(custom))
}

pub(crate) fn call(own: &str, callee: &str, inputs: &[(&str, &str)]) -> State {
    let inputs = inputs.iter().map(|(key, value)| (name(key), tree(value))).collect();
    state(own, StateKind::Call(CallState { workflow: name(callee), inputs, outputs: Vec::new() }))
}

pub(crate) fn input(own: &str) -> InputSpec {
    InputSpec {
        name: name(own),
        kind: InputType::String,
        description: None,
        required: false,
        default: None,
        secret: false,
        rules: InputRules::default(),
    }
}

/// A plugin that is switched on, with these operations declared; `None` is not known.
pub(crate) fn plugin(name: &str, operations: Option<&[&str]>) -> PluginEntry {
    let schema =
        |name: &&str| OperationSchema { name: (*name).to_owned(), ..OperationSchema::default() };
    PluginEntry {
        name: name.to_owned(),
        enabled: true,
        operations: operations.map(|names| names.iter().map(schema).collect()),
        ..PluginEntry::default()
    }
}

/// Where a state leads, said in a chain.
pub(crate) trait Leading {
    fn to(self, next: &str) -> Self;
    fn on_failure(self, next: &str) -> Self;
    fn when(self, condition: &str, next: &str) -> Self;
    fn always(self, next: &str) -> Self;
    fn ending(self, message: &str) -> Self;
}

impl Leading for State {
    fn to(self, next: &str) -> Self {
        Self { on_success: Some(name(next)), ..self }
    }

    fn on_failure(self, next: &str) -> Self {
        Self { on_failure: Some(OnFailure::Goto(name(next))), ..self }
    }

    fn when(mut self, condition: &str, next: &str) -> Self {
        self.transitions.push(Transition { when: Some(text(condition)), goto: name(next) });
        self
    }

    fn always(mut self, next: &str) -> Self {
        self.transitions.push(Transition { when: None, goto: name(next) });
        self
    }

    fn ending(self, message: &str) -> Self {
        let end = OnFailure::End { message: text(message), status: 3 };
        Self { on_failure: Some(end), ..self }
    }
}

/// The world around a workflow: nothing but what a test puts into it.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) plugins: PluginCatalog,
    pub(crate) servers: Option<Vec<String>>,
    pub(crate) files: Vec<&'static str>,
    /// Files that can be read, with their text.
    pub(crate) texts: HashMap<&'static str, &'static str>,
    pub(crate) workflows: HashMap<&'static str, Workflow>,
    pub(crate) provider: Option<&'static str>,
}

impl World {
    pub(crate) fn check(&self, workflow: &Workflow) -> Vec<Diagnostic> {
        let awf: Value = json!({ "prompts_dir": "/p/prompts", "scripts_dir": "/p/scripts" });
        let surroundings = Surroundings {
            plugins: &self.plugins,
            servers: self.servers.as_deref(),
            dir: Path::new("/p"),
            awf: &awf,
            skill_dirs: &["/p/.awf/skills".into(), "/home/skills".into()],
            role_dirs: &["/p/.awf/roles".into()],
            provider: self.provider,
            option: &option,
            file_exists: &|path| self.files.iter().any(|file| Path::new(file) == path),
            read_file: &|path| Some((*self.texts.get(path.to_str()?)?).to_owned()),
            workflows: &|_, name| self.workflows.get(name).cloned(),
        };
        check(workflow, &surroundings)
    }

    /// Each finding in a line: where, what, and the hint.
    pub(crate) fn told(&self, workflow: &Workflow) -> Vec<String> {
        self.check(workflow).iter().map(line).collect()
    }
}

/// Every provider knows `model`, which is a text, and `shell`, which gives it tools of its own.
fn option(
    provider: AgentKind,
    reach: Reach,
    name: &str,
    value: Option<&Value>,
) -> Result<(), OptionFault> {
    match (name, value) {
        ("model" | "api_key", None | Some(Value::String(_))) => Ok(()),
        ("model" | "api_key", Some(_)) => {
            Err(OptionFault::Value(format!("`{name}` must be a text")))
        }
        ("shell", _) if reach == Reach::Additive => Ok(()),
        ("shell", _) => Err(OptionFault::OwnTools { provider, name: "shell" }),
        (_, _) => {
            let (name, known) = (name.to_owned(), vec!["model", "shell"]);
            Err(OptionFault::Unknown { provider, name, known })
        }
    }
}

/// What is found in a workflow that stands alone.
pub(crate) fn told(workflow: &Workflow) -> Vec<String> {
    World::default().told(workflow)
}

/// `CODE column-end message | hint`, where `(usual)` is the hint of the code itself.
fn line(finding: &Diagnostic) -> String {
    let code = finding.code.as_str().rsplit('.').next().unwrap_or_default();
    let span = finding.span.as_ref().expect("a finding has a place");
    // What every finding of a code says is the business of the code.
    let usual = |hint: &&str| *hint == finding.code.hint();
    let hint = finding.hint.as_deref().unwrap_or("none");
    let hint = if usual(&hint) { "(usual)" } else { hint };
    format!("{code} {}-{} {} | {hint}", span.column, span.end_column, finding.message)
}
