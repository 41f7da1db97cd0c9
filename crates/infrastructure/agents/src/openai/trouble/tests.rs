//! Words of servers.

use super::{MOST_WORDS, words};

#[test]
fn words_are_one_line_that_moves_no_cursor() {
    assert_eq!(
        words("  no\r\n\troom \"here\" \\ it's\u{1b}[31m\n"),
        "no room \"here\" \\ it's [31m"
    );
    assert_eq!(words("a\u{202e}b\u{200b}é"), "a\\u{202e}b\\u{200b}é");
    let long = words(&"é".repeat(10_000));
    assert_eq!((long.chars().count(), long.ends_with('…')), (MOST_WORDS + 1, true));
    assert_eq!(words(&"x ".repeat(10_000)).len(), MOST_WORDS + "…".len());
    assert_eq!(words(""), "");
}
