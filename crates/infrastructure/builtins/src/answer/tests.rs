//! Cuts and counts.

use super::{LINE_CHARACTERS, counted, cut_line};

#[test]
fn a_line_is_cut_at_characters_not_bytes() {
    let exact = "é".repeat(LINE_CHARACTERS);
    assert_eq!(cut_line(&exact), (exact.as_str(), false));
    assert_eq!(cut_line(&format!("{exact}x")), (exact.as_str(), true));
}

#[test]
fn counts_read_well() {
    assert_eq!(counted(1, "file"), "1 file");
    assert_eq!(counted(0, "match"), "0 matches");
    assert_eq!(counted(2, "byte"), "2 bytes");
}
