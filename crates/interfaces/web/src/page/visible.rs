//! Characters nobody sees, written out: those that turn the direction of a text, hide in it, or steer a terminal. Whoever
//! looks at a record must be shown the command that ran, not one that looks like it.

use std::fmt::Write as _;

/// The same document with such characters as `\u{…}`. Our own markup holds none of them.
pub(crate) fn visible(html: String) -> String {
    if !html.chars().any(is_hidden) {
        return html;
    }
    let mut out = String::with_capacity(html.len() + 64);
    for character in html.chars() {
        if is_hidden(character) {
            // Writing to a string does not fail.
            write!(out, "\\u{{{:x}}}", u32::from(character)).ok();
        } else {
            out.push(character);
        }
    }
    out
}

fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' | '\r' => false,
        '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests;
