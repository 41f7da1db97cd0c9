//! `${NAME}` in the settings of a server: what stands for a variable, and what is written out.
//!
//! Others write it in further ways: `${env:NAME}`, and `${NAME:-instead}` for one that may not be set.

use std::collections::HashMap;

use awf_core::is_sensitive;

/// A stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Written out.
    Literal(&'t str),
    /// Stands for the value of a variable.
    Variable {
        name: &'t str,
        /// What stands in for it where it is not set.
        instead: Option<&'t str>,
    },
}

/// A text, taken apart.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inside, after)) = after.split_once('}') else { break };
        pieces.push(Piece::Literal(before));
        let inside = inside.strip_prefix("env:").unwrap_or(inside);
        let (name, instead) = match inside.split_once(":-") {
            Some((name, instead)) => (name, Some(instead)),
            None => (inside, None),
        };
        pieces.push(Piece::Variable { name, instead });
        rest = after;
    }
    pieces.push(Piece::Literal(rest));
    pieces.retain(|piece| *piece != Piece::Literal(""));
    pieces
}

/// The text with its variables filled in. The error is the name of one that is not set.
pub(crate) fn filled<'t>(
    variables: &HashMap<String, String>,
    text: &'t str,
) -> Result<String, &'t str> {
    let value = |piece| match piece {
        Piece::Literal(text) => Ok(text),
        Piece::Variable { name, instead } => {
            variables.get(name).map(String::as_str).or(instead).ok_or(name)
        }
    };
    pieces(text).into_iter().map(value).collect()
}

/// The value of `name` as it may be shown: what is written out is left out where the name says that it is a secret. Which
/// variables it is made of is what whoever approves it has to see.
pub(crate) fn masked(name: &str, value: &str) -> String {
    if !is_sensitive(name) {
        return value.to_owned();
    }
    let pieces = pieces(value);
    let only = pieces.len() == 1;
    let shown = pieces.into_iter().map(|piece| match piece {
        Piece::Literal(text) if !only && is_scheme(text) => text.to_owned(),
        Piece::Literal(_) => "***".to_owned(),
        Piece::Variable { name, instead: Some(_) } => format!("${{{name}:-***}}"),
        Piece::Variable { name, instead: None } => format!("${{{name}}}"),
    });
    shown.collect()
}

/// Whether a secret is written out in the value of `name`.
pub(crate) fn is_written_out(name: &str, value: &str) -> bool {
    masked(name, value).contains("***")
}

/// How a secret in a header is meant, which is none itself.
fn is_scheme(text: &str) -> bool {
    ["Bearer ", "Basic ", "Token "].iter().any(|scheme| text.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests;
