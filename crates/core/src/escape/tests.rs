//! Held against a JSON parser that did not write it.

use proptest::prelude::*;

use super::escape;

fn escaped(text: &str) -> String {
    let mut json = String::new();
    escape(text, &mut json);
    json
}

#[test]
fn every_character_below_the_space_and_both_signs_are_escaped() {
    assert_eq!(
        escaped("a\"b\\c\n\r\t\u{8}\u{1f} é\u{7f}"),
        r#""a\"b\\c\n\r\t\u0008\u001f éDEL""#.replace("DEL", "\u{7f}")
    );
}

#[test]
fn every_place_in_a_word_is_looked_at() {
    for length in 1..20 {
        for at in 0..length {
            for special in ['"', '\\', '\0', '\u{1f}', '\n'] {
                let mut text: Vec<char> = "x".repeat(length).chars().collect();
                text[at] = special;
                let text: String = text.into_iter().collect();
                assert_eq!(serde_json::from_str::<String>(&escaped(&text)).unwrap(), text);
            }
        }
    }
}

proptest! {
    #[test]
    fn a_parser_reads_back_what_was_written(text in any::<String>()) {
        prop_assert_eq!(serde_json::from_str::<String>(&escaped(&text)).unwrap(), text);
    }
}
