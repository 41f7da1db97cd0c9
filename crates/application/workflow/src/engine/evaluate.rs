//! Answers to what the machine wants to know.

use awf_core::{
    CallState, Code, Limit, Loop, LoopOver, OnFailure, State, StateKind, StepError, TaskOutcome,
    Transition, Tree,
};
use awf_template::Scope;
use serde_json::{Map, Value};

use crate::{
    engine::render::{compute, render, test, value, values},
    inputs::{InputSources, resolve_inputs, text},
    machine::Question,
    program::Program,
};

/// Answers a question about a state.
pub(super) fn answer(
    question: Question,
    state: &State,
    program: &Program,
    scope: &dyn Scope,
    dir: &std::path::Path,
) -> TaskOutcome {
    let answer = match (question, &state.kind) {
        (Question::Transition, _) => transition(&state.transitions, scope),
        (Question::Message, kind) => message(kind, state.on_failure.as_ref(), scope),
        (Question::CallInputs, StateKind::Call(call)) => call_inputs(call, program, scope, dir),
        (Question::Items, StateKind::Loop(cycle)) => items(cycle, scope),
        (Question::Limit, StateKind::Loop(cycle)) => limit(cycle, scope),
        (Question::Condition, StateKind::Loop(cycle)) => match &cycle.over {
            LoopOver::Condition(condition) => test(condition, scope).map(Value::Bool),
            LoopOver::Items(_) => Ok(Value::Bool(false)),
        },
        (Question::Break, StateKind::Loop(cycle)) => match &cycle.break_when {
            Some(condition) => test(condition, scope).map(Value::Bool),
            None => Ok(Value::Bool(false)),
        },
        // The machine asks these of no other kind.
        (
            Question::CallInputs
            | Question::Items
            | Question::Limit
            | Question::Condition
            | Question::Break,
            _,
        ) => Ok(Value::Null),
    };
    match answer {
        Ok(value) => TaskOutcome::Value(value),
        Err(error) => TaskOutcome::Failed(error),
    }
}

fn transition(transitions: &[Transition], scope: &dyn Scope) -> Result<Value, StepError> {
    for (at, way) in transitions.iter().enumerate() {
        let taken = match &way.when {
            None => true,
            Some(when) => test(when, scope)?,
        };
        if taken {
            return Ok(Value::from(at));
        }
    }
    Ok(Value::Null)
}

fn message(
    kind: &StateKind,
    on_failure: Option<&OnFailure>,
    scope: &dyn Scope,
) -> Result<Value, StepError> {
    let text = match (kind, on_failure) {
        (StateKind::Terminal(terminal), _) => terminal.message.as_ref(),
        (_, Some(OnFailure::End { message, .. })) => Some(message),
        (_, Some(OnFailure::Goto(_)) | None) => None,
    };
    text.map_or(Ok(Value::Null), |text| render(text, scope).map(Value::from))
}

/// A list as it is; text as a JSON array, else as words between commas.
fn items(cycle: &Loop, scope: &dyn Scope) -> Result<Value, StepError> {
    let LoopOver::Items(tree) = &cycle.over else { return Ok(Value::Null) };
    Ok(match (tree, value(tree, scope)?) {
        (Tree::Text(_), Value::String(text)) => list(&text),
        (_, other) => other,
    })
}

fn list(text: &str) -> Value {
    let text = text.trim();
    match serde_json::from_str(text) {
        Ok(Value::Array(items)) => Value::Array(items),
        _ if text.is_empty() => Value::Array(Vec::new()),
        _ => text.split(',').map(|word| Value::from(word.trim())).collect(),
    }
}

fn limit(cycle: &Loop, scope: &dyn Scope) -> Result<Value, StepError> {
    let Some(Limit::Computed(computed)) = &cycle.max_iterations else { return Ok(Value::Null) };
    let value = compute(computed, scope)?;
    let number = match &value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    number.map(Value::from).ok_or_else(|| StepError {
        code: Code::InvalidLoop,
        message: format!("`max_iterations` gave {value}, which is no whole number"),
    })
}

/// The number, if nothing stands behind its point.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number that is whole, positive and below a thousand million fits"
)]
fn whole(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && (0.0..1e9).contains(&number)).then_some(number as u64)
}

/// The inputs of a call, held against what the called workflow declares.
fn call_inputs(
    call: &CallState,
    program: &Program,
    scope: &dyn Scope,
    dir: &std::path::Path,
) -> Result<Value, StepError> {
    let given: Vec<(String, Value)> = values(&call.inputs, scope)?.into_iter().collect();
    let Some(chapter) = program.called(&call.workflow.value) else { return Ok(Value::Null) };
    let sources = InputSources { given: &given, configured: &Map::new(), dir };
    match resolve_inputs(program.workflow(chapter), &sources) {
        Ok(inputs) => Ok(Value::Object(inputs.into_values())),
        Err(faults) => {
            let messages: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
            let message = format!("workflow `{}`: {}", call.workflow.value, messages.join("; "));
            Err(StepError { code: Code::InputValidationFailed, message })
        }
    }
}

/// The values of a workflow's inputs that are declared secret.
pub(super) fn secrets<'v>(
    workflow: &'v awf_core::Workflow,
    values: &'v Map<String, Value>,
) -> impl Iterator<Item = String> + 'v {
    let secret = workflow.inputs.iter().filter(|spec| spec.secret);
    secret.filter_map(|spec| values.get(&spec.name.value)).map(text)
}

#[cfg(test)]
mod tests;
