//! What is drawn, whatever the language: figures and arrows in the order of the file.

use std::collections::{HashMap, HashSet};

use awf_core::{OnFailure, State, StateKind, Workflow};

use crate::ways::{Cause, ends_silently, parts, ways};

/// Characters of a label at most.
const LONGEST: usize = 60;

pub(super) struct Picture {
    pub(super) title: String,
    pub(super) figures: Vec<Figure>,
    pub(super) arrows: Vec<Arrow>,
}

/// Something with an outline. Its id is safe in every language.
pub(super) struct Figure {
    pub(super) id: String,
    pub(super) lines: Vec<String>,
    pub(super) shape: Shape,
    pub(super) emphasis: Emphasis,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Start,
    Command,
    Agent,
    Parallel,
    Loop,
    Operation,
    Call,
    End,
    Missing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Emphasis {
    None,
    Strong,
}

pub(super) struct Arrow {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) label: String,
    pub(super) line: Line,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// From one state to the next.
    Solid,
    /// From a state to its parts.
    Dashed,
}

impl Picture {
    pub(super) fn of(workflow: &Workflow, highlight: Option<&str>) -> Self {
        let mut drawing = Drawing::new(workflow);
        for (place, state) in workflow.states.iter().enumerate() {
            drawing.state(place, state, highlight);
        }
        let first = drawing.id(workflow.initial.as_str());
        drawing.arrow("start", first, "", Line::Solid);
        for (place, state) in workflow.states.iter().enumerate() {
            drawing.arrows(place, state);
        }
        drawing.picture
    }
}

struct Drawing<'a> {
    picture: Picture,
    ids: HashMap<&'a str, String>,
    /// States that others run as their own: their silence is no end.
    owned: Vec<&'a str>,
    /// States that run as branches and not otherwise: their ways do not count.
    branches: HashSet<&'a str>,
}

impl<'a> Drawing<'a> {
    fn new(workflow: &'a Workflow) -> Self {
        let states = workflow.states.iter().enumerate();
        let mut owned: Vec<&str> =
            workflow.states.iter().flat_map(parts).map(awf_core::Located::as_str).collect();
        owned.sort_unstable();
        let mut drawing = Self {
            picture: Picture {
                title: workflow.name.value.clone(),
                figures: Vec::new(),
                arrows: Vec::new(),
            },
            ids: states.map(|(at, state)| (state.name.as_str(), format!("s{at}"))).collect(),
            owned,
            branches: only_branches(workflow),
        };
        drawing.add("start", Vec::new(), Shape::Start, Emphasis::None);
        drawing
    }

    fn state(&mut self, place: usize, state: &State, highlight: Option<&str>) {
        let shape = match &state.kind {
            StateKind::Command(_) => Shape::Command,
            StateKind::Agent(_) => Shape::Agent,
            StateKind::Parallel(_) => Shape::Parallel,
            StateKind::Loop(_) => Shape::Loop,
            StateKind::Operation(_) | StateKind::Custom(_) => Shape::Operation,
            StateKind::Call(_) => Shape::Call,
            StateKind::Terminal(_) => Shape::End,
        };
        let name = state.name.as_str();
        let emphasis = if highlight == Some(name) { Emphasis::Strong } else { Emphasis::None };
        self.add(&format!("s{place}"), vec![name.to_owned(), what(&state.kind)], shape, emphasis);
    }

    fn arrows(&mut self, place: usize, state: &'a State) {
        let own = format!("s{place}");
        for part in parts(state) {
            let part = self.id(part.as_str());
            self.arrow(&own, part, state.kind.as_str(), Line::Dashed);
        }
        let ends = matches!(state.kind, StateKind::Terminal(_));
        if ends || self.branches.contains(state.name.as_str()) {
            return;
        }
        for way in ways(state) {
            let label = match way.cause {
                Cause::When(condition) => short(&condition.value),
                Cause::Always => String::new(),
                Cause::Success => "success".to_owned(),
                Cause::Failure => "failure".to_owned(),
            };
            let to = self.id(way.to.as_str());
            self.arrow(&own, to, &label, Line::Solid);
        }
        if let Some(OnFailure::End { message, status }) = &state.on_failure {
            let end = format!("{own}_failed");
            let lines = vec![short(&message.value), format!("exit {status}")];
            self.add(&end, lines, Shape::End, Emphasis::None);
            self.arrow(&own, end, "failure", Line::Solid);
        }
        if ends_silently(state) && self.owned.binary_search(&state.name.as_str()).is_err() {
            let end = format!("{own}_done");
            self.add(&end, vec!["end".to_owned()], Shape::End, Emphasis::None);
            self.arrow(&own, end, "success", Line::Solid);
        }
    }

    /// The id of a state; a name that is none gets a figure of its own.
    fn id(&mut self, name: &'a str) -> String {
        if let Some(id) = self.ids.get(name) {
            return id.clone();
        }
        let id = format!("missing{}", self.picture.figures.len());
        self.ids.insert(name, id.clone());
        let lines = vec![short(name), "does not exist".to_owned()];
        self.add(&id, lines, Shape::Missing, Emphasis::None);
        id
    }

    fn add(&mut self, id: &str, lines: Vec<String>, shape: Shape, emphasis: Emphasis) {
        self.picture.figures.push(Figure { id: id.to_owned(), lines, shape, emphasis });
    }

    fn arrow(&mut self, from: &str, to: String, label: &str, line: Line) {
        let (from, label) = (from.to_owned(), label.to_owned());
        self.picture.arrows.push(Arrow { from, to, label, line });
    }
}

/// The branches of parallel states that are no part of a loop, and that no way leads to that counts.
fn only_branches(workflow: &Workflow) -> HashSet<&str> {
    let (mut branches, mut others) = (HashSet::new(), HashSet::from([workflow.initial.as_str()]));
    for state in &workflow.states {
        let names = parts(state).iter().map(awf_core::Located::as_str);
        match state.kind {
            StateKind::Parallel(_) => branches.extend(names),
            StateKind::Command(_)
            | StateKind::Agent(_)
            | StateKind::Loop(_)
            | StateKind::Operation(_)
            | StateKind::Custom(_)
            | StateKind::Call(_)
            | StateKind::Terminal(_) => others.extend(names),
        }
    }
    branches.retain(|branch| !others.contains(branch));
    let states: HashMap<&str, &State> =
        workflow.states.iter().map(|state| (state.name.as_str(), state)).collect();
    let counts = |state: &&State| !branches.contains(state.name.as_str());
    let mut open: Vec<&State> = workflow.states.iter().filter(counts).collect();
    while let Some(state) = open.pop() {
        let led_to = ways(state).into_iter().map(|way| way.to.as_str());
        open.extend(
            led_to.filter(|name| branches.remove(name)).filter_map(|name| states.get(name)),
        );
    }
    branches
}

/// The second line of a figure.
fn what(kind: &StateKind) -> String {
    match kind {
        StateKind::Agent(agent) => format!("agent {}", short(&agent.provider.value)),
        StateKind::Parallel(parallel) => format!("parallel, {}", parallel.strategy.as_str()),
        StateKind::Operation(operation) => short(operation.operation.as_str()),
        StateKind::Custom(custom) => short(custom.step_type.as_str()),
        StateKind::Call(call) => format!("workflow {}", short(call.workflow.as_str())),
        StateKind::Terminal(end) if end.success => "success".to_owned(),
        StateKind::Terminal(_) => "failure".to_owned(),
        StateKind::Command(_) | StateKind::Loop(_) => kind.as_str().to_owned(),
    }
}

/// One line, not too long.
fn short(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST - 1).chain(['…']).collect()
}
