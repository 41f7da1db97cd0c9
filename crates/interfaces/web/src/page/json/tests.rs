//! Only white space is added.

use super::{pretty, texts};

#[test]
fn a_text_is_set_in_lines_and_not_touched() {
    let text =
        r#"{"a":[1,{"b":"x, {y}: \"z\\"}],"e":{},"f":[ ],"n":123456789012345678901234567890.10}"#;
    let expected = r#"{
  "a": [
    1,
    {
      "b": "x, {y}: \"z\\"
    }
  ],
  "e": {},
  "f": [],
  "n": 123456789012345678901234567890.10
}"#;
    assert_eq!(pretty(text), expected);
    for odd in ["", "\"", "\"\\", "]]}", "[[[", "null"] {
        pretty(odd);
    }
}

#[test]
fn the_texts_of_a_result_are_found_and_nothing_is_left_out_silently() {
    let result = r#"{"content":[{"type":"text","text":"a\nb"},{"type":"text","text":"c"}]}"#;
    assert_eq!(texts(result), ["a\nb", "c"]);
    for other in
        [r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":""}]}"#, "[]", "{}"]
    {
        assert!(texts(other).is_empty(), "{other}");
    }
}
