//! What is written out, and what stays.

use super::{visible, visible_json};

#[test]
fn what_nobody_sees_is_written_out_and_the_rest_stays() {
    for (text, expected) in [
        ("plain\n\ttext, zażółć, 你好, 👩‍💻", "plain\n\ttext, zażółć, 你好, 👩‍💻"),
        ("rm \u{202e}txt.sj", "rm \\u{202e}txt.sj"),
        ("\u{1b}[2J\u{9b}31m\u{7}", "\\u{1b}[2J\\u{9b}31m\\u{7}"),
        ("a\u{200b}b\u{feff}\u{e0041}", "a\\u{200b}b\\u{feff}\\u{e0041}"),
    ] {
        assert_eq!(visible(text.to_owned()), expected);
    }
}

#[test]
fn json_stays_the_same_json() {
    let value = serde_json::json!({"a\u{202e}": "\u{9b}31m \u{e0041} 你好\n\u{7f}"});
    let text = visible_json(serde_json::to_string_pretty(&value).unwrap());
    assert_eq!(text, "{\n  \"a\\u202e\": \"\\u009b31m \\udb40\\udc41 你好\\n\\u007f\"\n}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
}
