//! What reaches a plugin, and what is made of its answers.

use super::*;

fn taking(kind: &str, default: &str) -> OperationInput {
    let default = Some(Value::from(default));
    OperationInput { name: "x".into(), kind: kind.into(), default, ..OperationInput::default() }
}

#[test]
fn a_default_is_given_in_its_type_or_not_at_all() {
    let rows = [
        ("integer", "9007199254740993", Some("9007199254740993")),
        ("integer", "123456789012345678901234567890", Some("123456789012345678901234567890")),
        ("integer", "1.5", None),
        ("integer", "many", None),
        ("number", "1.50", Some("1.50")),
        ("number", "\"1\"", None),
        ("boolean", "true", Some("true")),
        ("boolean", "yes", None),
        ("array", "[1, 2]", Some("[1, 2]")),
        ("array", "{}", None),
        ("object", "{\"a\":1}", Some("{\"a\":1}")),
        ("object", "[]", None),
        ("string", "true", Some("\"true\"")),
        ("", "a \"b\"", Some("\"a \\\"b\\\"\"")),
    ];
    for (kind, text, expected) in rows {
        assert_eq!(default(&taking(kind, text)).as_deref(), expected, "{kind} {text}");
    }
    let typed = OperationInput { default: Some(Value::from(3)), ..taking("integer", "") };
    assert_eq!(default(&typed).as_deref(), Some("3"));
    assert_eq!(default(&OperationInput::default()), None);
}

#[test]
fn given_values_go_unaltered_and_before_defaults() {
    let mut schema = OperationSchema { name: "q".into(), ..OperationSchema::default() };
    schema.inputs =
        vec![taking("integer", "1"), OperationInput { name: "y".into(), ..taking("string", "d") }];
    let raw = RawJson::parse(r#"{"x": 1.000, "z":{"b":1,  "a":12345678901234567890123}}"#).unwrap();
    let given = inputs(&RawObject::read(&raw).unwrap(), &schema);
    let text = |key: &str| std::str::from_utf8(&given[key]).unwrap();
    assert_eq!(text("x"), "1.000");
    assert_eq!(text("y"), "\"d\"");
    assert_eq!(text("z"), r#"{"b":1,  "a":12345678901234567890123}"#);
    assert_eq!(given.len(), 3);
}

#[test]
fn data_is_json_as_it_came_or_a_string() {
    let said = v1::ExecuteResponse {
        success: false,
        output: "o".into(),
        data: [
            ("b".to_owned(), b"{\"n\": 12345678901234567890}".to_vec()),
            ("a".to_owned(), b"plain \"text\"".to_vec()),
            ("c".to_owned(), vec![0xff, b'x']),
            ("d".to_owned(), vec![]),
        ]
        .into(),
        error: String::new(),
    };
    let result = result(said);
    let expected = r#"{"a":"plain \"text\"","b":{"n": 12345678901234567890},"c":"�x","d":""}"#;
    assert_eq!(result.data.into_raw().get(), expected);
    assert_eq!(result.error, None);
}

#[test]
fn data_of_a_step_is_an_object_whatever_came() {
    let rows = [
        ("", "{}"),
        ("null", "{}"),
        (r#"{"b": 1,"a":2}"#, r#"{"b":1,"a":2}"#),
        ("[1]", r#"{"data":[1]}"#),
        ("rows: 3", r#"{"data":"rows: 3"}"#),
    ];
    for (bytes, expected) in rows {
        let said = v1::ExecuteStepResponse { data: bytes.into(), exit_code: 3, ..<_>::default() };
        let result = step_result(said);
        assert_eq!(result.data.into_raw().get(), expected);
        assert_eq!(result.exit_code, 3);
    }
}

#[test]
fn a_schema_says_what_the_wire_says() {
    let said = v1::OperationSchema {
        name: "query".into(),
        description: "asks".into(),
        inputs: vec![v1::InputSchema {
            name: "mode".into(),
            r#type: "string".into(),
            required: true,
            default: "fast".into(),
            description: "how".into(),
            validation: String::new(),
            choices: vec![b"\"fast\"".to_vec(), b"slow".to_vec()],
        }],
        outputs: vec![v1::OutputSchema {
            name: "rows".into(),
            r#type: "array".into(),
            description: "found".into(),
        }],
        annotations: Some(v1::Annotations { read_only: Some(true), ..<_>::default() }),
    };
    let expected = OperationSchema {
        name: "query".into(),
        description: "asks".into(),
        inputs: vec![OperationInput {
            name: "mode".into(),
            kind: "string".into(),
            required: true,
            default: Some("fast".into()),
            description: "how".into(),
            validation: None,
            choices: vec!["fast".into(), "slow".into()],
        }],
        outputs: vec![("rows".into(), "found".into())],
        annotations: Annotations { read_only: Hint::Set(true), ..Annotations::default() },
    };
    assert_eq!(schema(said), expected);
}
