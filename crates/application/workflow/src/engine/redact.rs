//! What of an event may be kept. The run itself goes on with the true values.

use awf_core::{
    RawJson, RecordedInput, Redactor, RunFinished, StepError, StepResult, TaskOutcome, Workflow,
    is_sensitive,
};
use serde_json::{Map, Value};

/// An outcome without secrets.
pub(super) fn outcome(redactor: &Redactor, outcome: &TaskOutcome) -> TaskOutcome {
    match outcome {
        TaskOutcome::Step(result) => TaskOutcome::Step(Box::new(step(redactor, result))),
        TaskOutcome::Value(found) => TaskOutcome::Value(value(redactor, found)),
        TaskOutcome::Failed(fault) => TaskOutcome::Failed(error(redactor, fault)),
        TaskOutcome::Elapsed => TaskOutcome::Elapsed,
    }
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

/// What is kept of inputs. A value that would be struck out, in whole or in part, must be given again: a run that went
/// on with what is left of it would do something else.
pub(super) fn inputs(
    redactor: &Redactor,
    workflow: &Workflow,
    values: &Map<String, Value>,
) -> Vec<(String, RecordedInput)> {
    let declared =
        |name: &str| workflow.inputs.iter().any(|spec| spec.secret && spec.name.value == name);
    let record = |(name, found): (&String, &Value)| {
        let secret = declared(name) || is_sensitive(name) || value(redactor, found) != *found;
        let kept = if secret { RecordedInput::Secret } else { RecordedInput::Value(found.clone()) };
        (name.clone(), kept)
    };
    values.iter().map(record).collect()
}

fn step(redactor: &Redactor, result: &StepResult) -> StepResult {
    let text = |text: &str| redactor.text(text).into_owned();
    StepResult {
        output: text(&result.output),
        stderr: text(&result.stderr),
        response: match value(redactor, &Value::Object(result.response.clone())) {
            Value::Object(response) => response,
            _ => Map::new(),
        },
        json: result.json.as_ref().map(|json| value(redactor, json)),
        error: result.error.as_ref().map(|fault| error(redactor, fault)),
        captured: result.captured.iter().map(|(name, kept)| (name.clone(), text(kept))).collect(),
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
