//! A workflow as the validators of plugins read it: the names of its parts are those that existing plugins know, the
//! fields of the Go project's structs. Templates are as written; nothing is evaluated.

use std::{collections::BTreeMap, time::Duration};

use awf_core::{
    Hook, InputRules, InputSpec, Located, OnFailure, State, Text, Tree, Workflow, WorkflowHooks,
};
use serde_json::{Map, Value, json};

mod kind;

/// The workflow for `ValidateWorkflow` and `ValidateStep` of `plugin.v1`. Its states are `Steps`, by name.
pub fn validator_json(workflow: &Workflow) -> Value {
    let mut steps = Map::new();
    for state in &workflow.states {
        steps.insert(state.name.value.clone(), step(state));
        if let Some(OnFailure::End { message, status }) = &state.on_failure {
            let name = inline_end(state);
            let end = json!({
                "Name": name, "Type": "terminal", "Status": "failure",
                "Message": message.value, "ExitCode": status,
            });
            steps.insert(name, end);
        }
    }
    let plugins = workflow.plugins.iter();
    let plugins = plugins.map(|(alias, plugin)| (alias.as_str(), plugin.as_str()));
    let plugins: BTreeMap<&str, &str> = plugins.collect();
    json!({
        "Name": workflow.name.value,
        "Description": workflow.description.as_deref().unwrap_or_default(),
        "Version": workflow.version.as_deref().unwrap_or_default(),
        "Author": workflow.author.as_deref().unwrap_or_default(),
        "Tags": workflow.tags,
        "Inputs": workflow.inputs.iter().map(input).collect::<Vec<_>>(),
        "Env": names(&workflow.env),
        "Initial": workflow.initial.value,
        "Steps": steps,
        "Hooks": workflow_hooks(&workflow.hooks),
        "Plugins": plugins,
    })
}

fn input(spec: &InputSpec) -> Value {
    // What is secret is nobody's to read.
    let default = spec.default.as_ref().filter(|_| !spec.secret).map(|default| &default.value);
    json!({
        "Name": spec.name.value,
        "Type": spec.kind.as_str(),
        "Description": spec.description.as_deref().unwrap_or_default(),
        "Required": spec.required,
        "Default": default,
        "Validation": rules(&spec.rules),
    })
}

fn rules(rules: &InputRules) -> Value {
    if *rules == InputRules::default() {
        return Value::Null;
    }
    json!({
        "Pattern": rules.pattern.as_ref().map(|pattern| &pattern.value),
        "Enum": rules.one_of.as_ref().map(|values| &values.value),
        "Min": rules.min.as_ref().map(|least| least.value),
        "Max": rules.max.as_ref().map(|most| most.value),
        "FileExists": rules.file_exists,
        "FileExtension": rules.file_extension.as_ref().map(|endings| &endings.value),
    })
}

fn step(state: &State) -> Value {
    let on_failure = match &state.on_failure {
        Some(OnFailure::Goto(to)) => to.value.clone(),
        Some(OnFailure::End { .. }) => inline_end(state),
        None => String::new(),
    };
    let transitions = state.transitions.iter().map(|way| {
        let when = way.when.as_ref().map(|when| when.value.as_str()).unwrap_or_default();
        json!({ "When": when, "Goto": way.goto.value })
    });
    let env = state.env.iter().map(|(name, value)| (name.as_str(), value.value.as_str()));
    let env: BTreeMap<&str, &str> = env.collect();
    let mut step = json!({
        "Name": state.name.value,
        "Description": state.description.as_deref().unwrap_or_default(),
        "Dir": text(state.dir.as_ref()),
        "Env": env,
        "Timeout": state.timeout.map_or(0, seconds),
        "OnSuccess": state.on_success.as_ref().map(|to| to.value.as_str()).unwrap_or_default(),
        "OnFailure": on_failure,
        "Transitions": transitions.collect::<Vec<_>>(),
        "ContinueOnError": state.continue_on_error,
        "Hooks": { "Pre": hooks(&state.hooks.pre), "Post": hooks(&state.hooks.post) },
    });
    if let Some(step) = step.as_object_mut() {
        step.extend(kind::of(&state.kind));
        if let Some(retry) = &state.retry {
            step.insert("Retry".to_owned(), kind::retry(retry));
        }
        step.insert("Capture".to_owned(), kind::capture(&state.capture));
    }
    step
}

/// The end that an `on_failure` block stands for has a name of its own there.
fn inline_end(state: &State) -> String {
    format!("__inline_error_{}", state.name.value)
}

/// Whole seconds; what is less is still a limit.
fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

fn workflow_hooks(all: &WorkflowHooks) -> Value {
    json!({
        "WorkflowStart": hooks(&all.start),
        "WorkflowEnd": hooks(&all.end),
        "WorkflowError": hooks(&all.error),
        "WorkflowCancel": hooks(&all.cancel),
    })
}

fn hooks(hooks: &[Hook]) -> Vec<Value> {
    let hook = |hook: &Hook| match hook {
        Hook::Log(text) => json!({ "Log": text.value, "Command": "" }),
        Hook::Command(text) => json!({ "Log": "", "Command": text.value }),
    };
    hooks.iter().map(hook).collect()
}

fn names(names: &[Located<String>]) -> Vec<&str> {
    names.iter().map(Located::as_str).collect()
}

fn text(text: Option<&Text>) -> &str {
    text.map(|text| text.value.as_str()).unwrap_or_default()
}

fn trees(entries: &[(Located<String>, Tree)]) -> Map<String, Value> {
    entries.iter().map(|(name, value)| (name.value.clone(), tree(value))).collect()
}

fn tree(value: &Tree) -> Value {
    match value {
        Tree::Text(text) => Value::from(text.value.as_str()),
        Tree::Plain(plain) => plain.value.clone(),
        Tree::List(items, _) => items.iter().map(tree).collect(),
        Tree::Map(entries, _) => Value::Object(trees(entries)),
    }
}

#[cfg(test)]
mod tests;
