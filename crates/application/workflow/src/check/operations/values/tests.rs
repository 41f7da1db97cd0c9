//! Values of operations.

use awf_core::{Located, OperationInput, OperationSchema, OperationState, Tree};
use serde_json::{Value, json};

use super::check;
use crate::built::{name, span, tree};

fn told(kind: &str, choices: &[Value], value: Tree) -> Vec<String> {
    let input = OperationInput {
        name: "x".to_owned(),
        kind: kind.to_owned(),
        choices: choices.to_vec(),
        ..OperationInput::default()
    };
    let schema = OperationSchema { inputs: vec![input], ..OperationSchema::default() };
    let inputs = vec![(name("x"), value), (name("other"), tree("y"))];
    let state = OperationState { operation: name("a.b"), inputs };
    check(&state, &schema).into_iter().map(|finding| finding.message).collect()
}

fn plain(value: Value) -> Tree {
    Tree::Plain(Located { value, span: span(1) })
}

#[test]
fn what_stands_in_the_file_is_of_its_type() {
    let rows = [
        ("integer", plain(json!(5)), None),
        ("integer", tree("{{.inputs.n}}"), None),
        ("integer", tree("5"), Some("`x` must be a whole number, not the text `5`")),
        ("integer", plain(json!(1.5)), Some("`x` must be a whole number, not the number `1.5`")),
        ("number", plain(json!(1.5)), None),
        ("string", plain(json!(8080)), Some("`x` must be text, not the number `8080`")),
        ("boolean", tree("yes"), Some("`x` must be `true` or `false`, not the text `yes`")),
        ("array", Tree::List(vec![tree("a")], span(1)), None),
        ("object", Tree::List(Vec::new(), span(1)), Some("`x` must be a mapping, not a list")),
        ("string", Tree::Map(Vec::new(), span(1)), Some("`x` must be text, not a mapping")),
        ("moment", plain(json!(5)), None),
        ("", plain(json!(5)), None),
        ("string", plain(Value::Null), None),
    ];
    for (kind, value, expected) in rows {
        let expected: Vec<&str> = expected.into_iter().collect();
        assert_eq!(told(kind, &[], value), expected, "{kind}");
    }
}

#[test]
fn what_stands_in_the_file_is_one_of_the_choices() {
    let choices = [json!("low"), json!("2")];
    assert_eq!(told("string", &choices, tree("low")), [""; 0]);
    assert_eq!(told("integer", &choices, plain(json!(2))), [""; 0]);
    assert_eq!(told("string", &choices, tree("{{.inputs.level}}")), [""; 0]);
    assert_eq!(told("string", &choices, tree("mid")), ["`x` cannot be `mid`"]);
}
