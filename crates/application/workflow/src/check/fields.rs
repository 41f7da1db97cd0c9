//! Every template and every expression of a workflow: where it stands, when it is evaluated, where its value goes.

use awf_core::{
    AgentState, CommandSource, Hook, Limit, Loop, LoopOver, OnFailure, PromptSource, State,
    StateKind, Text, Tree, Workflow,
};

/// One template or expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) text: &'a Text,
    pub(super) language: Language,
    pub(super) site: Site,
    pub(super) sink: Sink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Template,
    Expression,
}

/// Where a text stands, and so what is known when it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// At the state of that number.
    State(usize, Moment),
    /// Around the whole run.
    Run(Around),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before the state begins.
    Before,
    /// Between the iterations of a loop, where `loop` is its own.
    Iterating,
    /// When its result is known.
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Start,
    End,
    Error,
    Cancel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    /// It is read by a shell.
    Shell,
    /// It is not.
    Plain,
}

/// Every text, in no particular order.
pub(super) fn fields(workflow: &Workflow) -> Vec<Field<'_>> {
    let mut fields = Fields { found: Vec::new(), site: Site::Run(Around::Start) };
    let hooks = &workflow.hooks;
    for (around, hooks) in [
        (Around::Start, &hooks.start),
        (Around::End, &hooks.end),
        (Around::Error, &hooks.error),
        (Around::Cancel, &hooks.cancel),
    ] {
        fields.site = Site::Run(around);
        fields.hooks(hooks);
    }
    for (place, state) in workflow.states.iter().enumerate() {
        fields.state(place, state);
    }
    fields.found
}

/// What was found so far, and where we are.
struct Fields<'a> {
    found: Vec<Field<'a>>,
    site: Site,
}

impl<'a> Fields<'a> {
    fn state(&mut self, place: usize, state: &'a State) {
        self.site = Site::State(place, Moment::Before);
        self.hooks(&state.hooks.pre);
        self.templates(&state.dir);
        self.templates(state.env.iter().map(|(_, value)| value));
        self.kind(place, &state.kind);
        self.site = Site::State(place, Moment::After);
        self.hooks(&state.hooks.post);
        for condition in state.transitions.iter().filter_map(|way| way.when.as_ref()) {
            self.expression(condition);
        }
        if let Some(OnFailure::End { message, .. }) = &state.on_failure {
            self.templates([message]);
        }
    }

    fn kind(&mut self, place: usize, kind: &'a StateKind) {
        match kind {
            StateKind::Command(CommandSource::Inline(command)) => self.shell(command),
            StateKind::Command(CommandSource::Script(path)) => self.templates([path]),
            StateKind::Agent(agent) => self.agent(agent),
            StateKind::Parallel(_) => {}
            StateKind::Loop(cycle) => self.cycle(place, cycle),
            StateKind::Operation(operation) => self.trees(&operation.inputs),
            StateKind::Custom(custom) => self.trees(&custom.config),
            StateKind::Call(call) => self.trees(&call.inputs),
            StateKind::Terminal(terminal) => self.templates(&terminal.message),
        }
    }

    fn agent(&mut self, agent: &'a AgentState) {
        let (PromptSource::Inline(prompt) | PromptSource::File(prompt)) = &agent.prompt;
        self.templates([&agent.provider, prompt]);
        self.templates(&agent.system_prompt);
        self.trees(&agent.options);
        self.templates(&agent.tools.roots);
    }

    fn cycle(&mut self, place: usize, cycle: &'a Loop) {
        match &cycle.max_iterations {
            Some(Limit::Computed(limit)) => self.expression(limit),
            Some(Limit::Fixed(_)) | None => {}
        }
        match &cycle.over {
            LoopOver::Items(items) => self.tree(items),
            LoopOver::Condition(condition) => {
                self.site = Site::State(place, Moment::Iterating);
                self.expression(condition);
            }
        }
        self.site = Site::State(place, Moment::Iterating);
        if let Some(condition) = &cycle.break_when {
            self.expression(condition);
        }
    }

    fn hooks(&mut self, hooks: &'a [Hook]) {
        for hook in hooks {
            match hook {
                Hook::Log(text) => self.templates([text]),
                Hook::Command(command) => self.shell(command),
            }
        }
    }

    fn trees<K>(&mut self, trees: &'a [(K, Tree)]) {
        for (_, tree) in trees {
            self.tree(tree);
        }
    }

    fn tree(&mut self, tree: &'a Tree) {
        match tree {
            Tree::Text(text) => self.templates([text]),
            Tree::Plain(_) => {}
            Tree::List(items, _) => items.iter().for_each(|item| self.tree(item)),
            Tree::Map(entries, _) => self.trees(entries),
        }
    }

    fn templates(&mut self, texts: impl IntoIterator<Item = &'a Text>) {
        for text in texts {
            self.add(text, Language::Template, Sink::Plain);
        }
    }

    fn shell(&mut self, text: &'a Text) {
        self.add(text, Language::Template, Sink::Shell);
    }

    fn expression(&mut self, text: &'a Text) {
        self.add(text, Language::Expression, Sink::Plain);
    }

    fn add(&mut self, text: &'a Text, language: Language, sink: Sink) {
        self.found.push(Field { text, language, site: self.site, sink });
    }
}
