//! Arguments held against the schema before they go anywhere, and what a model is told when they do not fit.
//!
//! Only the check reads them as numbers and text; what goes on is the text as it was written.

use awf_core::{RawJson, RawObject, ToolResult};
use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use serde_json::{Value, json};

/// Faults told at once.
const MOST_FAULTS: usize = 5;
/// Bytes of one fault: names in it come from the caller.
const LONGEST_FAULT: usize = 400;

/// The schema of one operation, ready to check.
pub(super) struct ArgumentCheck {
    schema: Value,
    validator: Validator,
}

/// Arguments that do not fit.
pub(super) struct WrongArguments<'a> {
    message: String,
    /// A JSON pointer to the first fault.
    path: String,
    schema: &'a Value,
}

impl ArgumentCheck {
    pub(super) fn new(schema: Value) -> Result<Self, String> {
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&schema).map_err(|error| error.to_string())?;
        Ok(Self { schema, validator })
    }

    /// The members of `arguments`, each as it was written, if the schema allows them.
    pub(super) fn read(&self, arguments: &RawJson) -> Result<RawObject, WrongArguments<'_>> {
        let unreadable = |reason: String| self.wrong(&[(String::new(), reason)]);
        // The members first: of a key given twice, the check and the operation might not take the same one.
        let members = RawObject::read(arguments).map_err(|error| unreadable(error.to_string()))?;
        let value: Value = serde_json::from_str(arguments.get())
            .map_err(|error| unreadable(format!("not readable: {error}")))?;
        let faults = self.found(&value);
        if faults.is_empty() { Ok(members) } else { Err(self.wrong(&faults)) }
    }

    /// What is wrong with `value`, in words.
    pub(super) fn faults(&self, value: &Value) -> Option<String> {
        let faults = self.found(value);
        (!faults.is_empty()).then(|| told(&faults))
    }

    /// Where and what the faults are, without the values.
    fn found(&self, value: &Value) -> Vec<(String, String)> {
        let faults = self.validator.iter_errors(value).take(MOST_FAULTS);
        faults.map(|fault| (place(&fault), cut(fault.masked().to_string()))).collect()
    }

    fn wrong(&self, faults: &[(String, String)]) -> WrongArguments<'_> {
        let path = faults.first().map(|(path, _)| path.clone()).unwrap_or_default();
        let message = format!("invalid arguments: {}", told(faults));
        WrongArguments { message, path, schema: &self.schema }
    }
}

impl WrongArguments<'_> {
    /// With the schema, so that the call can be mended; as text too, for clients show a model one or the other.
    pub(super) fn result(&self) -> ToolResult {
        let text = format!("{}\nthe arguments must fit: {}", self.message, self.schema);
        let structured = json!({
            "code": "INVALID_ARGUMENTS",
            "message": self.message,
            "path": self.path,
            "schema": self.schema,
        });
        ToolResult::error_with(&text, &structured)
    }
}

fn told(faults: &[(String, String)]) -> String {
    let told = faults.iter().map(|(path, reason)| match path.as_str() {
        "" => reason.clone(),
        path => format!("at `{path}`: {reason}"),
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Where the fault is; a member that is missing or too many has a place, too.
fn place(fault: &ValidationError<'_>) -> String {
    let parent = fault.instance_path().as_str();
    let member = match fault.kind() {
        ValidationErrorKind::Required { property } => property.as_str(),
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            unexpected.first().map(String::as_str)
        }
        _ => None,
    };
    let pointer = match member {
        Some(member) => format!("{parent}/{}", member.replace('~', "~0").replace('/', "~1")),
        None => parent.to_owned(),
    };
    cut(pointer)
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST_FAULT {
        text.truncate(text.floor_char_boundary(LONGEST_FAULT));
        text.push('…');
    }
    text
}
