//! Arguments held against a tool's schema before they go anywhere, and what a model is told when they do not fit.
//!
//! Only the check reads them as numbers and text; what goes on is the text as it was written. A schema may come from a
//! server that means harm: none is fetched from anywhere, patterns take linear time, and one that would take too long is
//! not used at all.

use std::sync::Once;

use awf_core::{RawJson, ToolDefinition, ToolSource};
use jsonschema::{PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::{Map, Value};

mod cache;
mod effort;
mod strict;

pub(crate) use cache::{ArgumentChecks, Checked};

/// Faults told at once.
const MOST_FAULTS: usize = 5;
/// Bytes of one fault: names in it come from the caller.
const LONGEST_FAULT: usize = 400;
/// Bytes of a schema that is used.
const LONGEST_SCHEMA: usize = 256 * 1024;
/// Bytes one pattern may take once it is made ready.
const LARGEST_PATTERN: usize = 1024 * 1024;

/// The schema of one tool, ready to check.
pub(crate) struct ArgumentCheck {
    schema: Value,
    validator: Validator,
}

/// Whether `format` binds. In a plugin's schema it does; in a server's it is a remark, as the standard has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formats {
    Binding,
    Remarks,
}

/// Arguments that do not fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrongArguments {
    pub(crate) message: String,
    /// A JSON pointer to the first fault.
    pub(crate) path: String,
    /// What they must fit, where that is known.
    pub(crate) schema: Option<Value>,
}

/// Begins to make ready what every check stands on, beside the caller: the schema of schemas takes longer to read than a call
/// takes.
pub(crate) fn prepare() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        tokio::task::spawn_blocking(|| {
            ArgumentCheck::new(Value::Object(Map::new()), Formats::Remarks)
        });
    });
}

impl ArgumentCheck {
    pub(crate) fn new(schema: Value, formats: Formats) -> Result<Self, String> {
        effort::bounded(&schema)?;
        let patterns = PatternOptions::regex().size_limit(LARGEST_PATTERN);
        let options = jsonschema::options()
            .with_pattern_options(patterns.dfa_size_limit(LARGEST_PATTERN))
            .should_validate_formats(formats == Formats::Binding);
        let validator = options.build(&schema).map_err(|error| cut(error.to_string()))?;
        Ok(Self { schema, validator })
    }

    /// The check of a tool's own schema.
    fn of(tool: &ToolDefinition) -> Result<Self, String> {
        let schema = tool.input_schema().ok_or_else(|| "there is none".to_owned())?;
        if schema.get().len() > LONGEST_SCHEMA {
            return Err(format!("it is longer than {LONGEST_SCHEMA} bytes"));
        }
        let schema = serde_json::from_str(schema.get()).map_err(|error| error.to_string())?;
        let formats = match tool.source() {
            ToolSource::Plugin(_) => Formats::Binding,
            ToolSource::Builtin | ToolSource::Mcp(_) => Formats::Remarks,
        };
        Self::new(schema, formats)
    }

    /// Whether `arguments` are an object that the schema allows.
    pub(crate) fn check(&self, arguments: &RawJson) -> Result<(), WrongArguments> {
        let value =
            strict::object(arguments).map_err(|reason| self.wrong(&[(String::new(), reason)]))?;
        if self.validator.is_valid(&value) {
            return Ok(());
        }
        Err(self.wrong(&self.found(&value)))
    }

    /// What is wrong with `value`, in words.
    pub(crate) fn faults(&self, value: &Value) -> Option<String> {
        let faults = self.found(value);
        (!faults.is_empty()).then(|| told(&faults))
    }

    /// Arguments that could not be read at all.
    fn unread(&self, reason: &str) -> WrongArguments {
        self.wrong(&[(String::new(), reason.to_owned())])
    }

    /// Where and what the faults are, without the values.
    fn found(&self, value: &Value) -> Vec<(String, String)> {
        let faults = self.validator.iter_errors(value).take(MOST_FAULTS);
        faults.map(|fault| (place(&fault), cut(fault.masked().to_string()))).collect()
    }

    fn wrong(&self, faults: &[(String, String)]) -> WrongArguments {
        WrongArguments { schema: Some(self.schema.clone()), ..WrongArguments::new(faults) }
    }
}

impl WrongArguments {
    /// Without a schema to hold them against.
    fn new(faults: &[(String, String)]) -> Self {
        let path = faults.first().map(|(path, _)| path.clone()).unwrap_or_default();
        Self { message: format!("invalid arguments: {}", told(faults)), path, schema: None }
    }

    /// What a model reads: with the schema, so that the call can be mended.
    pub(crate) fn text(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{}\nthe arguments must fit: {schema}", self.message),
            None => self.message.clone(),
        }
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

#[cfg(test)]
mod tests;
