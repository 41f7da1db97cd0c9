//! Text from files and file names, made fit to be shown: control characters escaped, what is no UTF-8 replaced.

use std::{ffi::OsStr, fmt::Write as _, os::unix::ffi::OsStrExt};

/// A file name or path. Bytes that are no UTF-8 become `\xNN`, so that two names never look the same.
pub(crate) fn name(name: &OsStr) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.as_bytes().utf8_chunks() {
        push_escaped(&mut text, chunk.valid());
        for byte in chunk.invalid() {
            push_hex(&mut text, *byte);
        }
    }
    text
}

/// A path as the caller wrote it, for a message: as [`name`], and no longer than a message may be.
pub(crate) fn typed(path: &str) -> String {
    const MOST: usize = 256;
    let (start, cut) = cut(path, MOST);
    let mut text = name(start.as_ref());
    if cut {
        text.push('…');
    }
    text
}

/// The first characters of a text; whether that is less than the whole.
pub(crate) fn cut(text: &str, characters: usize) -> (&str, bool) {
    if text.len() <= characters {
        return (text, false);
    }
    match text.char_indices().nth(characters) {
        Some((end, _)) => {
            text.split_at_checked(end).map_or((text, false), |(start, _)| (start, true))
        }
        None => (text, false),
    }
}

/// A line of a file: as [`name`], but a tab stays, and what is no UTF-8 becomes U+FFFD as everywhere else.
pub(crate) fn push_line(text: &mut String, line: &[u8]) {
    for chunk in line.utf8_chunks() {
        let mut parts = chunk.valid().split('\t');
        push_escaped(text, parts.next().unwrap_or_default());
        for part in parts {
            text.push('\t');
            push_escaped(text, part);
        }
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

fn push_escaped(text: &mut String, mut part: &str) {
    while let Some(at) = part.bytes().position(|byte| byte.is_ascii_control()) {
        let (clean, rest) = part.split_at(at);
        text.push_str(clean);
        match rest.as_bytes() {
            [b'\n', ..] => text.push_str("\\n"),
            [b'\r', ..] => text.push_str("\\r"),
            [b'\t', ..] => text.push_str("\\t"),
            [byte, ..] => push_hex(text, *byte),
            [] => {}
        }
        part = rest.get(1..).unwrap_or_default();
    }
    text.push_str(part);
}

fn push_hex(text: &mut String, byte: u8) {
    // Writing to a `String` cannot fail.
    let _ = write!(text, "\\x{byte:02x}");
}

#[cfg(test)]
mod tests;
