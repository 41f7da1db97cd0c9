//! One form for what says the same, and for nothing else.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Ambiguous, canonical, strings};

#[test]
fn order_white_space_and_escapes_do_not_count() {
    let one = r#"{"b": [1, {"y":2,"x":"A\/\n"}], "a" : "é"}"#;
    let other = "{\"a\":\"\\u00e9\",\n\"b\":[1,{\"x\":\"\\u0041/\\u000a\",\"y\":2}]}";
    assert_eq!(canonical(one), canonical(other));
    assert_eq!(canonical(one).unwrap(), r#"{"a":"é","b":[1,{"x":"A/\n","y":2}]}"#);
}

#[test]
fn numbers_stay_as_written() {
    let text = "[1,1.0,1e2,-0,123456789012345678901234567890,true,false,null]";
    assert_eq!(canonical(text).unwrap(), text);
    assert_ne!(canonical("1"), canonical("1.0"));
}

#[test]
fn a_key_given_twice_has_no_form() {
    for text in [r#"{"a":1,"a":1}"#, r#"[{"x":{"a":1,"\u0061":2}}]"#] {
        assert_eq!(canonical(text), Err(Ambiguous::Twice), "{text}");
    }
}

#[test]
fn what_is_no_json_is_no_panic() {
    let deep = "[".repeat(100_000);
    for text in ["", "{", "[", "\"", "{\"a\"", "{\"a\":", "[1", "\"\\", "{\"a\" 1}", &deep] {
        assert_eq!(canonical(text), Err(Ambiguous::NotJson), "{text:.20}");
    }
}

#[test]
fn all_texts_are_found() {
    let text = r#"{"k\u200b":["v\\",{"x":"\"q\""}],"n":1}"#;
    let found: Vec<String> = strings(text).collect();
    assert_eq!(found, ["k\u{200b}", "v\\", "x", "\"q\"", "n"]);
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| json!(members)),
        ]
    })
}

proptest! {
    #[test]
    fn the_form_says_what_the_value_said(value in value()) {
        let form = canonical(&serde_json::to_string_pretty(&value).unwrap()).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&form).unwrap(), value);
        prop_assert_eq!(canonical(&form).unwrap(), form);
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _form = canonical(&text);
        prop_assert!(strings(&text).count() <= text.len());
    }
}
