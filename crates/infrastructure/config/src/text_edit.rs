//! Files edited as text: what an edit does not touch stays as its author wrote it.

use crate::yaml::Place;

/// The text with `added` at a byte of it.
pub(crate) fn insert(text: &str, at: usize, added: &str) -> String {
    let (before, behind) = text.split_at(at);
    format!("{before}{added}{behind}")
}

/// As the author ends lines.
pub(crate) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The text with its last line ended.
pub(crate) fn with_end(text: &str) -> String {
    let open = !text.is_empty() && !text.ends_with('\n');
    format!("{text}{}", if open { line_end(text) } else { "" })
}

/// A line by its number, from 1.
pub(crate) fn line(text: &str, number: usize) -> Option<&str> {
    text.trim_start_matches('\u{feff}').split('\n').nth(number.checked_sub(1)?)
}

/// The byte at the beginning of a place.
pub(crate) fn at(text: &str, place: Place) -> Option<usize> {
    offset(text, place.line, place.column)
}

/// The byte at a line and column, both from 1.
pub(crate) fn offset(text: &str, number: usize, column: usize) -> Option<usize> {
    let line = line(text, number)?;
    // The line is a part of the text, so how far its beginning is from the text's can be told by what is behind.
    let behind: usize = text.split('\n').skip(number).map(|line| line.len() + 1).sum();
    let start = text.len().checked_sub(behind)?.checked_sub(line.len())?;
    let within: usize = line.chars().take(column - 1).map(char::len_utf8).sum();
    Some(start + within)
}
