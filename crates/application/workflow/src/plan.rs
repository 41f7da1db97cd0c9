//! What a run would do, as far as it can be told now: for `--dry-run`.

use awf_core::{OnFailure, State, Workflow};
use serde_json::{Map, Value};

use crate::{
    plan::{known::Known, order::Reached},
    ways::{Cause, ends_silently, ways},
};

mod known;
mod order;
mod values;

/// What a run would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The workflow's name.
    pub workflow: String,
    /// What it is given, as shown: secrets are `***`.
    pub inputs: Vec<(String, String)>,
    /// Its states, in the order they would be reached.
    pub steps: Vec<PlannedStep>,
}

/// What a state would do.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedStep {
    /// The state.
    pub name: String,
    /// The word for what it does, such as `agent`.
    pub kind: &'static str,
    /// The parallel state or loop it is part of, as far as it is reached through one.
    pub within: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What is said of it, by the keys of the file: templates resolved where that can be done now.
    pub values: Vec<(String, String)>,
    /// Where it leads.
    pub ways: Vec<PlannedWay>,
}

/// Where a state leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedWay {
    /// When it is taken.
    pub on: WayOn,
    /// The state it leads to, or how the run ends.
    pub to: WayTo,
}

/// When a way is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayOn {
    /// After a success.
    Success,
    /// After a failure.
    Failure,
    /// When this expression is true.
    When(String),
    /// Always.
    Always,
}

/// Where a way leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayTo {
    /// To this state.
    State(String),
    /// To the end: the run has succeeded.
    Success,
    /// To the end: the run has failed, with this message and exit code.
    Failure {
        /// What is said.
        message: String,
        /// The exit code.
        status: u8,
    },
}

/// What a run would do with what is known now: the namespaces `inputs`, `env`, `awf`, `workflow`, `context`, each an
/// object. Templates that need more are shown as written. No file is read.
pub fn plan(workflow: &Workflow, known: &Map<String, Value>) -> Plan {
    let known = Known::new(workflow, known);
    let steps = order::reached(workflow).into_iter().map(|reached| step(&reached, &known));
    Plan {
        workflow: workflow.name.value.clone(),
        inputs: known.inputs(workflow),
        steps: steps.collect(),
    }
}

fn step(reached: &Reached<'_>, known: &Known) -> PlannedStep {
    let state = reached.state;
    PlannedStep {
        name: state.name.value.clone(),
        kind: state.kind.as_str(),
        within: reached.within.map(|owner| owner.name.value.clone()),
        description: state.description.clone(),
        values: values::of(state, known),
        ways: if reached.leads_on() { planned_ways(state, reached, known) } else { Vec::new() },
    }
}

fn planned_ways(state: &State, reached: &Reached<'_>, known: &Known) -> Vec<PlannedWay> {
    let mut planned: Vec<PlannedWay> = ways(state)
        .into_iter()
        .map(|way| {
            let on = match way.cause {
                Cause::When(condition) => WayOn::When(condition.value.clone()),
                Cause::Always => WayOn::Always,
                Cause::Success => WayOn::Success,
                Cause::Failure => WayOn::Failure,
            };
            PlannedWay { on, to: WayTo::State(way.to.value.clone()) }
        })
        .collect();
    if ends_silently(state) && reached.within.is_none() {
        planned.push(PlannedWay { on: WayOn::Success, to: WayTo::Success });
    }
    if let Some(OnFailure::End { message, status }) = &state.on_failure {
        let to = WayTo::Failure { message: known.text(&message.value), status: *status };
        planned.push(PlannedWay { on: WayOn::Failure, to });
    }
    planned
}

#[cfg(test)]
mod tests;
