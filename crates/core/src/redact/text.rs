//! One pass over a text: known values and shapes at every place, names at the end of every word.

use std::borrow::Cow;

use crate::redact::{
    MARK,
    known::Known,
    names::{is_sensitive, takes_whole_line},
    patch::Patch,
    shapes::{Shapes, run},
};

/// How a message of awf goes on behind a word that it quotes. A bare value ends at a blank, so that nothing is let out.
const OWN_WORDS: &str = "must be ";

/// What follows `Bearer` has at least this many characters.
const BEARER: usize = 8;

/// Whether names are heeded that say their value is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    Heeded,
    Ignored,
}

/// The part of `text` before `stop`, without secrets. A secret that begins before `stop` is recognised by what comes
/// after it too.
pub(super) fn redact<'a>(known: &Known, text: &'a str, stop: usize, names: Names) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let mut patch = Patch::new(text, stop);
    let mut shapes = Shapes::default();
    let mut word = 0;
    let mut at = 0;
    loop {
        at = next_place(known, bytes, at);
        let Some(byte) = bytes.get(at).filter(|_| at < stop) else { return patch.finish() };
        let ends_word = !is_word(*byte);
        let secret = known
            .length_at(bytes, at)
            .map(|length| (at, at + length))
            .or_else(|| shapes.at(text, at))
            .or_else(|| match names {
                Names::Heeded if ends_word => value_behind(text, word, at),
                Names::Heeded | Names::Ignored => None,
            });
        if let Some((start, end)) = secret {
            if start < stop && text.get(start..end) != Some(MARK) {
                patch.replace(start, end, MARK);
            }
            (at, word) = (end, end);
            continue;
        }
        at += 1;
        if ends_word {
            word = at;
        }
    }
}

/// The next place from `at` on where a word ends or a secret may begin. Neither is of interest in the last byte.
fn next_place(known: &Known, bytes: &[u8], at: usize) -> usize {
    let mut pairs = bytes.get(at..).unwrap_or_default().windows(2);
    let found = pairs.position(|pair| match pair {
        [first, second] => !is_word(*first) || known.may_begin([*first, *second]),
        _ => false,
    });
    found.map_or(bytes.len(), |steps| at + steps)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || !byte.is_ascii()
}

/// The secret that stands behind the word `start..end`, if the word says that one does.
fn value_behind(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let name = text.get(start..end).filter(|name| !name.is_empty())?;
    let bytes = text.as_bytes();
    let value = match assignment(bytes, end) {
        Some(value) if is_sensitive(name) => value,
        None if name.eq_ignore_ascii_case("bearer") => return bearer_token(bytes, end),
        None if name.starts_with("--") && is_sensitive(name) => run(bytes, end, is_blank),
        Some(_) | None => return None,
    };
    if text.get(value..)?.starts_with(MARK) {
        return Some((value, value + MARK.len()));
    }
    let (value, end) = match bytes.get(run(bytes, value, is_backslash)) {
        Some(quote @ (b'"' | b'\'' | b'`')) => quoted(bytes, value, *quote),
        _ if takes_whole_line(name) => {
            (value, run(bytes, value, |b| !matches!(b, b'\n' | b'\r' | b'"' | b'\'')))
        }
        _ if text.get(value..)?.starts_with(OWN_WORDS) => return None,
        _ => (value, run(bytes, value, is_bare)),
    };
    (value < end).then_some((value, end))
}

/// Where the value of an assignment begins: behind `=`, `:` or `:=`, and blanks, also when the name was quoted.
fn assignment(bytes: &[u8], end: usize) -> Option<usize> {
    let quote = run(bytes, end, is_backslash);
    let sign = match bytes.get(quote) {
        Some(b'"' | b'\'') => quote + 1,
        _ => end,
    };
    let sign = run(bytes, sign, is_blank);
    let behind = match (bytes.get(sign)?, bytes.get(sign + 1)) {
        (b':', Some(b':')) | (b'=', Some(b'=' | b'>' | b'~')) => return None,
        (b':', Some(b'=')) => sign + 2,
        (b':' | b'=', _) => sign + 1,
        _ => return None,
    };
    Some(run(bytes, behind, is_blank))
}

/// What stands between quotes; without a second quote, the rest of the line.
fn quoted(bytes: &[u8], value: usize, quote: u8) -> (usize, usize) {
    let open = run(bytes, value, is_backslash);
    let start = open + 1;
    match open - value {
        0 => (start, closing_quote(bytes, start, quote)),
        level => (start, closing_escaped(bytes, start, quote, level)),
    }
}

fn closing_quote(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    loop {
        at = match bytes.get(at) {
            None => return bytes.len(),
            Some(b'\n') => return at,
            Some(b'\\') => at + 2,
            Some(byte) if *byte == quote => return at,
            Some(_) => at + 1,
        };
    }
}

/// Where the backslashes of the closing quote begin, in text that was escaped itself: a quote with more of them than the
/// opening one (`level`) is part of the value.
fn closing_escaped(bytes: &[u8], start: usize, quote: u8, level: usize) -> usize {
    let mut at = start;
    loop {
        let escapes = run(bytes, at, |b| b != b'\\' && b != quote && b != b'\n');
        let end = run(bytes, escapes, is_backslash);
        match bytes.get(end) {
            None => return bytes.len(),
            Some(b'\n') => return end,
            Some(byte) if *byte == quote && end - escapes <= level => return escapes,
            Some(byte) if *byte == quote => at = end + 1,
            Some(_) => at = end,
        }
    }
}

fn bearer_token(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let start = run(bytes, end, is_blank);
    let token = run(bytes, start, |b| b.is_ascii_alphanumeric() || b"-._~+/=".contains(&b));
    (start > end && token - start >= BEARER).then_some((start, token))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_backslash(byte: u8) -> bool {
    byte == b'\\'
}

/// What a value without quotes is made of. Commas are part of it: a password may hold them.
fn is_bare(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"&;\"'`<>()[]{}|".contains(&byte)
}
