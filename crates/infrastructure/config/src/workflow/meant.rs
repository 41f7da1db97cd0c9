//! From a workflow as typed to a workflow as meant: defaults filled in, both spellings made one, rules of shape told.
//!
//! What names of states, templates and expressions say is not looked at here.

use std::{collections::HashSet, path::Path};

use awf_core::{
    Code, Diagnostic, Hook, InputRules, InputSpec, InputType, Located, Span, State, StateKind,
    Text, Workflow, WorkflowHooks, shown,
};
use serde_json::Value;

use crate::{
    reader::{Field, Findings, Mapping, Plain},
    workflow::typed::{
        HookTyped, InputRulesTyped, InputTyped, InputsTyped, StatesTyped, WorkflowHooksTyped,
        WorkflowTyped,
    },
    yaml::Place,
};

mod agent;
mod kind;
mod retry;
mod rules;
mod state;

pub(super) use rules::state_rules;

/// What the file means; `None` when it has no states that could be looked at.
pub(super) fn workflow(
    typed: WorkflowTyped,
    file: &str,
    findings: &mut Findings<'_>,
) -> Option<Workflow> {
    tell_top_level(&typed, findings);
    let states_key = typed.states.key()?;
    let typed_states = typed.states.given()?;
    let initial = match (typed.initial.key(), typed_states.initial.clone()) {
        // It stands in the wrong place, which was said.
        (Some(place), Field::Absent) => Field::Bad(place),
        (_, initial) => initial,
    };
    let plugins = located(typed.plugins, findings);
    let states = states(typed_states, &plugins, findings);
    let initial = initial_state(initial, &states, states_key, findings)?;
    Some(Workflow {
        name: typed.name.given().unwrap_or_else(|| stem(file)),
        file: file.to_owned(),
        description: typed.description.given(),
        version: typed.version.given(),
        author: typed.author.given(),
        tags: typed.tags.given().unwrap_or_default(),
        inputs: typed.inputs.given().map(|typed| inputs(typed, findings)).unwrap_or_default(),
        plugins,
        env: typed.env.given().unwrap_or_default(),
        initial,
        states,
        hooks: typed.hooks.given().map(|typed| workflow_hooks(typed, findings)).unwrap_or_default(),
    })
}

fn tell_top_level(typed: &WorkflowTyped, findings: &mut Findings<'_>) {
    if let Some(place) = typed.initial.key() {
        findings.hint(
            Code::ParseUnknownField,
            place,
            "`initial` is not a key of the workflow",
            "put `initial` beneath `states`",
        );
    }
}

/// The file's name without its ending.
fn stem(file: &str) -> Located<String> {
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Located { value: stem.unwrap_or_else(|| file.to_owned()), span: Span::start_of(file) }
}

fn states(
    typed: StatesTyped,
    plugins: &[(Located<String>, Located<String>)],
    findings: &mut Findings<'_>,
) -> Vec<State> {
    let states = typed.states.into_iter().map(|entry| {
        let subject = format!("state `{}`", shown(entry.name.as_str()));
        let mut state =
            findings.within(subject, entry.place, |findings| state::state(entry, findings));
        if let StateKind::Custom(custom) = &mut state.kind {
            name_plugin(&mut custom.step_type.value, plugins);
        }
        state
    });
    states.collect()
}

/// Puts the plugin's own name where the workflow has another for it.
fn name_plugin(step_type: &mut String, plugins: &[(Located<String>, Located<String>)]) {
    let Some((alias, own)) = step_type.split_once('.') else { return };
    if let Some((_, plugin)) = plugins.iter().find(|(name, _)| name.as_str() == alias) {
        *step_type = format!("{}.{own}", plugin.as_str());
    }
}

/// The state it begins in: the one that is named, or the only one there is.
fn initial_state(
    initial: Field<Located<String>>,
    states: &[State],
    states_key: Place,
    findings: &mut Findings<'_>,
) -> Option<Located<String>> {
    let Some(first) = states.first() else {
        findings.hint(
            Code::MissingField,
            states_key,
            "the workflow has no states",
            "add a state beneath `states`",
        );
        return None;
    };
    if matches!(initial, Field::Absent) && states.len() > 1 {
        findings.hint(
            Code::MissingField,
            states_key,
            "`states` lacks `initial`",
            format!("say where to begin, such as `initial: {}`", shown(&first.name.value)),
        );
    }
    Some(initial.given().unwrap_or_else(|| first.name.clone()))
}

fn inputs(typed: InputsTyped, findings: &mut Findings<'_>) -> Vec<InputSpec> {
    let mut names = HashSet::new();
    let mut inputs = Vec::new();
    for (name, typed) in typed.0 {
        if names.insert(name.value.clone()) {
            inputs.push(input(name, typed, findings));
        } else {
            let message = format!("the input `{}` is declared twice", shown(&name.value));
            findings.add_at(Diagnostic::new(Code::ParseDuplicateKey, message), name.span);
        }
    }
    inputs
}

fn input(name: Located<String>, typed: InputTyped, findings: &Findings<'_>) -> InputSpec {
    let kind = typed.kind.given().map(|kind| kind.0).unwrap_or_default();
    InputSpec {
        name,
        kind,
        description: typed.description.given(),
        required: typed.required.given().unwrap_or_default(),
        default: typed.default.given().and_then(|given| default_value(given, kind, findings)),
        secret: typed.secret.given().unwrap_or_default(),
        rules: typed.validation.given().map(input_rules).unwrap_or_default(),
    }
}

/// A default as the input's type would have it: `1.0` for a text is these three characters.
fn default_value(
    default: Plain,
    kind: InputType,
    findings: &Findings<'_>,
) -> Option<Located<Value>> {
    let value = match kind {
        InputType::String => Value::String(default.scalar?.text),
        InputType::Integer | InputType::Boolean => default.scalar?.json(),
    };
    Some(Located { value, span: findings.span(default.place) })
}

fn input_rules(typed: InputRulesTyped) -> InputRules {
    InputRules {
        pattern: typed.pattern.given(),
        one_of: typed.one_of.given(),
        min: typed.min.given(),
        max: typed.max.given(),
        file_exists: typed.file_exists.given().unwrap_or_default(),
        file_extension: typed.file_extension.given(),
    }
}

fn workflow_hooks(typed: WorkflowHooksTyped, findings: &mut Findings<'_>) -> WorkflowHooks {
    WorkflowHooks {
        start: hooks(typed.start, findings),
        end: hooks(typed.end, findings),
        error: hooks(typed.error, findings),
        cancel: hooks(typed.cancel, findings),
    }
}

fn hooks(typed: Field<Vec<Located<HookTyped>>>, findings: &mut Findings<'_>) -> Vec<Hook> {
    let typed = typed.given().unwrap_or_default();
    typed.into_iter().filter_map(|typed| hook(typed, findings)).collect()
}

fn hook(typed: Located<HookTyped>, findings: &mut Findings<'_>) -> Option<Hook> {
    let HookTyped { log, command } = typed.value;
    match (log, command) {
        (Field::Given(..) | Field::Bad(_), Field::Given(place, _) | Field::Bad(place)) => {
            findings.say(Code::ConflictingFields, place, "a hook has both `log` and `command`");
            None
        }
        (Field::Given(_, text), Field::Absent) => Some(Hook::Log(text)),
        (Field::Absent, Field::Given(_, text)) => Some(Hook::Command(text)),
        (Field::Absent, Field::Absent) => {
            if !["log", "command"].iter().any(|key| findings.was_misspelt(key, &typed.span)) {
                let missing = Diagnostic::new(Code::MissingField, "a hook does nothing");
                findings.add_at(missing.hinting("add `log` or `command`"), typed.span);
            }
            None
        }
        (Field::Bad(_), Field::Absent) | (Field::Absent, Field::Bad(_)) => None,
    }
}

/// A mapping whose keys know their places.
fn located<T>(mapping: Field<Mapping<T>>, findings: &Findings<'_>) -> Vec<(Located<String>, T)> {
    let entries = mapping.given().map(|mapping| mapping.0).unwrap_or_default();
    entries
        .into_iter()
        .map(|(value, place, entry)| (Located { value, span: findings.span(place) }, entry))
        .collect()
}

/// What stands where a text should: the file is refused, and nothing more is to be said about it.
fn nothing(findings: &Findings<'_>) -> Text {
    let span = findings.span(findings.subject_place());
    Text { value: String::new(), span, origin: None }
}
