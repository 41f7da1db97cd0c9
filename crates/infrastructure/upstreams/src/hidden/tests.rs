//! What is seen and what is not.

use super::{HIDDEN, holds_hidden, is_hidden, unhidden};

#[test]
fn the_ranges_are_in_order() {
    assert!(HIDDEN.windows(2).all(|pair| pair[0].end() < pair[1].start()));
    assert!(HIDDEN.iter().all(|range| range.start() <= range.end()));
}

#[test]
fn what_people_write_is_seen() {
    for text in [
        "Reads a file.\n\tThen\r\nstops",
        "größer, наивно, 日本語, مرحبا, नमस्ते",
        "❤️ ☑️ 1️⃣ ©️ 🛠️",
        "“quotes” — dashes… ½ ±",
    ] {
        assert!(!holds_hidden(text), "{text:?}");
    }
}

#[test]
fn what_nobody_sees_is_found() {
    for hidden in [
        '\u{0}',
        '\u{1b}',
        '\u{7f}',
        '\u{9b}',
        '\u{ad}',
        '\u{200b}',
        '\u{200d}',
        '\u{202e}',
        '\u{2066}',
        '\u{2060}',
        '\u{feff}',
        '\u{fe00}',
        '\u{e0041}',
        '\u{e0100}',
        '\u{3164}',
        '\u{061c}',
        '\u{180e}',
        '\u{2028}',
        '\u{10ffff}',
    ] {
        assert!(is_hidden(hidden) && holds_hidden(&format!("a{hidden}b")), "{hidden:?}");
    }
    for text in ["a\u{fe0f}", "\u{fe0f}", "❤\u{fe0f}\u{fe0f}"] {
        assert!(holds_hidden(text), "{text:?}");
    }
}

#[test]
fn messages_write_it_out() {
    assert_eq!(unhidden("a\u{1b}[31m\u{200b}é"), r"a\u{1b}[31m\u{200b}é");
}
