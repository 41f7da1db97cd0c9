//! Lists and limits out of text.

use serde_json::json;

use super::*;

#[test]
fn text_becomes_a_list() {
    let rows = [
        ("[1, \"b\"]", json!([1, "b"])),
        ("a, b ,c", json!(["a", "b", "c"])),
        ("one", json!(["one"])),
        ("  ", json!([])),
        ("{\"a\": 1}", json!(["{\"a\": 1}"])),
    ];
    for (text, wanted) in rows {
        assert_eq!(list(text), wanted, "{text}");
    }
}

#[test]
fn only_whole_numbers_are_limits() {
    let rows = [(3.0, Some(3)), (3.5, None), (-1.0, None), (1e30, None), (f64::NAN, None)];
    for (number, wanted) in rows {
        assert_eq!(whole(number), wanted, "{number}");
    }
}
