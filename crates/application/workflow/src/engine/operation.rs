//! Steps that a plugin takes.

use std::time::Instant;

use awf_core::{
    Code, OperationCall, OperationFailure, OperationResult, OperationState, StepError, StepResult,
    StepStatus,
};
use futures_util::FutureExt as _;

use crate::{
    engine::{
        bench::{Bench, Job},
        patience::{Ended, within},
        render::values,
    },
    machine,
};

pub(super) fn step(bench: &Bench<'_>, state: &OperationState) -> Result<Job, StepError> {
    let name = &state.operation.value;
    let Some((plugin, operation)) = name.split_once('.') else {
        let message = format!("no operation `{name}`");
        return Err(StepError { code: Code::OperationUnknown, message });
    };
    let cancel = bench.cancel.child_token();
    let call = OperationCall {
        plugin: plugin.to_owned(),
        operation: operation.to_owned(),
        inputs: values(&state.inputs, &bench.view)?.into(),
        trace: bench.trace.clone(),
        cancel: cancel.clone(),
    };
    let (operations, timeout) = (bench.ports.operations.clone(), bench.timeout());
    let work = async move {
        let began = Instant::now();
        let answer = within(timeout, &cancel, operations.execute(call)).await;
        StepResult { elapsed: began.elapsed(), ..told(answer) }
    };
    Ok(Job { work: work.boxed(), provider: None })
}

fn told(answer: Ended<Result<OperationResult, OperationFailure>>) -> StepResult {
    let fail = |code, message| machine::failed(StepError { code, message });
    match answer {
        Ended::Late(error) => machine::failed(error),
        Ended::Cancelled | Ended::ByItself(Err(OperationFailure::Cancelled)) => {
            machine::finished(StepStatus::Cancelled, 130)
        }
        Ended::ByItself(Ok(result)) => {
            let ended = if result.success {
                machine::finished(StepStatus::Completed, 0)
            } else {
                let message = result.error.unwrap_or_else(|| "the operation failed".to_owned());
                fail(Code::OperationFailed, message)
            };
            StepResult { output: result.output, response: result.data.to_map(), ..ended }
        }
        Ended::ByItself(Err(failure)) => fail(failure.code(), failure.to_string()),
    }
}
