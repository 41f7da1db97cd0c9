//! The fields of a form that filters, and the address of what it asks for.

use maud::{Markup, html};

use crate::query::{Parameters, percent_encoded};

/// Whether anything is left out by what is asked for.
pub(crate) fn is_any(given: &Parameters, filters: &[&str]) -> bool {
    filters.iter().any(|name| given.text(name).is_some())
}

/// The same filters at `path`, from the beginning or from another place on.
pub(crate) fn link(path: &str, given: &Parameters, cursor: Option<&str>) -> String {
    let kept = given.pairs().filter(|(name, _)| *name != "cursor");
    address(path, kept.chain(cursor.map(|cursor| ("cursor", cursor))))
}

/// A path with a query.
pub(crate) fn address<'a>(path: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={}", percent_encoded(value.as_bytes())))
        .collect();
    match pairs.as_slice() {
        [] => path.to_owned(),
        pairs => format!("{path}?{}", pairs.join("&")),
    }
}

pub(crate) fn text(given: &Parameters, name: &str, label: &str, example: &str) -> Markup {
    html! {
        label { span { (label) }
            input type="text" name=(name) value=(given.text(name).unwrap_or_default()) placeholder=(example)
                autocomplete="off" spellcheck="false"; }
    }
}

pub(crate) fn choice(given: &Parameters, name: &str, label: &str, words: &[&str]) -> Markup {
    let chosen = given.text(name).unwrap_or_default();
    html! {
        label { span { (label) }
            select name=(name) {
                option value="" { "any" }
                // What was asked for and is none of these is shown as well, or it could not be seen to be wrong.
                @if !chosen.is_empty() && !words.contains(&chosen) {
                    option value=(chosen) selected { (chosen) }
                }
                @for word in words { option value=(word) selected[chosen == *word] { (word) } }
            }
        }
    }
}
