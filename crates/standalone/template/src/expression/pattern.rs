//! Regular expressions for `matches`, bounded in length and in what they compile to.

use regex::{Regex, RegexBuilder};

use crate::{
    SyntaxError,
    expression::ast::{Expr, Kind},
    value::text,
};

/// The longest pattern, in bytes.
const LONGEST: usize = 1_000;
/// What a pattern may compile to, in bytes.
const COMPILED: usize = 1 << 18;

/// A pattern ready to match, or why it is none.
pub(crate) fn compile(pattern: &str) -> Result<Regex, String> {
    if pattern.len() > LONGEST {
        return Err(format!("the pattern is longer than {LONGEST} bytes"));
    }
    RegexBuilder::new(pattern)
        .size_limit(COMPILED)
        .dfa_size_limit(COMPILED)
        .nest_limit(64)
        .build()
        .map_err(|error| format!("`{pattern}` is not a pattern: {}", reason(&error)))
}

/// Refuses a pattern that stands in the text and is none.
pub(crate) fn check(right: &Expr) -> Result<(), SyntaxError> {
    let Kind::Literal(literal) = &right.kind else { return Ok(()) };
    match compile(&text(literal)) {
        Ok(_) => Ok(()),
        Err(message) => Err(SyntaxError::new(message, right.at.clone())),
    }
}

/// The last line of a message that draws the pattern above it.
fn reason(error: &regex::Error) -> String {
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}
