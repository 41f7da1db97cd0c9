//! What is run: a workflow and all it calls, by the names they are called by.

use std::collections::HashMap;

use awf_core::{State, Workflow};

/// A workflow and all it calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The root first.
    chapters: Vec<Chapter>,
    /// By the name in `call_workflow`.
    by_name: HashMap<String, ChapterId>,
}

/// One workflow of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChapterId(usize);

impl ChapterId {
    /// The workflow the run is of.
    pub(crate) const ROOT: Self = Self(0);
}

#[derive(Clone, Debug, PartialEq)]
struct Chapter {
    workflow: Workflow,
    states: HashMap<String, usize>,
}

impl Chapter {
    fn new(workflow: Workflow) -> Self {
        let states = workflow.states.iter().enumerate();
        let states = states.map(|(at, state)| (state.name.value.clone(), at)).collect();
        Self { workflow, states }
    }
}

impl Program {
    /// `called` has each workflow under the name that `call_workflow` uses, those that the called ones call included.
    pub fn new(root: Workflow, called: impl IntoIterator<Item = (String, Workflow)>) -> Self {
        let mut program = Self { chapters: vec![Chapter::new(root)], by_name: HashMap::new() };
        for (name, workflow) in called {
            program.by_name.insert(name, ChapterId(program.chapters.len()));
            program.chapters.push(Chapter::new(workflow));
        }
        program
    }

    /// The workflow the run is of.
    pub fn root(&self) -> &Workflow {
        self.workflow(ChapterId::ROOT)
    }

    /// The states of all of it.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.chapters.iter().flat_map(|chapter| &chapter.workflow.states)
    }

    /// The states of all that is called.
    pub(crate) fn called_states(&self) -> impl Iterator<Item = &State> {
        self.chapters.iter().skip(1).flat_map(|chapter| &chapter.workflow.states)
    }

    pub(crate) fn called(&self, name: &str) -> Option<ChapterId> {
        self.by_name.get(name).copied()
    }

    /// Whether the workflow of this name keeps what it is given as `input` to itself.
    pub fn keeps_secret(&self, called: &str, input: &str) -> bool {
        let called = self.called(called).map(|called| self.workflow(called));
        let mut inputs = called.iter().flat_map(|called| &called.inputs);
        inputs.any(|spec| spec.secret && spec.name.value == input)
    }

    pub(crate) fn workflow(&self, chapter: ChapterId) -> &Workflow {
        &self.chapters[chapter.0].workflow
    }

    pub(crate) fn state(&self, chapter: ChapterId, name: &str) -> Option<&State> {
        let chapter = &self.chapters[chapter.0];
        chapter.workflow.states.get(*chapter.states.get(name)?)
    }
}
