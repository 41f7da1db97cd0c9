//! What is filled in, and what is shown.

use std::collections::HashMap;

use super::{filled, is_written_out, masked};

#[test]
fn variables_are_filled_in_as_others_write_them() {
    let set: HashMap<String, String> = [("A".to_owned(), "1".to_owned())].into();
    let rows = [
        ("${A}", Ok("1")),
        ("x${env:A}y${A}", Ok("x1y1")),
        ("${B:-2}", Ok("2")),
        ("${A:-2}", Ok("1")),
        ("${A", Ok("${A")),
        ("$A", Ok("$A")),
        ("", Ok("")),
        ("${A}${B}", Err("B")),
    ];
    for (text, expected) in rows {
        assert_eq!(filled(&set, text).as_deref(), expected.as_ref().map(|text| *text), "{text}");
    }
}

#[test]
fn what_is_written_out_is_masked_and_variables_are_named() {
    let rows = [
        ("Authorization", "Bearer ${KEY}", "Bearer ${KEY}"),
        ("Authorization", "Bearer abc", "***"),
        ("Authorization", "Bearer", "***"),
        ("Authorization", "abc${KEY}def", "***${KEY}***"),
        ("Authorization", "${KEY:-abc}", "${KEY:-***}"),
        ("TOKEN", "${env:KEY}", "${KEY}"),
        ("TOKEN", "${KEY", "***"),
        ("TOKEN", "abc", "***"),
        ("TOKEN", "", ""),
        ("MODE", "fast ${KEY}", "fast ${KEY}"),
    ];
    for (name, value, expected) in rows {
        assert_eq!(masked(name, value), expected, "{value}");
    }
    assert!(!is_written_out("TOKEN", "${KEY}"));
    assert!(!is_written_out("MODE", "fast"));
    assert!(is_written_out("TOKEN", "x${KEY}"));
}
