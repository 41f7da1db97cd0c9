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
    let work = async move {
        let began = Instant::now();
        let answer = within(timeout, &cancel, operations.execute_step(call)).await;
        StepResult { elapsed: began.elapsed(), ..told(answer) }
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

/// What the plugin gave; any exit code but 0 is a failure.
fn taken(result: StepTypeResult) -> StepResult {
    let exit_code = result.exit_code;
    let ended = if exit_code == 0 {
        machine::finished(StepStatus::Completed, 0)
    } else {
        let message = format!("exit code {exit_code}");
        let error = StepError { code: Code::OperationFailed, message };
        StepResult { exit_code, ..machine::failed(error) }
    };
    let response = result.data.to_map();
    let json = (!response.is_empty()).then(|| Value::Object(response.clone()));
    StepResult { output: result.output, response, json, ..ended }
}
