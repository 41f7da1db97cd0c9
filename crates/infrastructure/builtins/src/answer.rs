//! How much goes back to the model in one answer, and how a tool's outcome becomes one.

use std::fmt::{self, Write as _};

use awf_core::ToolResult;

use crate::files::FileError;

/// What an answer holds unless the caller asks for more.
pub(crate) const USUAL_BYTES: usize = 100_000;
/// What an answer holds at most, however much the caller asks for.
pub(crate) const MOST_BYTES: usize = 2 * 1024 * 1024;
/// A longer line is cut, in characters.
pub(crate) const LINE_CHARACTERS: usize = 2000;

/// What the model reads about a file that could not be had.
pub(crate) fn from_files(outcome: Result<String, FileError>) -> ToolResult {
    match outcome {
        Ok(text) => ToolResult::text(&text),
        Err(error) => ToolResult::error(&error.to_string()),
    }
}

/// Adds a remark of the tool itself, set apart from the text it is about.
pub(crate) fn push_note(text: &mut String, note: fmt::Arguments<'_>) {
    // Writing to a `String` cannot fail.
    let _ = write!(text, "\n[{note}]");
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = match noun.strip_suffix("ch") {
        Some(_) => "es",
        None => "s",
    };
    format!("{count} {noun}{}", if count == 1 { "" } else { plural })
}

#[cfg(test)]
mod tests;
