//! Workflows, written short.

use std::time::Duration;

use awf_core::{
    Backoff, CallState, Capture, CommandSource, Limit, Located, Loop, LoopOver, OnFailure,
    Parallel, Retry, Span, State, StateHooks, StateKind, Strategy, Terminal, Text, Transition,
    Tree, Workflow, WorkflowHooks,
};

pub(super) fn located<T>(value: T) -> Located<T> {
    Located { value, span: Span::start_of("w.yaml") }
}

pub(super) fn name(name: &str) -> Located<String> {
    located(name.to_owned())
}

pub(super) fn text(value: &str) -> Text {
    Text { value: value.to_owned(), span: Span::start_of("w.yaml"), origin: None }
}

pub(super) fn workflow(states: Vec<State>) -> Workflow {
    Workflow {
        name: name("w"),
        file: "w.yaml".to_owned(),
        description: None,
        version: None,
        author: None,
        tags: Vec::new(),
        inputs: Vec::new(),
        plugins: Vec::new(),
        env: Vec::new(),
        initial: states.first().map_or_else(|| name(""), |state| state.name.clone()),
        states,
        hooks: WorkflowHooks::default(),
    }
}

pub(super) fn state(key: &str, kind: StateKind) -> State {
    State {
        name: name(key),
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

pub(super) fn command(key: &str) -> State {
    state(key, StateKind::Command(CommandSource::Inline(text("true"))))
}

pub(super) fn parallel(key: &str, branches: &[&str], strategy: Strategy) -> State {
    let branches = branches.iter().map(|branch| name(branch)).collect();
    state(key, StateKind::Parallel(Parallel { branches, strategy, max_concurrent: None }))
}

pub(super) fn cycle(key: &str, over: LoopOver, body: &[&str], limit: Option<u64>) -> State {
    state(
        key,
        StateKind::Loop(Box::new(Loop {
            over,
            body: body.iter().map(|state| name(state)).collect(),
            max_iterations: limit.map(|limit| Limit::Fixed(located(limit))),
            break_when: None,
            on_complete: None,
        })),
    )
}

pub(super) fn each(key: &str, body: &[&str]) -> State {
    cycle(key, LoopOver::Items(Tree::Text(text("{{.inputs.items}}"))), body, None)
}

pub(super) fn during(key: &str, body: &[&str], limit: u64) -> State {
    cycle(key, LoopOver::Condition(text("true")), body, Some(limit))
}

pub(super) fn call(key: &str, workflow: &str, outputs: &[(&str, &str)]) -> State {
    let outputs = outputs.iter().map(|(from, to)| (name(from), name(to))).collect();
    state(key, StateKind::Call(CallState { workflow: name(workflow), inputs: Vec::new(), outputs }))
}

pub(super) fn terminal(key: &str, success: bool) -> State {
    state(key, StateKind::Terminal(Terminal { success, message: None }))
}

pub(super) fn retry(max_attempts: u32, codes: &[i32]) -> Retry {
    Retry {
        max_attempts,
        initial_delay: Duration::from_millis(10),
        max_delay: None,
        backoff: Backoff::Constant,
        multiplier: 2.0,
        jitter: 0.0,
        retryable_exit_codes: codes.iter().copied().map(located).collect(),
        span: Span::start_of("w.yaml"),
    }
}

/// Ways on, in the order they are tried.
pub(super) trait Ways {
    fn then(self, to: &str) -> Self;
    fn fails_to(self, to: &str) -> Self;
    fn fails_with(self, message: &str, status: u8) -> Self;
    fn or_when(self, to: &str) -> Self;
    fn anyway(self) -> Self;
    fn tried(self, retry: Retry) -> Self;
    fn within(self, limit: Duration) -> Self;
}

impl Ways for State {
    fn then(mut self, to: &str) -> Self {
        self.on_success = Some(name(to));
        self
    }

    fn fails_to(mut self, to: &str) -> Self {
        self.on_failure = Some(OnFailure::Goto(name(to)));
        self
    }

    fn fails_with(mut self, message: &str, status: u8) -> Self {
        self.on_failure = Some(OnFailure::End { message: text(message), status });
        self
    }

    fn or_when(mut self, to: &str) -> Self {
        self.transitions.push(Transition { when: Some(text("x")), goto: name(to) });
        self
    }

    fn anyway(mut self) -> Self {
        self.continue_on_error = true;
        self
    }

    fn tried(mut self, retry: Retry) -> Self {
        self.retry = Some(retry);
        self
    }

    fn within(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }
}
