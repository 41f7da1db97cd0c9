//! What an operation gave, as a tool gives it: its text, and its values as they were written.

use awf_core::{OperationResult, RawObject, ToolResult};

/// The result a model reads.
pub(super) fn result(given: &OperationResult) -> ToolResult {
    let result = if given.success {
        ToolResult::text(&text(given))
    } else {
        ToolResult::error(&fault(given))
    };
    match given.data.iter().next() {
        Some(_) => result.with_structured(&given.data),
        None => result,
    }
}

/// A client that reads text only must see the values as well, if they are all there is.
fn text(given: &OperationResult) -> String {
    match given.output.as_str() {
        "" if given.data != RawObject::default() => given.data.clone().into_raw().into_string(),
        output => output.to_owned(),
    }
}

fn fault(given: &OperationResult) -> String {
    let error = given.error.as_deref().filter(|error| !error.trim().is_empty());
    let error = error.unwrap_or("the operation failed and gave no reason");
    match given.output.as_str() {
        "" => error.to_owned(),
        output => format!("{error}\n\n{output}"),
    }
}
