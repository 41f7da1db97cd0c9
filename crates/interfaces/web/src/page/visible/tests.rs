//! What is written out, and what stays.

use super::visible;

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
