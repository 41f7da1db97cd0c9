//! Declarations of inputs and variables.

use awf_core::{Code, InputSpec, InputType, Located, Severity};
use serde_json::{Value, json};

use crate::built::{World, input, names, span, step, told, workflow};

fn found(inputs: Vec<InputSpec>) -> Vec<String> {
    let mut workflow = workflow([step("s")]);
    workflow.inputs = inputs;
    let lines = told(&workflow).into_iter();
    lines.filter_map(|line| Some(line.split_once(" | ")?.0.to_owned())).collect()
}

fn with(change: impl FnOnce(&mut InputSpec)) -> Vec<InputSpec> {
    let mut spec = input("x");
    change(&mut spec);
    vec![spec]
}

fn at<T>(value: T) -> Located<T> {
    Located { value, span: span(1) }
}

fn integer(spec: &mut InputSpec, default: Value) {
    spec.kind = InputType::Integer;
    spec.default = Some(at(default));
}

#[test]
fn a_declaration_must_be_possible_to_satisfy() {
    let rows = [
        (
            with(|spec| spec.rules.pattern = Some(at("a(".to_owned()))),
            "has a `pattern` that is no regular expression: unclosed group",
        ),
        (with(|spec| spec.rules.one_of = Some(at(Vec::new()))), "has an empty `enum`"),
        (
            with(|spec| spec.rules.file_extension = Some(at(Vec::new()))),
            "has an empty `file_extension`",
        ),
        (
            with(|spec| {
                spec.secret = true;
                spec.default = Some(at(json!("hunter2")));
            }),
            "is secret, and its default is not",
        ),
        (with(|spec| spec.rules.min = Some(at(1))), "has `min`, which only numbers can obey"),
        (
            with(|spec| {
                spec.kind = InputType::Integer;
                (spec.rules.min, spec.rules.max) = (Some(at(5)), Some(at(2)));
            }),
            "must be at least 5 and at most 2",
        ),
    ];
    for (inputs, expected) in rows {
        assert_eq!(found(inputs), [format!("INVALID_INPUT 1-2 input `x` {expected}")]);
    }
    assert_eq!(
        found(vec![input("x"), input("x")]),
        ["INVALID_INPUT 1-2 input `x` is declared twice"]
    );
}

#[test]
fn a_default_must_pass_its_own_rules() {
    let rows = [
        (with(|spec| integer(spec, json!("seven"))), "x`: `seven` is no integer"),
        (
            with(|spec| {
                integer(spec, json!(7));
                spec.rules.max = Some(at(5));
            }),
            "x` must be at most 5, and is `7`",
        ),
        (
            with(|spec| {
                spec.default = Some(at(json!("prod")));
                spec.rules.one_of = Some(at(vec!["dev".to_owned(), "test".to_owned()]));
            }),
            "x` must be one of `dev`, `test`, and is `prod`",
        ),
        (
            with(|spec| {
                spec.default = Some(at(json!("A")));
                spec.rules.pattern = Some(at("^[a-z]$".to_owned()));
            }),
            "x` must match `^[a-z]$`, and is `A`",
        ),
    ];
    for (inputs, expected) in rows {
        assert_eq!(found(inputs), [format!("INVALID_INPUT 1-2 the default of input `{expected}")]);
    }
}

#[test]
fn good_declarations_are_fine() {
    let rows = [
        with(|spec| integer(spec, json!("7"))),
        with(|spec| spec.default = Some(at(json!(true)))),
        // Files are looked for when the workflow runs.
        with(|spec| {
            spec.default = Some(at(json!("no/such/file")));
            spec.rules.file_exists = true;
        }),
        with(|spec| {
            spec.required = true;
            spec.default = Some(at(json!("")));
        }),
    ];
    for inputs in rows {
        assert_eq!(found(inputs), [""; 0]);
    }
}

#[test]
fn an_input_in_the_place_of_a_variable_commands_need_is_a_warning() {
    for relied in ["PATH", "HOME", "IFS", "LD_PRELOAD"] {
        let mut workflow = workflow([step("s")]);
        workflow.inputs = vec![input(relied), input("path")];
        let found = World::default().check(&workflow);
        let [finding] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((finding.code, finding.severity), (Code::InvalidInput, Severity::Warning));
        assert!(finding.message.contains(relied), "{finding:?}");
    }
}

#[test]
fn variables_are_names() {
    let mut workflow = workflow([step("s")]);
    workflow.env = names(&["HOME", "A=b", ""]);
    let found = told(&workflow);
    assert_eq!(
        found,
        [
            "INVALID_INPUT 1-4 `A=b` is no name of a variable | list names under `env`, without values",
            "INVALID_INPUT 1-1 `` is no name of a variable | list names under `env`, without values",
        ]
    );
}
