//! Calls of other workflows.

use std::collections::HashMap;

use awf_core::{InputSpec, InputType, Located, StateKind, Workflow};
use serde_json::json;

use crate::built::{World, call, input, name, span, step, workflow};

/// A workflow in a file of its own that calls these.
fn calling(own: &str, callees: &[&str]) -> Workflow {
    let calls = callees.iter().map(|callee| call(&format!("to_{callee}"), callee, &[]));
    let mut workflow = workflow(calls.chain([step("last")]));
    workflow.file = format!("flows/{own}.yaml");
    workflow.name = name(own);
    workflow
}

fn told(workflow: &Workflow, others: Vec<(&'static str, Workflow)>) -> Vec<String> {
    let world = World { workflows: HashMap::from_iter(others), ..World::default() };
    let lines = world.told(workflow).into_iter();
    lines.filter(|line| !line.starts_with("UNREACHABLE")).collect()
}

#[test]
fn a_call_names_a_workflow() {
    assert_eq!(
        told(&calling("main", &["other"]), Vec::new()),
        ["UNKNOWN_WORKFLOW 1-6 there is no workflow `other` | (usual)"]
    );
}

#[test]
fn a_call_gives_what_is_needed_and_nothing_else() {
    let mut callee = calling("child", &[]);
    let mut needed = input("target");
    needed.required = true;
    let mut preset = input("mode");
    preset.required = true;
    preset.default = Some(Located { value: json!("fast"), span: span(4) });
    callee.inputs = vec![needed, preset, input("extra")];
    let given = |inputs| workflow([call("s", "child", inputs)]);
    let others = || vec![("child", callee.clone())];
    assert_eq!(told(&given(&[("target", "x"), ("extra", "y")]), others()), [""; 0]);
    assert_eq!(
        told(&given(&[("targte", "x")]), others()),
        [
            "MISSING_INPUT 1-6 workflow `child` is not given `target` | add `target` under `inputs`",
            "UNKNOWN_INPUT 1-7 workflow `child` has no input `targte` | did you mean `target`?",
        ]
    );
}

#[test]
fn a_value_in_the_file_is_what_the_called_takes() {
    let mut callee = calling("child", &[]);
    let mut mode = input("mode");
    mode.rules.one_of = Some(Located { value: vec!["fast".to_owned()], span: span(4) });
    callee.inputs = vec![InputSpec { kind: InputType::Integer, ..input("n") }, mode];
    let told = |inputs: &[(&str, &str)]| {
        told(&workflow([call("s", "child", inputs)]), vec![("child", callee.clone())])
    };
    for good in ["7", "{{.env.N}}", ""] {
        assert_eq!(told(&[("n", good), ("mode", "fast")]), [""; 0], "{good}");
    }
    assert_eq!(
        told(&[("n", "abc"), ("mode", "slow!")]),
        [
            "VALIDATION_FAILED 1-6 workflow `child`: input `mode` must be one of `fast`, and is `slow!` | give a value that fits",
            "VALIDATION_FAILED 1-4 workflow `child`: input `n`: `abc` is no integer | give a value that fits",
        ]
    );
}

#[test]
fn a_secret_does_not_stand_in_a_call() {
    let mut callee = calling("child", &[]);
    callee.inputs = vec![InputSpec { secret: true, ..input("token") }];
    let told = |value: &str| {
        told(&workflow([call("s", "child", &[("token", value)])]), vec![("child", callee.clone())])
    };
    assert_eq!(told("{{.env.TOKEN}}"), [""; 0]);
    let found = told("hunter2");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("INVALID_INPUT 1-8 workflow `child`: input `token` is secret"));
}

#[test]
fn outputs_are_states_of_the_called() {
    let mut state = call("s", "child", &[]);
    if let StateKind::Call(call) = &mut state.kind {
        let outputs = ["last", "last.Stderr", "states.last.Output", "lsat", "last.output"];
        call.outputs = outputs.map(|output| (name(output), name("a"))).into();
    }
    assert_eq!(
        told(&workflow([state]), vec![("child", calling("child", &[]))]),
        [
            "MISSING_STATE 1-5 workflow `child` has no state `lsat` | did you mean `last`?",
            "UNDEFINED_REFERENCE 1-12 state `last` has no `output` | did you mean `Output`?",
        ]
    );
}

#[test]
fn calls_must_not_lead_back() {
    let other = |own: &'static str, callees: &[&str]| (own, calling(own, callees));
    let hint = "break the circle: one of them must do without the call";
    assert_eq!(
        told(&calling("main", &["main"]), vec![other("main", &["main"])]),
        [format!("UNKNOWN_WORKFLOW 1-5 calling `main` never ends: `main` → `main` | {hint}")]
    );
    assert_eq!(
        told(&calling("main", &["b"]), vec![other("b", &["c"]), other("c", &["b"])]),
        [format!("UNKNOWN_WORKFLOW 1-2 calling `b` never ends: `b` → `c` → `b` | {hint}")]
    );
    // The same workflow twice, side by side, is no circle.
    let diamond = vec![other("b", &["d"]), other("c", &["d"]), other("d", &[])];
    assert_eq!(told(&calling("main", &["b", "c"]), diamond), [""; 0]);
}

#[test]
fn calls_go_ten_deep_and_no_deeper() {
    const NAMES: [&str; 11] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
    let chain = |count: usize| {
        let names = NAMES.iter().take(count).enumerate();
        let next = |at: usize| NAMES.get(at + 1).filter(|_| at + 1 < count).copied();
        names.map(|(at, own)| (*own, calling(own, next(at).as_slice()))).collect()
    };
    assert_eq!(told(&calling("main", &["a"]), chain(9)), [""; 0]);
    assert_eq!(
        told(&calling("main", &["a"]), chain(10)),
        ["TOO_DEEP 1-2 calling `a` leads more than ten workflows deep | (usual)"]
    );
}

#[test]
fn many_calls_are_followed_in_bounded_time() {
    // Each calls all others further down: 2 to the power of their number ways, but few workflows.
    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let others = NAMES.iter().enumerate();
    let others = others.map(|(at, own)| (*own, calling(own, &NAMES[at + 1..]))).collect();
    assert_eq!(told(&calling("main", &NAMES), others), [""; 0]);
}
