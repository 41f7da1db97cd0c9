//! What can be wrong with a text, and what can go wrong with its values. Both say where.

use std::ops::Range;

use thiserror::Error;

use crate::nearest::nearest;

/// A text that is no template or no expression.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// What is wrong: lower case, no final stop.
    pub message: String,
    /// The bytes of the text that are wrong.
    pub at: Range<usize>,
    /// What to write instead, if that is known.
    pub hint: Option<String>,
    /// The `{{…}}` it stands in, where the rest of the text can be read without it.
    pub action: Option<Range<usize>>,
}

/// Values that a well-formed text cannot be evaluated with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct EvalError {
    /// What is wrong: lower case, no final stop.
    pub message: String,
    /// The bytes of the text that could not be evaluated.
    pub at: Range<usize>,
}

impl SyntaxError {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        Self { message: bounded(message.into()), at, hint: None, action: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Hints at the nearest name, and tells those there are.
    pub(crate) fn hint_names(self, name: &str, known: &[&'static str]) -> Self {
        let listed = format!("the functions are: {}", known.join(", "));
        match nearest(name, known.iter().copied()) {
            Some(near) => self.hint(format!("did you mean `{near}`? {listed}")),
            None => self.hint(listed),
        }
    }
}

impl EvalError {
    pub(crate) fn new(message: impl Into<String>, at: Range<usize>) -> Self {
        Self { message: bounded(message.into()), at }
    }
}

/// The longest message, in bytes. Messages quote names and keys, which come from outside and may be of any length.
const LONGEST: usize = 400;

fn bounded(mut message: String) -> String {
    if message.len() > LONGEST {
        message.truncate(message.floor_char_boundary(LONGEST));
        message.push('…');
    }
    message
}
