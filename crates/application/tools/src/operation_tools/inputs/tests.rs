//! What a step gives an operation.

use awf_core::{OperationInput, OperationSchema, RawObject};
use serde_json::{Value, json};

use super::{check_inputs, typed_input};

fn operation(kind: &str) -> OperationSchema {
    let input = OperationInput { name: "x".into(), kind: kind.into(), ..OperationInput::default() };
    OperationSchema { name: "do".into(), inputs: vec![input], ..OperationSchema::default() }
}

fn told(operation: &OperationSchema, inputs: Value) -> String {
    let Value::Object(inputs) = inputs else { panic!("an object") };
    check_inputs(operation, &RawObject::from(inputs)).err().unwrap_or_default()
}

#[test]
fn what_does_not_fit_is_told_by_its_place_and_without_its_value() {
    let mut asked = operation("string");
    asked.inputs[0].choices = vec![json!("m"), json!("km")];
    assert_eq!(told(&asked, json!({"x": "km"})), "");
    assert_eq!(told(&asked, json!({"x": "secret"})), r#"at `/x`: value is not one of "m" or "km""#);
    assert!(told(&asked, json!({"y": 1})).starts_with("at `/y`: "));
    let told = told(&operation("integer"), json!({"x": "5"}));
    assert_eq!(told, r#"at `/x`: value is not of type "integer""#);
}

#[test]
fn an_input_with_a_default_need_not_be_given() {
    let mut asked = operation("string");
    asked.inputs[0].required = true;
    assert!(told(&asked, json!({})).starts_with("at `/x`: "));
    asked.inputs[0].default = Some(json!("usual"));
    assert_eq!(told(&asked, json!({})), "");
}

#[test]
fn an_operation_that_cannot_be_a_tool_and_a_rule_of_its_own_refuse_nothing() {
    assert_eq!(told(&operation("moment"), json!({"x": 5})), "");
    let mut asked = operation("string");
    asked.inputs[0].validation = Some("url".to_owned());
    assert_eq!(told(&asked, json!({"x": ""})), "");
}

#[test]
fn what_a_template_gave_is_of_the_type_the_input_has() {
    let rows = [
        ("integer", json!("5"), json!(5)),
        ("integer", json!("5\n"), json!(5)),
        ("integer", json!("5.0"), json!("5.0")),
        ("integer", json!("five"), json!("five")),
        ("integer", json!("true"), json!("true")),
        ("integer", json!(5), json!(5)),
        ("number", json!("1.5"), json!(1.5)),
        ("bool", json!("true"), json!(true)),
        ("bool", json!("1"), json!("1")),
        ("string", json!(5), json!("5")),
        ("string", json!(false), json!("false")),
        ("string", json!("5"), json!("5")),
        ("string", json!([5]), json!([5])),
        ("array", json!("[5]"), json!("[5]")),
        ("", json!("5"), json!("5")),
        ("", json!(null), json!(null)),
        ("moment", json!("5"), json!("5")),
    ];
    for (kind, value, expected) in rows {
        let typed = typed_input(&operation(kind), "x", value.clone());
        assert_eq!(typed, Some(expected), "{kind} {value}");
    }
    assert_eq!(typed_input(&operation("string"), "x", Value::Null), None);
    assert_eq!(typed_input(&operation("integer"), "y", json!("5")), Some(json!("5")));
}
