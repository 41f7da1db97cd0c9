//! Points in time, for people and for programs.

use std::time::SystemTime;

use awf_core::rfc3339;
use maud::{Markup, html};

/// To the second, in UTC; the element has all of it.
pub(crate) fn time(at: SystemTime) -> Markup {
    time_of(&rfc3339(at))
}

/// The same of a time that is written already, RFC 3339 in UTC.
pub(crate) fn time_of(whole: &str) -> Markup {
    let (day, rest) = whole.split_once('T').unwrap_or((whole, ""));
    let clock = rest.get(..8).unwrap_or(rest);
    html! { time datetime=(whole) { (day) " " (clock) } }
}
