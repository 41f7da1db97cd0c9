//! The operations, ready to be used.

use std::{env, ffi::OsString, path::PathBuf};

use awf_core::{
    OperationCall, OperationFailure, OperationProvider as _, OperationResult, RawJson, RawObject,
};
use awf_operations::Included;
use awf_process::{Guard, GuardCommand};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// The example of this crate that is the guard; cargo builds it with the tests.
fn guard() -> Guard {
    let test = env::current_exe().unwrap();
    let program =
        test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/operations_guard");
    assert!(program.exists(), "{}: `cargo build --examples -p awf-operations`", program.display());
    Guard::new(GuardCommand { program, args: Vec::new() })
}

pub(crate) fn included(variables: &[(&str, &str)], notify_program: Option<PathBuf>) -> Included {
    let variables = variables.iter().map(|(key, value)| ((*key).into(), (*value).into()));
    Included::new(guard(), variables.collect::<Vec<(OsString, OsString)>>(), notify_program)
}

pub(crate) fn call(operation: &str, inputs: &str) -> OperationCall {
    let (plugin, operation) = operation.split_once('.').unwrap();
    OperationCall {
        plugin: plugin.into(),
        operation: operation.into(),
        inputs: RawObject::read(&RawJson::parse(inputs).unwrap()).unwrap(),
        trace: None,
        cancel: CancellationToken::new(),
    }
}

pub(crate) async fn run(
    operation: &str,
    inputs: &Value,
) -> Result<OperationResult, OperationFailure> {
    included(&[], None).execute(call(operation, &inputs.to_string())).await
}

/// A request that is answered in some way.
pub(crate) async fn request(inputs: &Value) -> OperationResult {
    run("http.request", inputs).await.unwrap()
}

/// The error of a request that is not answered.
pub(crate) async fn trouble(inputs: &Value) -> String {
    let result = request(inputs).await;
    assert!(!result.success && result.data == RawObject::default(), "{result:?}");
    result.error.unwrap()
}

/// One value of what was given.
pub(crate) fn value(result: &OperationResult, name: &str) -> Value {
    let raw = result.data.get(name).map_or("null", RawJson::get);
    serde_json::from_str(raw).unwrap()
}
