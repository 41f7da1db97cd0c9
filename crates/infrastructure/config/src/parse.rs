//! From text to a typed value, or to one diagnostic at its place. JSON is read as the YAML it is.

use awf_core::{Code, Diagnostic, Span, nearest};
use serde::de::DeserializeOwned;
use serde_saphyr::{Error, Location, Options};

/// Parses `text`, which came from `file`.
pub(crate) fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Diagnostic> {
    serde_saphyr::from_str_with_options(text, options()).map_err(|error| diagnostic(file, &error))
}

fn options() -> Options {
    serde_saphyr::options! {
        // `yes` and `on` are words, not booleans: a misread `allow: no` must not pass silently.
        strict_booleans: true,
        with_snippet: false,
    }
}

fn diagnostic(file: &str, error: &Error) -> Diagnostic {
    let finding = match error {
        Error::SerdeUnknownField { field, expected, .. } => {
            let finding = Diagnostic::new(
                Code::ConfigUnknownKey,
                format!("unknown key `{}`", awf_core::shown(field)),
            );
            match nearest(field, expected.iter().copied()).first() {
                Some(near) => finding.hinting(format!("did you mean `{near}`?")),
                None => finding.hinting(format!("known keys here: {}", expected.join(", "))),
            }
        }
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("?");
            let message = format!("the key `{}` is given twice", awf_core::shown(key));
            Diagnostic::new(Code::ConfigInvalid, message)
        }
        other => Diagnostic::new(Code::ConfigInvalid, without_place(&other.to_string())),
    };
    finding.at(match error.location() {
        Some(at) => span_at(file, at),
        None => span(file, 1, 1),
    })
}

/// The place of one character.
pub(crate) fn span_at(file: &str, at: Location) -> Span {
    let place = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    span(file, place(at.line()), place(at.column()))
}

fn span(file: &str, line: usize, column: usize) -> Span {
    Span {
        file: file.to_owned(),
        line,
        column,
        end_line: line,
        end_column: column.saturating_add(1),
    }
}

/// The place is said before the message; once is enough.
fn without_place(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let end = first.rfind(" at line ").unwrap_or(first.len());
    first.get(..end).unwrap_or(first).trim_end_matches([' ', ':', ',']).to_owned()
}
