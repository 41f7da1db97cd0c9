//! Characters nobody sees, written out: those that turn the direction of a text, hide in it, or steer a terminal. Whoever
//! looks at a record must be shown the command that ran, not one that looks like it.

use std::fmt::Write as _;

/// The same text with such characters as `\u{…}`. Line ends and tabs stay.
pub fn visible(text: String) -> String {
    // Writing to a string does not fail.
    written(text, |out, character| {
        write!(out, "\\u{{{:x}}}", u32::from(character)).ok();
    })
}

/// The same JSON with such characters escaped as JSON has it. They stand in strings only.
pub fn visible_json(json: String) -> String {
    written(json, |out, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").ok();
        }
    })
}

/// The same YAML, likewise: they stand in quotes only.
pub fn visible_yaml(yaml: String) -> String {
    written(yaml, |out, character| {
        match u32::from(character) {
            number @ ..=0xffff => write!(out, "\\u{number:04x}"),
            number => write!(out, "\\U{number:08x}"),
        }
        .ok();
    })
}

fn written(text: String, escape: impl Fn(&mut String, char)) -> String {
    if !text.chars().any(is_unseen) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
    for character in text.chars() {
        if is_unseen(character) {
            escape(&mut out, character);
        } else {
            out.push(character);
        }
    }
    out
}

fn is_unseen(character: char) -> bool {
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
