//! Constraints, good and bad.

use super::judge;

#[test]
fn what_people_write_is_a_constraint() {
    for text in [
        ">=0.5.0",
        ">= 0.5.0 < 2",
        ">=0.5.0,<2",
        ">=0.5.0, <2.0",
        "^1.2",
        "~1.2.3",
        "=1.0.0-rc.1+build.5",
        "v1.2.3",
        "!=1",
    ] {
        assert_eq!(judge(text), Ok(()), "{text}");
    }
}

#[test]
fn what_is_none_is_told() {
    let rows = [
        ("", "the constraint is empty"),
        (" ", "the constraint is empty"),
        (">=", "`` is no version"),
        ("latest", "`latest` is no version"),
        (">=1.2.3.4", "`1.2.3.4` is no version"),
        (">=1..2", "`1..2` is no version"),
        ("1.0.0-", "`1.0.0-` is no version"),
        (">=1 or 2", "`or` is no version"),
        ("=>1", "`>1` is no version"),
    ];
    for (text, expected) in rows {
        assert_eq!(judge(text), Err(expected.to_owned()), "{text}");
    }
}
