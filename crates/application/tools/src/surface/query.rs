//! What `retrieve_tools` is asked.

use awf_core::{RawJson, Refusal, RefusalCode};
use serde_json::{Map, Value};

/// Tools that a search gives when nobody says how many.
pub const TOOLS_USUAL: usize = 15;
/// Tools that a search gives at most.
pub const TOOLS_MOST: usize = 100;
/// Bytes of a query that are looked at.
const LONGEST: usize = 4096;

/// A search for tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Query {
    pub(super) text: String,
    pub(super) limit: usize,
    pub(super) detail: Detail,
}

/// How much is told of each tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    Full,
    Compact,
}

impl Query {
    pub(super) fn read(arguments: &RawJson) -> Result<Self, Refusal> {
        let refused = |message: &str| Refusal {
            code: RefusalCode::InvalidArguments,
            message: format!("invalid arguments: {message}"),
        };
        let given: Map<String, Value> = serde_json::from_str(arguments.get())
            .map_err(|_| refused("the arguments must be a JSON object"))?;
        let text = match given.get("query") {
            Some(Value::String(text)) if !text.trim().is_empty() => text,
            _ => {
                return Err(refused(
                    "`query` is required: a few words that say what the tool should do",
                ));
            }
        };
        let limit = match given.get("limit") {
            None | Some(Value::Null) => TOOLS_USUAL,
            Some(limit) => limit
                .as_u64()
                .and_then(|limit| usize::try_from(limit).ok())
                .filter(|limit| (1..=TOOLS_MOST).contains(limit))
                .ok_or_else(|| {
                    refused(&format!("`limit` must be a whole number from 1 to {TOOLS_MOST}"))
                })?,
        };
        let detail = match given.get("detail") {
            None | Some(Value::Null) => Detail::Full,
            Some(Value::String(detail)) if detail == "full" => Detail::Full,
            Some(Value::String(detail)) if detail == "compact" => Detail::Compact,
            Some(_) => return Err(refused("`detail` must be `full` or `compact`")),
        };
        let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default().to_owned();
        Ok(Self { text, limit, detail })
    }
}

#[cfg(test)]
mod tests;
