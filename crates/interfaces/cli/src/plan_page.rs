//! `awf run --dry-run`: what a run would do, for a person to read.

use awf_workflow::{Inputs, Plan, PlannedStep, PlannedWay, WayOn, WayTo, plan};
use serde_json::{Map, json};

use crate::{environment::Environment, table::printable, workflows::Bundle};

/// The plan, with every value that is known before the run.
pub(crate) fn text(bundle: &Bundle, inputs: &Inputs, environment: &Environment) -> String {
    let workflow = bundle.workflow();
    let dir = bundle.project.path(environment);
    let known = json!({
        "inputs": inputs.values(),
        "env": environment.readable(),
        "awf": bundle.project.namespace(),
        "workflow": {"Name": workflow.name.value},
        "context": {
            "WorkingDir": dir,
            "User": environment.user(),
            "Hostname": Environment::hostname(),
        },
    });
    let nothing = Map::new();
    page(&plan(workflow, known.as_object().unwrap_or(&nothing)))
}

fn page(plan: &Plan) -> String {
    let mut page = format!("{}: nothing is run\n", printable(&plan.workflow));
    if !plan.inputs.is_empty() {
        page.push_str("\ninputs\n");
    }
    page.extend(plan.inputs.iter().map(|(name, value)| entry(name, value)));
    page.extend(plan.steps.iter().map(block));
    page
}

fn block(step: &PlannedStep) -> String {
    let within = step.within.as_ref().map(|owner| format!("  in {owner}")).unwrap_or_default();
    let mut block = format!("\n{}  {}{within}\n", step.name, step.kind);
    block.extend(step.description.iter().map(|about| format!("  # {}\n", printable(about))));
    block.extend(step.values.iter().map(|(name, value)| entry(name, value)));
    block.extend(step.ways.iter().map(arrow));
    block
}

/// A value of several lines is set apart beneath its name.
fn entry(name: &str, value: &str) -> String {
    match value.lines().collect::<Vec<_>>().as_slice() {
        [] => format!("  {name}:\n"),
        [line] => format!("  {name}: {}\n", printable(line)),
        lines => {
            let mut entry = format!("  {name}:\n");
            entry.extend(lines.iter().map(|line| format!("    {}\n", printable(line))));
            entry
        }
    }
}

fn arrow(way: &PlannedWay) -> String {
    let on = match &way.on {
        WayOn::Success => "success".to_owned(),
        WayOn::Failure => "failure".to_owned(),
        WayOn::When(expression) => format!("when {}", printable(expression)),
        WayOn::Always => "always".to_owned(),
    };
    let to = match &way.to {
        WayTo::State(name) => name.clone(),
        WayTo::Success => "end, success".to_owned(),
        WayTo::Failure { message, status } => {
            format!("end, failure with exit code {status}: {}", printable(message))
        }
    };
    format!("  {on} -> {to}\n")
}
