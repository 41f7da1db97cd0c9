//! How values compare and what they read like.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::{Number, boolean, equals, order, text, weight};

#[test]
fn values_have_a_text() {
    for (value, expected) in [
        (Value::Null, ""),
        (json!(true), "true"),
        (json!(-3), "-3"),
        (json!(2.0), "2"),
        (json!(0.1), "0.1"),
        (json!(1e300), "1e300"),
        (json!(u64::MAX), "1.8446744073709552e19"),
        (json!("a\"b"), "a\"b"),
        (json!(["a", 1]), r#"["a",1]"#),
    ] {
        assert_eq!(text(&value), expected, "{value}");
    }
}

#[test]
fn text_reads_like_a_number_or_not() {
    for (text, number) in [
        ("3", Some(Number::Whole(3))),
        (" -3\n", Some(Number::Whole(-3))),
        ("0.5", Some(Number::Float(0.5))),
        ("1e3", Some(Number::Float(1000.0))),
        ("9223372036854775808", Some(Number::Float(9_223_372_036_854_775_808.0))),
        ("1e999", None),
        ("inf", None),
        ("nan", None),
        ("e", None),
        ("1.2.3", None),
        ("", None),
    ] {
        assert_eq!(Number::meant(&json!(text)), number, "{text}");
    }
    assert_eq!(boolean(&json!(" True ")), Some(true));
    assert_eq!(boolean(&json!("yes")), None);
    assert_eq!(boolean(&json!(1)), None);
}

#[test]
fn texts_next_to_numbers_and_booleans_are_what_they_read_like() {
    for (left, right, equal, ordered) in [
        (json!(1), json!(1.0), true, Ok(Some(Ordering::Equal))),
        (json!("3"), json!(3), true, Ok(Some(Ordering::Equal))),
        (json!("1.0"), json!("1"), false, Ok(Some(Ordering::Equal))),
        (json!("9"), json!("10"), false, Ok(Some(Ordering::Less))),
        (json!("a"), json!("10"), false, Ok(Some(Ordering::Greater))),
        (json!("true"), json!(true), true, Err(())),
        (json!("x"), json!(true), false, Err(())),
        (json!("x"), json!(1), false, Err(())),
        (json!(1), json!(true), false, Err(())),
        (json!(null), json!(0), false, Ok(None)),
        (json!(null), json!(null), true, Ok(None)),
        (json!([1]), json!([1]), true, Err(())),
    ] {
        assert_eq!(equals(&left, &right), equal, "{left} {right}");
        assert_eq!(equals(&right, &left), equal, "{right} {left}");
        assert_eq!(order(&left, &right).map_err(drop), ordered, "{left} {right}");
    }
}

#[test]
fn places_count_from_both_ends() {
    for (place, found) in
        [(0, Some(0)), (2, Some(2)), (3, None), (-1, Some(2)), (-3, Some(0)), (-4, None)]
    {
        assert_eq!(Number::Whole(place).place(3), found, "{place}");
    }
    assert_eq!(Number::Whole(i64::MIN).place(3), None);
    assert_eq!(Number::Float(1.0).place(3), None);
}

#[test]
fn weight_grows_with_what_is_inside() {
    assert_eq!(weight(&json!("abc")), 3);
    assert_eq!(weight(&json!({"k": ["abc", null]})), 17 + 19 + 17);
}
