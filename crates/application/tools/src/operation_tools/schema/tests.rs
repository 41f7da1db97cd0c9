//! What can be said in a schema, and what is refused by name.

use awf_core::{Code, OperationInput, OperationSchema};
use serde_json::{Value, json};

use super::input_schema;

fn input(name: &str, kind: &str) -> OperationInput {
    OperationInput { name: name.into(), kind: kind.into(), ..OperationInput::default() }
}

fn operation(inputs: Vec<OperationInput>) -> OperationSchema {
    OperationSchema { name: "op".into(), inputs, ..OperationSchema::default() }
}

fn property(input: OperationInput) -> Result<Value, String> {
    let schema = input_schema(&operation(vec![input])).map_err(|error| error.to_string())?;
    Ok(schema["properties"]["x"].clone())
}

fn with_default(kind: &str, default: Value) -> Result<Value, String> {
    property(OperationInput { default: Some(default), ..input("x", kind) })
}

fn with_choices(kind: &str, choices: Vec<Value>, default: Option<Value>) -> Result<Value, String> {
    property(OperationInput { choices, default, ..input("x", kind) })
}

#[test]
fn every_type_has_its_word_and_none_is_any_value() {
    let rows = [
        ("string", json!({"type": "string"})),
        ("integer", json!({"type": "integer"})),
        ("int", json!({"type": "integer"})),
        ("number", json!({"type": "number"})),
        ("float", json!({"type": "number"})),
        ("boolean", json!({"type": "boolean"})),
        ("bool", json!({"type": "boolean"})),
        ("array", json!({"type": "array"})),
        ("object", json!({"type": "object"})),
        ("", json!({})),
    ];
    for (kind, expected) in rows {
        assert_eq!(property(input("x", kind)).unwrap(), expected, "{kind}");
    }
}

#[test]
fn a_type_that_is_not_known_is_refused_by_name() {
    let rows = [
        ("strng", "its type `strng` is not known; did you mean `string`?"),
        (
            "duration",
            "its type `duration` is not known; use string, integer, number, boolean, array or object",
        ),
        ("String", "its type `String` is not known; did you mean `string`?"),
    ];
    for (kind, reason) in rows {
        assert_eq!(
            property(input("x", kind)).unwrap_err(),
            format!("operation `op`, input `x`: {reason}")
        );
    }
    let error = input_schema(&operation(vec![input("x", "blob\u{1b}")])).unwrap_err();
    let diagnostic = error.diagnostic();
    assert_eq!(diagnostic.code, Code::ProxyUnsupportedSchema);
    assert_eq!(diagnostic.message, error.to_string());
    assert!(!diagnostic.message.contains('\u{1b}'));
}

#[test]
fn a_default_that_came_as_text_is_given_its_type() {
    let rows = [
        ("integer", json!("5"), json!(5)),
        ("integer", json!(5), json!(5)),
        ("integer", json!("-9007199254740993"), json!(-9_007_199_254_740_993_i64)),
        ("number", json!("1.5"), json!(1.5)),
        ("boolean", json!("false"), json!(false)),
        ("array", json!("[1,\"a\"]"), json!([1, "a"])),
        ("object", json!("{\"a\":1}"), json!({"a": 1})),
        ("string", json!("5"), json!("5")),
        ("string", json!(""), json!("")),
        ("", json!("5"), json!("5")),
        ("", json!([5]), json!([5])),
    ];
    for (kind, default, expected) in rows {
        assert_eq!(with_default(kind, default).unwrap()["default"], expected, "{kind}");
    }
    assert_eq!(with_default("integer", json!("")).unwrap(), json!({"type": "integer"}));
}

#[test]
fn a_default_of_another_type_is_refused_by_name() {
    let rows = [
        ("integer", json!("five"), "its default `five` is no integer"),
        ("integer", json!("5.5"), "its default `5.5` is no integer"),
        ("integer", json!("\"5\""), "its default `\\\"5\\\"` is no integer"),
        ("boolean", json!("yes"), "its default `yes` is no boolean"),
        ("boolean", json!(1), "its default `1` is no boolean"),
        ("array", json!("{}"), "its default `{}` is no array"),
        ("object", json!("[]"), "its default `[]` is no object"),
        ("number", json!("5 6"), "its default `5 6` is no number"),
        ("string", json!(5), "its default `5` is no string"),
    ];
    for (kind, default, reason) in rows {
        assert_eq!(
            with_default(kind, default).unwrap_err(),
            format!("operation `op`, input `x`: {reason}")
        );
    }
}

#[test]
fn choices_are_an_enum_of_the_type_and_hold_the_default() {
    let given = with_choices("string", vec![json!("a"), json!("b"), json!("a")], Some(json!("b")));
    assert_eq!(given.unwrap(), json!({"type": "string", "enum": ["a", "b"], "default": "b"}));
    let given = with_choices("integer", vec![json!(1), json!(2)], Some(json!("2")));
    assert_eq!(given.unwrap(), json!({"type": "integer", "enum": [1, 2], "default": 2}));
    let wrong = with_choices("integer", vec![json!(1), json!("2")], None).unwrap_err();
    assert_eq!(wrong, "operation `op`, input `x`: its choice `\\\"2\\\"` is no integer");
    let wrong = with_choices("string", vec![json!("a")], Some(json!("b"))).unwrap_err();
    assert_eq!(wrong, "operation `op`, input `x`: its default `\\\"b\\\"` is none of its choices");
}

#[test]
fn a_rule_is_a_format_or_is_told_in_words() {
    let rule = |rule: &str, description: &str| {
        let validation = Some(rule.to_owned());
        property(OperationInput {
            validation,
            description: description.into(),
            ..input("x", "string")
        })
        .unwrap()
    };
    assert_eq!(rule("url", ""), json!({"type": "string", "format": "uri"}));
    let email = json!({"type": "string", "format": "email", "description": "Whom"});
    assert_eq!(rule("email", "Whom"), email);
    assert_eq!(rule("", ""), json!({"type": "string"}));
    assert_eq!(rule("semver", "Which")["description"], "Which (rule: semver)");
    assert_eq!(rule("semver", "")["description"], "(rule: semver)");
}

#[test]
fn required_inputs_are_sorted_and_nothing_else_may_be_given() {
    let needed = |name: &str| OperationInput { required: true, ..input(name, "string") };
    let schema = input_schema(&operation(vec![needed("z"), input("m", ""), needed("a")])).unwrap();
    assert_eq!(schema["required"], json!(["a", "z"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    let anything = input_schema(&operation(Vec::new())).unwrap();
    assert_eq!(anything, json!({"type": "object", "properties": {}}));
}

#[test]
fn an_input_without_a_name_and_one_declared_twice_are_refused() {
    let error = input_schema(&operation(vec![input("", "string")])).unwrap_err();
    assert_eq!(error.to_string(), "operation `op`, input ``: an input must have a name");
    let twice = vec![input("x", "string"), input("x", "integer")];
    let error = input_schema(&operation(twice)).unwrap_err();
    assert_eq!(error.to_string(), "operation `op`, input `x`: it is declared twice");
}
