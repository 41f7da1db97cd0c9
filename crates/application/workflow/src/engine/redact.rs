//! What of an event may be kept. The run itself goes on with the true values.

use awf_core::{
    InputSpec, RawJson, RecordedInput, Redactor, RunBegan, RunFinished, StepError, StepResult,
    TaskOutcome, Workflow, is_sensitive,
};
use serde_json::{Map, Value};

use crate::inputs::text;

/// An outcome without secrets.
pub(super) fn outcome(redactor: &Redactor, outcome: &TaskOutcome) -> TaskOutcome {
    match outcome {
        TaskOutcome::Step(result) => TaskOutcome::Step(Box::new(step(redactor, result))),
        TaskOutcome::Value(found) => TaskOutcome::Value(value(redactor, found)),
        TaskOutcome::Failed(fault) => TaskOutcome::Failed(error(redactor, fault)),
        TaskOutcome::Elapsed => TaskOutcome::Elapsed,
    }
}

/// Found-out values without those of these names.
pub(super) fn named(secret: &[String], mut outcome: TaskOutcome) -> TaskOutcome {
    if let TaskOutcome::Value(Value::Object(values)) = &mut outcome {
        let named = values.iter_mut().filter(|(name, _)| secret.contains(name));
        named.for_each(|(_, found)| *found = Value::from("[redacted]"));
    }
    outcome
}

/// The end of a run without secrets.
pub(super) fn finished(redactor: &Redactor, end: RunFinished) -> RunFinished {
    RunFinished {
        message: end.message.map(|message| redactor.text(&message).into_owned()),
        error: end.error.map(|fault| error(redactor, &fault)),
        ..end
    }
}

pub(super) fn error(redactor: &Redactor, error: &StepError) -> StepError {
    StepError { code: error.code, message: redactor.text(&error.message).into_owned() }
}

/// The beginning of a run without secrets in the results it takes as given.
pub(super) fn began(redactor: &Redactor, began: &RunBegan) -> RunBegan {
    let given = |(name, found): (&String, &Value)| (name.clone(), value(redactor, found));
    let presets = began.presets.iter();
    let presets = presets.map(|(state, of)| (state.clone(), of.iter().map(given).collect()));
    RunBegan { presets: presets.collect(), ..began.clone() }
}

/// What is kept of inputs: what is secret is only named, unless it is nothing or the file has it anyway. A value that would be struck out, in whole or in part, must be given again: a run that went
/// on with what is left of it would do something else.
pub(super) fn inputs(
    redactor: &Redactor,
    workflow: &Workflow,
    values: &Map<String, Value>,
) -> Vec<(String, RecordedInput)> {
    let spec_of = |name: &str| workflow.inputs.iter().find(|spec| spec.name.value == name);
    let record = |(name, found): (&String, &Value)| {
        let spec = spec_of(name);
        let secret = spec.is_some_and(|spec| spec.secret)
            || is_sensitive(name)
            || value(redactor, found) != *found;
        let kept = if secret && !spec.is_some_and(|spec| unset(spec, found)) {
            RecordedInput::Secret
        } else {
            RecordedInput::Value(found.clone())
        };
        (name.clone(), kept)
    };
    values.iter().map(record).collect()
}

/// The secrets a run was given that it does not have now.
pub(super) fn missing(
    workflow: &Workflow,
    recorded: &[(String, RecordedInput)],
    values: &Map<String, Value>,
) -> Vec<String> {
    let lacking = |name: &str| {
        let spec = workflow.inputs.iter().find(|spec| spec.name.value == name);
        match (spec, values.get(name)) {
            (Some(spec), Some(found)) => unset(spec, found),
            (Some(_), None) => true,
            (None, _) => false,
        }
    };
    let secrets = recorded.iter().filter(|(_, kept)| *kept == RecordedInput::Secret);
    secrets.filter(|(name, _)| lacking(name)).map(|(name, _)| name.clone()).collect()
}

/// Whether a value is what an input is when nobody gives it.
fn unset(spec: &InputSpec, found: &Value) -> bool {
    match &spec.default {
        Some(default) => text(&default.value) == text(found),
        None => found.is_null() || found.as_str() == Some(""),
    }
}

fn step(redactor: &Redactor, result: &StepResult) -> StepResult {
    let clean = |text: &str| redactor.text(text).into_owned();
    StepResult {
        output: clean(&result.output),
        stderr: clean(&result.stderr),
        response: match value(redactor, &Value::Object(result.response.clone())) {
            Value::Object(response) => response,
            _ => Map::new(),
        },
        json: result.json.as_ref().map(|json| value(redactor, json)),
        error: result.error.as_ref().map(|fault| error(redactor, fault)),
        captured: result.captured.iter().map(|(name, kept)| (name.clone(), clean(kept))).collect(),
        session: result.session.clone(),
        ..*result
    }
}

fn value(redactor: &Redactor, value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(text) => Value::from(redactor.text(text)),
        Value::Array(_) | Value::Object(_) => {
            let clean = redactor.json(&RawJson::from(value.clone()));
            serde_json::from_str(clean.get()).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests;
