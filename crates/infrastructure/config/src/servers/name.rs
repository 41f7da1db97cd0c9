//! What a server may be called: nothing that could be taken for another server, or for awf itself.

use std::collections::HashMap;

use awf_core::{Code, Diagnostic, Span, folded, shown};

/// A name must leave room for those of its tools.
const LONGEST: usize = 64;
/// Names of awf's own.
const RESERVED: [&str; 2] = ["awf", "builtin"];

/// What is wrong with a name.
pub(super) fn fault(name: &str) -> Option<Diagnostic> {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let fits = !name.is_empty() && name.len() <= LONGEST;
    if !fits || !name.chars().all(good) || !name.contains(|c: char| c.is_ascii_alphanumeric()) {
        let message = format!("`{}` is no name for a server", shown(name));
        let hint = "use up to 64 letters, digits, `-`, `_` and `.`";
        return Some(Diagnostic::new(Code::ConfigInvalid, message).hinting(hint));
    }
    let reserved = RESERVED.into_iter().find(|reserved| folded(name) == *reserved)?;
    let message = format!("the server `{name}` takes a name of awf's own, `{reserved}`");
    Some(Diagnostic::new(Code::NameCollision, message).hinting("give the server another name"))
}

/// Whether it is awf's own name.
pub(super) fn is_awf(name: &str) -> bool {
    folded(name) == "awf"
}

/// Whether two names would be taken for each other.
pub fn is_same_name(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

/// Every name that was taken before, at its place; the other's place is in the message.
pub(crate) fn check_names<'a>(names: impl Iterator<Item = (&'a str, &'a Span)>) -> Vec<Diagnostic> {
    let mut taken: HashMap<String, (&str, &Span)> = HashMap::new();
    let mut found = Vec::new();
    for (name, place) in names {
        let Some((other, at)) = taken.get(&folded(name)) else {
            taken.insert(folded(name), (name, place));
            continue;
        };
        let (name, other) = (shown(name), shown(other));
        let at = format!("line {} of `{}`", at.line, at.file);
        let message = if name == other {
            format!("the server `{name}` is named twice: on {at} too")
        } else {
            format!("the servers `{name}` and `{other}`, on {at}, would be taken for each other")
        };
        let hint = "rename or remove one of them";
        found.push(Diagnostic::new(Code::NameCollision, message).hinting(hint).at(place.clone()));
    }
    found
}
