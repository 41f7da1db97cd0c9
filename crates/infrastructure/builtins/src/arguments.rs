//! From a call's JSON to a tool's own arguments, with an answer a model can repair its call by.

use awf_core::{RawJson, ToolResult};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::shown;

mod whole;

pub(crate) use whole::Whole;

/// The arguments do not fit: which one, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InvalidArguments {
    path: String,
    message: String,
}

impl InvalidArguments {
    /// Both may quote what the caller wrote, at whatever length.
    pub(crate) fn new(path: &str, message: impl AsRef<str>) -> Self {
        let shortened = |text: &str, characters| match shown::cut(text, characters) {
            (start, true) => format!("{start}…"),
            (whole, false) => whole.to_owned(),
        };
        Self { path: shortened(path, 128), message: shortened(message.as_ref(), 1000) }
    }

    /// The answer: the failing path in the text, and the schema beside it.
    pub(crate) fn answer(&self, schema: &Value) -> ToolResult {
        let message = format!("invalid arguments: `{}`: {}", self.path, self.message);
        let body = json!({
            "code": "INVALID_ARGUMENTS",
            "message": message,
            "details": {"path": self.path, "schema": schema},
        });
        ToolResult::error_with(&message, &body)
    }
}

/// What stands for the arguments as a whole in a failing path.
const WHOLE: &str = "arguments";

/// Reads the arguments of one tool. Keys given twice, under one name or under a name and its alias, are refused.
pub(crate) fn parse<'a, T: Deserialize<'a>>(raw: &'a RawJson) -> Result<T, InvalidArguments> {
    // A derived `Deserialize` would take an array as well, field by field.
    if !raw.get().starts_with('{') {
        return Err(InvalidArguments::new(WHOLE, "must be a JSON object"));
    }
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let message = error.into_inner().to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text);
        let path = field_named_in(message).unwrap_or(if path == "." { WHOLE } else { &path });
        InvalidArguments::new(path, message)
    })
}

/// The field serde speaks of when the fault lies in a key and not in a value; the path then stops one level above.
fn field_named_in(message: &str) -> Option<&str> {
    let rest = ["missing field `", "unknown field `", "duplicate field `"]
        .iter()
        .find_map(|prefix| message.strip_prefix(prefix))?;
    rest.split_once('`').map(|(name, _)| name)
}

#[cfg(test)]
mod tests;
