//! One pass over JSON text: strings are read as what they mean, and everything else stays as it was written.

use std::borrow::Cow;

use crate::redact::{
    MARK,
    known::Known,
    names::is_sensitive,
    patch::Patch,
    shapes::run,
    text::{self, Names},
};

/// The part of `json` before `stop`, without secrets. The text may end anywhere; as much as is there is understood.
pub(super) fn redact<'a>(known: &Known, json: &'a str, stop: usize) -> Cow<'a, str> {
    let bytes = json.as_bytes();
    let mut patch = Patch::new(json, stop);
    let mut at = 0;
    while at < stop {
        at = match bytes.get(at) {
            None => break,
            Some(b'"') => string(known, json, at, stop, &mut patch),
            Some(b'-' | b'0'..=b'9') => number(known, json, at, &mut patch),
            Some(_) => at + 1,
        };
    }
    patch.finish()
}

/// Handles a string, and the value behind it when it is a key that says the value is secret; gives the place behind.
fn string(known: &Known, json: &str, at: usize, stop: usize, patch: &mut Patch<'_>) -> usize {
    let bytes = json.as_bytes();
    let close = closing_quote(bytes, at);
    let content = json.get(at + 1..close).unwrap_or_default();
    if let Some(clean) = clean_content(known, content, stop - (at + 1).min(stop)) {
        patch.replace(at + 1, close, &clean);
    }
    let end = (close + 1).min(bytes.len());
    let colon = run(bytes, end, is_blank);
    if bytes.get(colon) != Some(&b':') || !is_sensitive(&unescaped(content)) {
        return end;
    }
    let value = run(bytes, colon + 1, is_blank);
    let value_end = value_end(bytes, value);
    let written = json.get(value..value_end).unwrap_or_default();
    // These say nothing, and saying that nothing was given is worth keeping.
    if value < stop && !matches!(written, "" | "null" | "true" | "false" | "\"\"") {
        patch.replace(value, value_end, &format!("\"{MARK}\""));
    }
    value_end
}

/// The content of a string without secrets, if there were any, as far as it comes before `stop`.
fn clean_content(known: &Known, content: &str, stop: usize) -> Option<String> {
    let stop = stop.min(content.len());
    let meant = unescaped(content);
    let meant_stop = match content.get(..stop) {
        Some(head) if stop < content.len() => floor(&meant, unescaped(head).len()),
        Some(_) | None => meant.len(),
    };
    match text::redact(known, &meant, meant_stop, Names::Heeded) {
        Cow::Borrowed(_) => None,
        Cow::Owned(clean) => {
            let quoted = serde_json::to_string(&clean).unwrap_or_default();
            quoted.get(1..quoted.len().saturating_sub(1)).map(str::to_owned)
        }
    }
}

/// A known secret may be a number.
fn number(known: &Known, json: &str, at: usize, patch: &mut Patch<'_>) -> usize {
    let end = value_end(json.as_bytes(), at);
    if json.get(at..end).is_some_and(|number| known.within(number)) {
        patch.replace(at, end, &format!("\"{MARK}\""));
    }
    end
}

/// The place of the quote that closes the string opened at `open`, or the end of the text.
fn closing_quote(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => return at,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Where the value that begins at `start` ends, containers with all they hold.
fn value_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => at = (closing_quote(bytes, at) + 1).min(bytes.len()),
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
            }
            Some(b'}' | b']') if depth > 0 => {
                depth -= 1;
                at += 1;
            }
            Some(_) if depth > 0 => at += 1,
            Some(_) => return run(bytes, at, |b| !is_blank(b) && !b",:]}".contains(&b)),
        }
        if depth == 0 {
            return at;
        }
    }
}

/// What a string means. A half of a surrogate pair means the replacement character, and an escape that was cut off nothing.
fn unescaped(content: &str) -> Cow<'_, str> {
    let Some(first) = content.find('\\') else { return Cow::Borrowed(content) };
    let (head, mut rest) = content.split_at(first);
    let mut out = head.to_owned();
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        out.push_str(plain);
        let (meant, taken) = escape_at(escape);
        out.extend(meant);
        rest = escape.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character an escape at the head of `text` means, and how many bytes it takes.
fn escape_at(text: &str) -> (Option<char>, usize) {
    let plain = |meant: char| (Some(meant), 2);
    match text.as_bytes().get(1) {
        None => (None, 1),
        Some(b'n') => plain('\n'),
        Some(b't') => plain('\t'),
        Some(b'r') => plain('\r'),
        Some(b'b') => plain('\u{8}'),
        Some(b'f') => plain('\u{c}'),
        Some(b'u') => match (unit(text), text.get(6..).and_then(unit)) {
            (None, _) => (None, text.len()),
            (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) => {
                (char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)), 12)
            }
            (Some(unit), _) => (Some(char::from_u32(unit).unwrap_or('\u{fffd}')), 6),
        },
        Some(other) => plain(char::from(*other)),
    }
}

/// The number in a `\uXXXX` at the head of `text`.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// The nearest place at or before `at` where a character begins.
pub(super) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
