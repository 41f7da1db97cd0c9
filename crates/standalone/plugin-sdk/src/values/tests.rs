//! Values pass unaltered, and what is wrong with one is said by its name.

use std::collections::HashMap;

use serde_json::Value;

use super::Values;

fn values(rows: &[(&str, &str)]) -> Values {
    let rows = rows.iter().map(|(name, json)| ((*name).to_owned(), json.as_bytes().to_vec()));
    Values::from_wire(rows.collect())
}

#[test]
fn values_pass_to_the_last_digit() {
    let rows = [
        ("big", "123456789012345678901234567890"),
        ("exact", "1.10"),
        ("order", r#"{"b": 1,  "a":2}"#),
        ("text", r#""\u00e9\n$(x)""#),
    ];
    let wire: HashMap<String, Vec<u8>> = values(&rows).into_wire();
    let mut back: Vec<_> =
        wire.iter().map(|(name, json)| (name.as_str(), json.as_slice())).collect();
    back.sort_unstable();
    assert_eq!(back, rows.map(|(name, json)| (name, json.as_bytes())));
    assert_eq!(
        String::from_utf8(values(&rows[..2]).into_object()).unwrap(),
        r#"{"big":123456789012345678901234567890,"exact":1.10}"#
    );
}

#[test]
fn what_is_no_json_is_text() {
    let values = Values::from_wire([("raw".to_owned(), b"not \"json".to_vec())].into());
    assert_eq!(values.get::<String>("input", "raw").unwrap(), "not \"json");
}

#[test]
fn what_is_wrong_is_said_by_name() {
    let values = values(&[("count", r#""many""#)]);
    let count = values.get::<i64>("input", "count").unwrap_err().to_string();
    assert!(count.starts_with("input `count`: invalid type: string \"many\""), "{count}");
    let absent = values.get::<i64>("setting", "absent").unwrap_err().to_string();
    assert_eq!(absent, "setting `absent` is not given");
    assert_eq!(values.get::<Option<i64>>("input", "absent").unwrap(), None);
    assert_eq!(values.get::<Value>("input", "absent").unwrap(), Value::Null);
}
