//! Hostile text in a message.

use super::shown;

#[test]
fn plain_text_of_up_to_64_characters_is_shown_whole() {
    for text in ["", "read", "réad", &"x".repeat(63), &"x".repeat(64)] {
        assert_eq!(shown(text), text);
    }
}

#[test]
fn longer_text_is_cut_with_a_mark_and_never_inside_an_escape() {
    assert_eq!(shown(&"x".repeat(65)), format!("{}…", "x".repeat(63)));
    assert_eq!(shown(&"\u{1b}".repeat(11)), format!("{}…", "\\u{1b}".repeat(10)));
    assert_eq!(shown(&format!("{}\n", "x".repeat(62))), format!("{}\\n", "x".repeat(62)));
    assert_eq!(shown(&format!("{}\n", "x".repeat(63))), format!("{}…", "x".repeat(63)));
    assert_eq!(shown(&format!("{}\ny", "x".repeat(61))), format!("{}\\ny", "x".repeat(61)));
    assert_eq!(shown(&format!("{}\ny", "x".repeat(62))), format!("{}…", "x".repeat(62)));
}

#[test]
fn what_moves_hides_or_forges_is_escaped() {
    assert_eq!(shown("a\nb\r\t\0'\"\\"), r#"a\nb\r\t\0\'\"\\"#);
    for hidden in ['\u{1b}', '\u{202e}', '\u{200b}', '\u{feff}', '\u{e0041}', '\u{7f}', '\u{2028}']
    {
        assert!(shown(&hidden.to_string()).is_ascii(), "{:x} is shown raw", u32::from(hidden));
    }
}
