//! How awf shows names and lines of files, written a second time from its description: control characters escaped, what
//! is no UTF-8 escaped in names and replaced in lines, lines cut.

use std::{ffi::OsStr, fmt::Write as _, os::unix::ffi::OsStrExt};

const LINE_CHARACTERS: usize = 2000;

/// A file name or path on one line, never the same for two names.
pub(crate) fn name(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        chunk.valid().chars().for_each(|letter| push(&mut text, letter, Tab::Escaped));
        for byte in chunk.invalid() {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// A line of a file, without its line break.
pub(crate) fn line(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut text = String::new();
    String::from_utf8_lossy(line).chars().for_each(|letter| push(&mut text, letter, Tab::Kept));
    match text.char_indices().nth(LINE_CHARACTERS) {
        Some((end, _)) => format!("{} […line cut]", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Kept,
    Escaped,
}

fn push(text: &mut String, letter: char, tab: Tab) {
    match letter {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' if tab == Tab::Escaped => text.push_str("\\t"),
        '\t' => text.push('\t'),
        control if control.is_ascii_control() => {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\\x{:02x}", u32::from(control));
        }
        letter => text.push(letter),
    }
}
