//! `awf run --dry-run`: what a run would do, for a person or a program to read.

use awf_core::Workflow;
use awf_workflow::{Inputs, Plan, PlannedStep, PlannedWay, Program, WayOn, WayTo, plan};
use serde_json::{Map, Value, json};

use crate::{environment::Environment, secrets, table::printable, workflows::Bundle};

mod document;

pub(crate) use document::PlanDocument;

/// What a plan is asked for, beside the workflow.
pub(crate) struct Ask<'a> {
    pub(crate) inputs: &'a Inputs,
    /// This state only.
    pub(crate) only: Option<&'a str>,
    /// Who plays every agent.
    pub(crate) provider: Option<&'a str>,
    /// Results taken as given, by state.
    pub(crate) presets: Vec<(String, Map<String, Value>)>,
}

/// The plan, with every value that is known before the run.
pub(crate) fn planned(bundle: &Bundle, ask: &Ask<'_>, environment: &Environment) -> Plan {
    let workflow = bundle.workflow();
    let mut known = Map::new();
    let mut know = |root: &str, value: Value| known.insert(root.to_owned(), value);
    know("inputs", json!(ask.inputs.values()));
    know("env", json!(environment.readable()));
    know("awf", bundle.project.namespace());
    know("workflow", json!({"Name": workflow.name.value}));
    let place = json!({
        "WorkingDir": bundle.project.path(environment),
        "User": environment.user(),
        "Hostname": Environment::hostname(),
    });
    know("context", place);
    if !ask.presets.is_empty() {
        let given = ask.presets.iter().cloned().map(|(state, results)| (state, results.into()));
        know("states", Value::Object(given.collect()));
    }
    let mut plan = match ask.only {
        Some(state) => alone(workflow, state, &known),
        None => plan(workflow, &known),
    };
    let given = ask.presets.iter().filter(|(state, _)| Some(state.as_str()) != ask.only);
    given.for_each(|(state, results)| take_as_given(&mut plan, state, results));
    if let Some(provider) = ask.provider {
        play_agents(&mut plan, provider);
    }
    hide_given(&mut plan, &bundle.program);
    strike_out(&mut plan, bundle);
    plan
}

/// A secret that is written into a command stays where it is written.
fn strike_out(plan: &mut Plan, bundle: &Bundle) {
    let files = bundle.sources.iter().flat_map(|source| awf_config::secrets_of_file(&source.text));
    let redactor = secrets::redactor().knowing(files);
    let clean = |text: &mut String| *text = redactor.text(text).into_owned();
    for step in &mut plan.steps {
        step.description.iter_mut().for_each(clean);
        step.values.iter_mut().for_each(|(_, value)| clean(value));
    }
}

/// What a called workflow keeps to itself is not shown where it is given.
fn hide_given(plan: &mut Plan, program: &Program) {
    for step in plan.steps.iter_mut().filter(|step| step.kind == "call_workflow") {
        let called = step.values.iter().find(|(name, _)| name == "workflow");
        let Some((_, called)) = called.cloned() else { continue };
        for (name, value) in &mut step.values {
            let input = name.strip_prefix("inputs.");
            if input.is_some_and(|input| program.keeps_secret(&called, input)) {
                "***".clone_into(value);
            }
        }
    }
}

/// A state whose result is given is not run, nor are its parts; an end has no result.
fn take_as_given(plan: &mut Plan, state: &str, results: &Map<String, Value>) {
    let mut skipped = Vec::new();
    plan.steps.retain_mut(|step| {
        if step.name == state && step.kind != "terminal" {
            let text =
                |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let given = results.iter().map(|(name, value)| (format!("given.{name}"), text(value)));
            step.values = given.collect();
            skipped.push(step.name.clone());
            return true;
        }
        let part = step.within.as_ref().is_some_and(|owner| skipped.contains(owner));
        skipped.extend(part.then(|| step.name.clone()));
        !part
    });
}

/// One state and its parts: the run ends after it, wherever it would lead.
fn alone(workflow: &Workflow, state: &str, known: &Map<String, Value>) -> Plan {
    let mut workflow = workflow.clone();
    state.clone_into(&mut workflow.initial.value);
    let mut plan = plan(&workflow, known);
    let mut kept = vec![state.to_owned()];
    plan.steps.retain_mut(|step| {
        if step.name == state {
            step.ways.clear();
            return true;
        }
        let part = step.within.as_ref().is_some_and(|owner| kept.contains(owner));
        kept.extend(part.then(|| step.name.clone()));
        part
    });
    plan
}

fn play_agents(plan: &mut Plan, provider: &str) {
    let agents = plan.steps.iter_mut().filter(|step| step.kind == "agent");
    let values = agents.flat_map(|step| &mut step.values);
    for (_, value) in values.filter(|(name, _)| name == "provider") {
        provider.clone_into(value);
    }
}

pub(crate) fn page(plan: &Plan) -> String {
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
