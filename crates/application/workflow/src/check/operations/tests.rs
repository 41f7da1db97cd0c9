//! Operation states.

use awf_core::{OperationInput, PluginCatalog, PluginEntry, StateKind, StepType};

use crate::built::{self, World, operation, plugin, tree, workflow};

fn told(name: &str, inputs: &[&str]) -> Vec<String> {
    let mut notify = plugin("notify", Some(&["send"]));
    let needed = OperationInput {
        name: "text".to_owned(),
        kind: "string".to_owned(),
        required: true,
        default: None,
        description: String::new(),
        validation: None,
        choices: Vec::new(),
    };
    let schema = notify.operations.iter_mut().flatten().next().expect("it has one");
    schema.inputs = vec![needed];
    let watch = StepType { name: "watch".to_owned(), description: String::new() };
    let types = Some(vec![watch]);
    let kubernetes =
        PluginEntry { step_types: types, ..plugin("kubernetes", Some(&["apply", "delete"])) };
    let off = PluginEntry { enabled: false, ..plugin("off", None) };
    let doubted = PluginEntry { doubted: true, ..plugin("doubted", None) };
    let plugins = vec![kubernetes, plugin("github", None), off, notify, doubted];
    let world = World { plugins: PluginCatalog { plugins }, ..World::default() };
    let mut state = operation("s", name);
    if let StateKind::Operation(operation) = &mut state.kind {
        operation.inputs = inputs.iter().map(|input| (built::name(input), tree("x"))).collect();
    }
    world.told(&workflow([state]))
}

#[test]
fn an_operation_is_one_a_plugin_declares() {
    let rows = [
        (
            "kubernetes.aply",
            "UNKNOWN_OPERATION 1-16 plugin `kubernetes` has no operation `aply` | did you mean `apply`?",
        ),
        (
            "kubernetes.watch",
            "UNKNOWN_OPERATION 1-17 plugin `kubernetes` has no operation `watch` | `watch` is a step type: write `type: kubernetes.watch`",
        ),
        (
            "kubernets.apply",
            "UNKNOWN_OPERATION 1-16 plugin `kubernets` is not declared | did you mean `kubernetes`?",
        ),
        (
            "off.apply",
            "UNKNOWN_OPERATION 1-10 plugin `off` is switched off | run `awf plugin enable off`",
        ),
        ("apply", "UNKNOWN_OPERATION 1-6 operation `apply` names no plugin | (usual)"),
    ];
    for (name, expected) in rows {
        assert_eq!(told(name, &[]), [expected]);
    }
}

#[test]
fn an_operation_is_given_what_it_takes() {
    assert_eq!(told("kubernetes.apply", &["anything"]), [""; 0]);
    assert_eq!(told("notify.send", &["text"]), [""; 0]);
    assert_eq!(
        told("notify.send", &["txet"]),
        [
            "UNKNOWN_INPUT 1-5 operation `notify.send` has no input `txet` | did you mean `text`?",
            "MISSING_FIELD 1-12 operation `notify.send` is not given `text` | add `text` under `inputs`",
        ]
    );
    assert_eq!(
        told("notify.send", &["text", "colour"]),
        [
            "UNKNOWN_INPUT 1-7 operation `notify.send` has no input `colour` | run `awf plugin info notify` for what it takes"
        ]
    );
    assert_eq!(
        told("github.issue", &[]),
        ["UNVERIFIED_OPERATION 1-13 the operations of plugin `github` are not known | (usual)"]
    );
    assert_eq!(told("doubted.issue", &[]), [""; 0]);
}
