//! Steps of a plugin's own type.

use std::time::Instant;

use awf_core::{
    Code, CustomState, OperationFailure, RawObject, StepError, StepResult, StepStatus,
    StepTypeCall, StepTypeResult,
};
use futures_util::FutureExt as _;
use serde_json::Value;

use crate::{
    engine::{
        OutputStream,
        bench::{Bench, Job},
        patience::{Ended, within},
        render::values,
    },
    machine,
};

pub(super) fn step(bench: &Bench<'_>, state: &CustomState) -> Result<Job, StepError> {
    let name = &state.step_type.value;
    let Some((plugin, step_type)) = name.split_once('.') else {
        let message = format!("no step type `{name}`");
        return Err(StepError { code: Code::OperationUnknown, message });
    };
    let cancel = bench.cancel.child_token();
    let inputs = bench.view.inputs().cloned().unwrap_or_default();
    let call = StepTypeCall {
        plugin: plugin.to_owned(),
        step_type: step_type.to_owned(),
        step: bench.task.step.clone(),
        config: RawObject::from(values(&state.config, &bench.view)?).into_raw(),
        inputs: RawObject::from(inputs).into_raw(),
        trace: bench.trace.clone(),
        cancel: cancel.clone(),
    };
    let (operations, timeout) = (bench.ports.operations.clone(), bench.timeout());
    let mut speaker = bench.speaker(OutputStream::Stdout);
    let work = async move {
        let began = Instant::now();
        let answer = within(timeout, &cancel, operations.execute_step(call)).await;
        let result = told(answer);
        speaker.say(&result.output);
        StepResult { elapsed: began.elapsed(), ..result }
    };
    Ok(Job { work: work.boxed(), provider: None })
}

fn told(answer: Ended<Result<StepTypeResult, OperationFailure>>) -> StepResult {
    match answer {
        Ended::Late(error) => machine::failed(error),
        Ended::Cancelled | Ended::ByItself(Err(OperationFailure::Cancelled)) => {
            machine::finished(StepStatus::Cancelled, 130)
        }
        Ended::ByItself(Ok(result)) => taken(result),
        Ended::ByItself(Err(failure)) => {
            machine::failed(StepError { code: failure.code(), message: failure.to_string() })
        }
    }
}

/// Lines of the output that a message has at most.
const MOST_LINES: usize = 3;
/// Bytes of the output that a message has at most.
const LONGEST_REASON: usize = 400;

/// The beginning of what the plugin said: it has no other place for what went wrong.
fn reason(output: &str) -> String {
    let lines = output.lines().map(str::trim).filter(|line| !line.is_empty()).take(MOST_LINES);
    let lines: Vec<&str> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut reason = lines.join("; ");
    reason.retain(|c| !c.is_control());
    if reason.len() > LONGEST_REASON {
        reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
        reason.push('…');
    }
    format!(": {reason}")
}

/// What the plugin gave; any exit code but 0 is a failure.
fn taken(result: StepTypeResult) -> StepResult {
    let exit_code = result.exit_code;
    let ended = if exit_code == 0 {
        machine::finished(StepStatus::Completed, 0)
    } else {
        let message = format!("exit code {exit_code}{}", reason(&result.output));
        let error = StepError { code: Code::OperationFailed, message };
        StepResult { exit_code, ..machine::failed(error) }
    };
    let response = result.data.to_map();
    let json = (!response.is_empty()).then(|| Value::Object(response.clone()));
    StepResult { output: result.output, response, json, ..ended }
}

#[cfg(test)]
mod tests;
