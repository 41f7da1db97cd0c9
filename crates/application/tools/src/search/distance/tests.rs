//! Slips are counted as a reader would count them.

use super::is_within;

#[test]
fn slips_are_counted() {
    for (one, other, expected) in [
        ("issue", "issue", Some(0)),
        ("isuse", "issue", Some(1)),
        ("isue", "issue", Some(1)),
        ("isssue", "issue", Some(1)),
        ("usser", "issue", None),
        ("repositroy", "repository", Some(1)),
        ("respositroy", "repository", Some(2)),
        ("", "ab", Some(2)),
        ("größe", "grösse", Some(2)),
        ("a", "abcd", None),
    ] {
        assert_eq!(is_within(one, other, 2), expected, "{one} {other}");
        assert_eq!(is_within(other, one, 2), expected, "{other} {one}");
    }
}
