//! Where inputs come from, what they become, and every fault at once.

use awf_core::{InputRules, Located, Span};
use serde_json::json;

use super::*;

fn located<T>(value: T) -> Located<T> {
    Located { value, span: Span::start_of("w.yaml") }
}

fn input(name: &str, kind: InputType) -> InputSpec {
    InputSpec {
        name: located(name.to_owned()),
        kind,
        description: None,
        required: false,
        default: None,
        secret: false,
        rules: InputRules::default(),
    }
}

fn workflow(inputs: Vec<InputSpec>) -> Workflow {
    Workflow {
        name: located("deploy".to_owned()),
        file: "w.yaml".to_owned(),
        description: None,
        version: None,
        author: None,
        tags: Vec::new(),
        inputs,
        plugins: Vec::new(),
        env: Vec::new(),
        initial: located("a".to_owned()),
        states: Vec::new(),
        hooks: awf_core::WorkflowHooks::default(),
    }
}

/// The values, or the messages of all faults.
fn check(
    inputs: Vec<InputSpec>,
    given: &[(&str, Value)],
    configured: Value,
) -> Result<Value, Vec<String>> {
    let given: Vec<(String, Value)> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let Value::Object(configured) = configured else { panic!("an object") };
    let sources =
        InputSources { given: &given, configured: &configured, dir: Path::new("/nowhere") };
    resolve_inputs(&workflow(inputs), &sources)
        .map(|inputs| Value::Object(inputs.into_values()))
        .map_err(|faults| faults.into_iter().map(|fault| fault.message).collect())
}

#[test]
fn what_is_given_wins_over_configuration_over_default() {
    let spec =
        |name| InputSpec { default: Some(located(json!("d"))), ..input(name, InputType::String) };
    let inputs = vec![spec("x"), spec("y"), spec("z")];
    let resolved = check(inputs, &[("x", json!("g"))], json!({"x": "c", "y": "c", "other": 1}));
    assert_eq!(resolved, Ok(json!({"x": "g", "y": "c", "z": "d"})));
}

#[test]
fn values_take_the_declared_type() {
    let rows = [
        (InputType::Integer, json!("-7"), json!(-7)),
        (InputType::Integer, json!(7), json!(7)),
        (InputType::Boolean, json!("Yes"), json!(true)),
        (InputType::Boolean, json!("0"), json!(false)),
        (InputType::Boolean, json!(true), json!(true)),
        (InputType::String, json!("7"), json!("7")),
        (InputType::String, json!(7), json!("7")),
    ];
    for (kind, given, wanted) in rows {
        let resolved = check(vec![input("x", kind)], &[("x", given.clone())], json!({}));
        assert_eq!(resolved, Ok(json!({"x": wanted})), "{given}");
    }
}

#[test]
fn what_is_not_given_is_empty() {
    let inputs = vec![input("s", InputType::String), input("n", InputType::Integer)];
    assert_eq!(check(inputs, &[], json!({})), Ok(json!({"s": "", "n": null})));
}

#[test]
fn all_faults_are_told_together() {
    let ranged = InputSpec {
        rules: InputRules { min: Some(located(1)), max: Some(located(3)), ..InputRules::default() },
        ..input("count", InputType::Integer)
    };
    let named = InputSpec {
        rules: InputRules {
            pattern: Some(located("^[a-z]+$".to_owned())),
            one_of: Some(located(vec!["dev".to_owned(), "prod".to_owned()])),
            ..InputRules::default()
        },
        ..input("env", InputType::String)
    };
    let filed = InputSpec {
        rules: InputRules {
            file_exists: true,
            file_extension: Some(located(vec![".md".to_owned()])),
            ..InputRules::default()
        },
        ..input("file", InputType::String)
    };
    let required = InputSpec { required: true, ..input("who", InputType::String) };
    let given = [
        ("count", json!("9")),
        ("env", json!("QA")),
        ("file", json!("a.txt")),
        ("who", json!("")),
        ("cuont", json!("1")),
    ];
    assert_eq!(
        check(vec![ranged, named, filed, required], &given, json!({})),
        Err(vec![
            "workflow `deploy` has no input `cuont`".to_owned(),
            "input `count` must be at most 3, and is `9`".to_owned(),
            "input `env` must match `^[a-z]+$`, and is `QA`".to_owned(),
            "input `env` must be one of `dev`, `prod`, and is `QA`".to_owned(),
            "input `file` must name a file that exists, and is `a.txt`".to_owned(),
            "input `file` must end in `.md`, and is `a.txt`".to_owned(),
            "input `who` is required".to_owned(),
        ])
    );
}

#[test]
fn a_secret_is_not_repeated() {
    let spec = InputSpec { secret: true, ..input("key", InputType::Integer) };
    let faults = check(vec![spec], &[("key", json!("hunter2"))], json!({})).unwrap_err();
    assert_eq!(faults, ["input `key`: its value is no integer"]);
}

#[test]
fn missing_ones_are_the_required_that_nobody_gave() {
    let required = |name| InputSpec { required: true, ..input(name, InputType::String) };
    let workflow = workflow(vec![required("a"), required("b"), input("c", InputType::String)]);
    let given = [("a".to_owned(), json!("x"))];
    let sources =
        InputSources { given: &given, configured: &Map::new(), dir: Path::new("/nowhere") };
    let names: Vec<&str> =
        missing_inputs(&workflow, &sources).iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names, ["b"]);
}
