//! Characters that a model reads and a person does not see.

use std::ops::RangeInclusive;

/// Control and format characters, fillers that draw nothing, variation selectors and tags. Line ends and tabs are none.
const HIDDEN: [RangeInclusive<u32>; 32] = [
    0x0000..=0x0008,
    0x000B..=0x000C,
    0x000E..=0x001F, // escape sequences of terminals begin with U+001B
    0x007F..=0x009F,
    0x00AD..=0x00AD, // soft hyphen
    0x034F..=0x034F, // grapheme joiner
    0x0600..=0x0605,
    0x061C..=0x061C, // direction marks
    0x06DD..=0x06DD,
    0x070F..=0x070F,
    0x0890..=0x0891,
    0x08E2..=0x08E2,
    0x115F..=0x1160, // fillers
    0x17B4..=0x17B5,
    0x180B..=0x180F,
    0x200B..=0x200F, // zero width, direction marks
    0x2028..=0x202E, // line and paragraph separators, direction
    0x2060..=0x206F, // invisible operators, direction isolates
    0x2800..=0x2800, // blank braille
    0x3164..=0x3164,
    0xFE00..=0xFE0E, // variation selectors; the one of emoji (U+FE0F) is judged by what it follows
    0xFEFF..=0xFEFF,
    0xFFA0..=0xFFA0,
    0xFFF0..=0xFFFB,
    0x110BD..=0x110BD,
    0x110CD..=0x110CD,
    0x13430..=0x1345F,
    0x16FE4..=0x16FE4,
    0x1BCA0..=0x1BCA3,
    0x1D173..=0x1D17A,
    0xE0000..=0xE0FFF,     // tags and further variation selectors
    0xF0000..=0x0010_FFFF, // for private use: what they mean is agreed elsewhere
];

/// Whether nothing is seen of this character.
pub fn is_hidden(character: char) -> bool {
    let point = u32::from(character);
    let at = HIDDEN.partition_point(|range| *range.end() < point);
    HIDDEN.get(at).is_some_and(|range| range.contains(&point))
}

/// Whether a text holds something that nobody sees.
pub(crate) fn holds_hidden(text: &str) -> bool {
    let mut before = None;
    text.chars().any(|character| {
        let last = before.replace(character);
        match character {
            // One of them colours the sign before it; a row of them is a message.
            '\u{FE0F}' => !last.is_some_and(takes_colour),
            _ => is_hidden(character),
        }
    })
}

/// Signs that have a coloured form: symbols and pictures, the keycap's digits.
fn takes_colour(character: char) -> bool {
    matches!(character, '#' | '*' | '0'..='9' | '\u{A9}' | '\u{AE}')
        || matches!(u32::from(character), 0x2010..=0x27FF | 0x2900..=0x2BFF | 0x3030..=0x3299 | 0x1F000..=0x1FAFF)
            && !is_hidden(character)
}

/// The text with what nobody sees written out, for messages.
pub(crate) fn unhidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests;
