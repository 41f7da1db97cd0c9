//! A plan as a document, for programs.

use awf_workflow::{Plan, PlannedStep, PlannedWay, WayOn, WayTo};
use serde::Serialize;

/// The plan as other programs read it. Stable once shipped.
///
/// ```json
/// {"workflow": "build", "inputs": [{"name": "target", "value": "debug"}],
///  "steps": [{"state": "compile", "kind": "command", "within": null, "description": null,
///             "values": [{"name": "command", "value": "make debug"}],
///             "ways": [{"on": "success", "state": "check"},
///                      {"on": "when", "when": "states.compile.ExitCode == 2", "state": "mend"},
///                      {"on": "failure", "end": "failure", "exit_code": 9, "message": "no luck"}]}]}
/// ```
/// Steps are in the order they would be reached; `within` is the parallel state or loop they are part of. `values` have the
/// keys of the file: templates are resolved where that can be done before a run, secrets are `***`. `on` is `success`,
/// `failure`, `when` or `always`; a way has either `state` or `end`, which is `success` or `failure`.
#[derive(Serialize)]
pub(crate) struct PlanDocument<'a> {
    workflow: &'a str,
    inputs: Vec<Entry<'a>>,
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct Step<'a> {
    state: &'a str,
    kind: &'a str,
    within: Option<&'a str>,
    description: Option<&'a str>,
    values: Vec<Entry<'a>>,
    ways: Vec<Way<'a>>,
}

#[derive(Serialize)]
struct Way<'a> {
    on: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<&'a str>,
    #[serde(flatten)]
    to: Target<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Target<'a> {
    State { state: &'a str },
    Success { end: &'static str },
    Failure { end: &'static str, exit_code: u8, message: &'a str },
}

impl<'a> From<&'a Plan> for PlanDocument<'a> {
    fn from(plan: &'a Plan) -> Self {
        Self {
            workflow: &plan.workflow,
            inputs: entries(&plan.inputs),
            steps: plan.steps.iter().map(Step::from).collect(),
        }
    }
}

impl<'a> From<&'a PlannedStep> for Step<'a> {
    fn from(step: &'a PlannedStep) -> Self {
        Self {
            state: &step.name,
            kind: step.kind,
            within: step.within.as_deref(),
            description: step.description.as_deref(),
            values: entries(&step.values),
            ways: step.ways.iter().map(Way::from).collect(),
        }
    }
}

impl<'a> From<&'a PlannedWay> for Way<'a> {
    fn from(way: &'a PlannedWay) -> Self {
        let (on, when) = match &way.on {
            WayOn::Success => ("success", None),
            WayOn::Failure => ("failure", None),
            WayOn::When(expression) => ("when", Some(expression.as_str())),
            WayOn::Always => ("always", None),
        };
        let to = match &way.to {
            WayTo::State(state) => Target::State { state },
            WayTo::Success => Target::Success { end: "success" },
            WayTo::Failure { message, status } => {
                Target::Failure { end: "failure", exit_code: *status, message }
            }
        };
        Self { on, when, to }
    }
}

fn entries(pairs: &[(String, String)]) -> Vec<Entry<'_>> {
    pairs.iter().map(|(name, value)| Entry { name, value }).collect()
}
