//! Operation states.

use awf_core::{OperationInput, PluginCatalog, PluginEntry, StateKind};

use crate::built::{self, World, operation, plugin, tree, workflow};

const NOT_RUN: &str = "this version of awf does not run plugins yet, so the step will fail | \
                       until then use `type: step` with a command that does the work";

fn told(name: &str, inputs: &[&str]) -> Vec<String> {
    let mut notify = plugin("notify", Some(&["send"]));
    let needed = OperationInput {
        name: "text".to_owned(),
        kind: "string".to_owned(),
        required: true,
        default: None,
        description: String::new(),
        validation: None,
    };
    let schema = notify.operations.iter_mut().flatten().next().expect("it has one");
    schema.inputs = vec![needed];
    let off = PluginEntry { enabled: false, ..plugin("off", None) };
    let plugins =
        vec![plugin("kubernetes", Some(&["apply", "delete"])), plugin("github", None), off, notify];
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
            "kubernets.apply",
            "UNKNOWN_OPERATION 1-16 plugin `kubernets` is not declared | did you mean `kubernetes`?",
        ),
        (
            "off.apply",
            "UNKNOWN_OPERATION 1-10 plugin `off` is switched off | enable it in `.awf/plugins.yaml`",
        ),
        ("apply", "UNKNOWN_OPERATION 1-6 operation `apply` names no plugin | (usual)"),
    ];
    for (name, expected) in rows {
        assert_eq!(told(name, &[]), [expected]);
    }
}

#[test]
fn an_operation_is_given_what_it_takes_and_will_fail_in_this_version() {
    let not_run = |length: usize| format!("UNVERIFIED_OPERATION 1-{length} {NOT_RUN}");
    assert_eq!(told("kubernetes.apply", &["anything"]), [not_run(17)]);
    assert_eq!(told("notify.send", &["text"]), [not_run(12)]);
    assert_eq!(
        told("notify.send", &["txet"]),
        [
            "UNKNOWN_INPUT 1-5 operation `notify.send` has no input `txet` | did you mean `text`?"
                .to_owned(),
            "MISSING_FIELD 1-12 operation `notify.send` is not given `text` | add `text` under `inputs`"
                .to_owned(),
            not_run(12),
        ]
    );
    assert_eq!(
        told("github.issue", &[]),
        [
            "UNVERIFIED_OPERATION 1-13 the operations of plugin `github` are not known | (usual)"
                .to_owned(),
            not_run(13),
        ]
    );
}
