//! Names and lines as they are shown.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use super::{cut, name, push_line, typed};

#[test]
fn names_have_no_control_bytes_and_stay_distinct() {
    let rows: [(&[u8], &str); 5] = [
        (b"plain/path", "plain/path"),
        ("ünï".as_bytes(), "ünï"),
        (b"a\nb\tc\rd", "a\\nb\\tc\\rd"),
        (b"\x1b[31m\x7f\0", "\\x1b[31m\\x7f\\x00"),
        (b"a\xff\xc3b", "a\\xff\\xc3b"),
    ];
    for (given, expected) in rows {
        assert_eq!(name(OsStr::from_bytes(given)), expected);
    }
}

#[test]
fn lines_keep_their_tabs() {
    let mut text = String::from("> ");
    push_line(&mut text, b"\ta\t\x07b\xffc\xe2\x82");
    assert_eq!(text, "> \ta\t\\x07b\u{FFFD}c\u{FFFD}");
}

#[test]
fn a_text_is_cut_at_characters_not_bytes() {
    let exact = "é".repeat(256);
    assert_eq!(cut(&exact, 256), (exact.as_str(), false));
    assert_eq!(cut(&format!("{exact}x"), 256), (exact.as_str(), true));
    assert_eq!(typed(&format!("{exact}\u{1b}")), format!("{exact}…"));
}
