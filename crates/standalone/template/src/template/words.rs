//! Functions that make texts of values, or values of texts.

use std::ops::Range;

use serde_json::Value;

use crate::{
    EvalError,
    budget::Draft,
    value::{Held, kind, text},
};

/// Parts `split` gives at most.
const MOST_PARTS: usize = 100_000;

/// One word for a POSIX shell, whatever is in it.
pub(crate) fn escape(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The parts of a text, without the white space around them.
pub(crate) fn split(value: &Value, separator: &str, at: &Range<usize>) -> Result<Value, EvalError> {
    let whole = text(value);
    let parts: Vec<Value> =
        whole.split(separator).take(MOST_PARTS + 1).map(|part| part.trim().into()).collect();
    if parts.len() > MOST_PARTS {
        let message = format!("`split` gives more than {MOST_PARTS} parts");
        return Err(EvalError::new(message, at.clone()));
    }
    Ok(Value::Array(parts))
}

/// The elements of a list with a text between them. A text is a list of one.
pub(crate) fn join(value: &Value, separator: &str, at: &Range<usize>) -> Result<String, EvalError> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        Value::Null => &[],
        Value::String(_) => std::slice::from_ref(value),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            let message = format!("`join` needs a list, this is {}", kind(value));
            return Err(EvalError::new(message, at.clone()));
        }
    };
    let mut draft = Draft::default();
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            draft.push(separator, at)?;
        }
        draft.push(&text(item), at)?;
    }
    Ok(draft.finish())
}

/// All values in a row, with a space between two of which neither is text, as Go has it.
pub(crate) fn print(values: &[Held<'_>], at: &Range<usize>) -> Result<String, EvalError> {
    let mut draft = Draft::default();
    let mut after_text = true;
    for value in values {
        if !after_text && !value.is_string() {
            draft.push(" ", at)?;
        }
        draft.push(&text(value), at)?;
        after_text = value.is_string();
    }
    Ok(draft.finish())
}

/// All values with a space between them, and a line feed.
pub(crate) fn println(values: &[Held<'_>], at: &Range<usize>) -> Result<String, EvalError> {
    let mut draft = Draft::default();
    for (place, value) in values.iter().enumerate() {
        if place > 0 {
            draft.push(" ", at)?;
        }
        draft.push(&text(value), at)?;
    }
    draft.push("\n", at)?;
    Ok(draft.finish())
}
