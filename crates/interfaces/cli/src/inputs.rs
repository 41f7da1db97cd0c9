//! What a workflow is given: from the command line, from configuration, from a person at a terminal.

use awf_core::{Code, Diagnostic, InputSpec, Workflow, shown};
use awf_workflow::{InputSources, Inputs, check_input, missing_inputs, resolve_inputs};
use serde_json::Value;

use crate::{
    environment::Environment,
    prompt,
    report::{CommandError, say},
    workflows::Bundle,
};

/// `name=value`, as typed.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as name=value")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// All inputs, checked. What is missing is asked for when somebody is there.
pub(crate) async fn gather(
    bundle: &Bundle,
    mut given: Vec<(String, Value)>,
    environment: &Environment,
) -> Result<Inputs, CommandError> {
    let dir = bundle.project.path(environment);
    let configured = &bundle.settings.inputs;
    let workflow = bundle.workflow();
    let missing = missing_inputs(workflow, &InputSources { given: &given, configured, dir: &dir });
    if prompt::somebody_is_there() {
        for spec in missing {
            let answer = loop {
                let answer = Value::from(prompt::ask(spec).await?);
                match check_input(spec, &answer, &dir) {
                    Ok(_) => break answer,
                    Err(faults) => faults.iter().for_each(tell),
                }
            };
            given.push((spec.name.value.clone(), answer));
        }
    }
    Ok(resolve_inputs(workflow, &InputSources { given: &given, configured, dir: &dir })?)
}

/// What is wrong with an answer; whoever gave it is asked again.
fn tell(fault: &Diagnostic) {
    let hint = fault.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    say(&format!("{}{hint}", fault.message));
}

/// The values there are, if they are counted.
pub(crate) fn values(spec: &InputSpec) -> Option<String> {
    let values = spec.rules.one_of.as_ref()?.value.iter();
    Some(values.map(|value| shown(value)).collect::<Vec<_>>().join(" | "))
}

/// The variables a workflow says it needs.
pub(crate) fn variables(bundle: &Bundle, environment: &Environment) -> Result<(), CommandError> {
    let missing: Vec<String> = bundle
        .workflow()
        .env
        .iter()
        .filter(|name| environment.var(&name.value).is_none())
        .map(|name| format!("`{}`", shown(&name.value)))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("the workflow needs {} in the environment", missing.join(", "));
    Err(CommandError::of(Code::InputMissingVariable, message))
}

/// The values of secret inputs, as they would be printed.
pub(crate) fn secrets(workflow: &Workflow, inputs: &Inputs) -> Vec<String> {
    let secret = workflow.inputs.iter().filter(|spec| spec.secret);
    let values = secret.filter_map(|spec| inputs.values().get(&spec.name.value));
    values.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect()
}

/// The inputs of a workflow, for its help.
pub(crate) fn describe(workflow: &Workflow) -> String {
    let mut text = match &workflow.description {
        Some(about) => format!("{}: {}\n", shown(&workflow.name.value), shown(about)),
        None => format!("{}\n", shown(&workflow.name.value)),
    };
    if workflow.inputs.is_empty() {
        return text + "\nIt has no inputs.";
    }
    text.push_str("\nInputs, each given with `--input NAME=VALUE`:\n");
    text.extend(workflow.inputs.iter().map(described));
    text
}

fn described(spec: &InputSpec) -> String {
    let need = match (&spec.default, spec.required) {
        (Some(default), _) if !spec.secret => format!("default {}", default.value),
        (_, true) => "required".to_owned(),
        (_, false) => "optional".to_owned(),
    };
    let about = spec.description.as_deref().map(|about| format!("  {}", shown(about)));
    let about = about.unwrap_or_default();
    let values = values(spec).map(|values| format!(", {values}")).unwrap_or_default();
    format!("  {}  {}{values}, {need}{about}\n", spec.name.value, spec.kind.as_str())
}
