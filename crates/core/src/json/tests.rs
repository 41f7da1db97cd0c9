//! What raw JSON must keep and what it must refuse.

use super::RawJson;

#[test]
fn keeps_key_order_and_numbers_no_float_can_hold() {
    let text = r#"{"z":12345678901234567890123,"a":1.10,"z2":{"x-vendor":null}}"#;
    assert_eq!(RawJson::parse(text).unwrap().get(), text);
}

#[test]
fn refuses_what_is_not_one_value() {
    for text in ["", "{", "{} x", "nope", "{\"a\":}"] {
        assert!(RawJson::parse(text).is_err(), "{text:?} was taken for JSON");
    }
}

#[test]
fn an_empty_object_is_an_empty_object() {
    assert_eq!(RawJson::empty_object().get(), "{}");
}
