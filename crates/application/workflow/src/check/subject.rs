//! The workflow under check, with what every rule asks of it.

use std::{cell::Cell, collections::HashMap};

use awf_core::{AgentKind, AgentState, Code, Diagnostic, Span, State, Workflow, nearest, shown};
use awf_template::Template;

use crate::check::Surroundings;

/// Names compared in search of a near one, over a whole check: a file may hold thousands of wrong names.
const COMPARISONS: usize = 50_000;

pub(super) struct Subject<'a> {
    pub(super) workflow: &'a Workflow,
    pub(super) surroundings: &'a Surroundings<'a>,
    places: HashMap<&'a str, usize>,
    comparisons: Cell<usize>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(workflow: &'a Workflow, surroundings: &'a Surroundings<'a>) -> Self {
        let names = workflow.states.iter().map(|state| state.name.as_str());
        let places = names.zip(0..).collect();
        Self { workflow, surroundings, places, comparisons: Cell::new(COMPARISONS) }
    }

    /// The number of a state, in the order of the file.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(super) fn state(&self, name: &str) -> Option<&'a State> {
        self.place(name).and_then(|place| self.workflow.states.get(place))
    }

    pub(super) fn state_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.workflow.states.iter().map(|state| state.name.as_str())
    }

    /// The agent that will take the step; `None` where it is not known, or there is none of that name.
    pub(super) fn agent_kind(&self, agent: &AgentState) -> Option<AgentKind> {
        if let Some(provider) = self.surroundings.provider {
            return AgentKind::parse(provider);
        }
        let name = &agent.provider.value;
        let literal = Template::parse(name).is_ok_and(|template| template.is_literal());
        AgentKind::parse(name).filter(|_| literal)
    }

    /// A finding about a name that is not known, hinting at the nearest that are.
    pub(super) fn unknown<'n>(
        &self,
        code: Code,
        message: String,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        self.suggest(Diagnostic::new(code, message), name, known)
    }

    /// The same finding, hinting at the nearest known names where some are near.
    pub(super) fn suggest<'n>(
        &self,
        finding: Diagnostic,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        let left = self.comparisons.get();
        let mut compared = 0;
        let known = known.into_iter().take(left).inspect(|_| compared += 1);
        let near = nearest(name, known);
        self.comparisons.set(left - compared);
        let near: Vec<String> = near.iter().map(|near| format!("`{}`", shown(near))).collect();
        if near.is_empty() {
            return finding;
        }
        finding.hinting(format!("did you mean {}?", near.join(" or ")))
    }
}

/// Whether a value is missing from the file, which was told when it was read: what stands in its place is empty, and
/// has the place of the state's name.
pub(super) fn is_missing(state: &State, value: &str, span: &Span) -> bool {
    value.is_empty() && *span == state.name.span
}
