//! The comparison must be able to say no.

use super::same;

#[test]
fn only_the_same_lines_in_the_same_order_are_the_same() {
    assert!(same("a\nb\n", "a\nb\n", "rg").is_ok());
    for found in ["b\na\n", "a\n", "a\nb\nc\n", "a\nb"] {
        assert!(same(found, "a\nb\n", "rg").is_err(), "{found:?}");
    }
}

#[test]
fn a_difference_is_told_with_an_example() {
    let told = same("a\nx\n", "a\nb\n", "rg").unwrap_err().to_string();
    assert!(told.contains("only awf: 1, first \"x\""), "{told}");
    assert!(told.contains("only rg: 1, first \"b\""), "{told}");
    assert!(told.ends_with("line 2"), "{told}");
}

#[test]
fn a_case_that_finds_nothing_is_void() {
    assert!(same("", "", "rg").is_err());
}
