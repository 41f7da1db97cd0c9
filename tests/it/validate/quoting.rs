//! Words of others in commands: `awf validate` warns where they can run commands.

use crate::{
    validate::{awf, json},
    world::World,
};

/// What is said of a workflow, each finding by its line and message; every one of them is this warning.
#[track_caller]
fn warnings(workflow: &str) -> Vec<String> {
    let world = World::new();
    world.file("flow.yaml", workflow);
    let output = awf(&world, &world.root(), ["validate", "flow.yaml", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let document = json(&output);
    let findings = document["diagnostics"].as_array().unwrap().iter();
    let told = findings.map(|finding| {
        assert_eq!(finding["code"], "WORKFLOW.VALIDATION.UNQUOTED_INPUT", "{finding}");
        format!("{} {}", finding["line"], finding["message"].as_str().unwrap())
    });
    told.collect()
}

#[test]
fn an_escaped_input_within_quotes_is_not_safe() {
    let found = warnings(
        r#"inputs: {who: {required: true}}
states:
  initial: a
  a: {type: step, command: 'echo "hi {{escape .inputs.who}}"', on_success: b}
  b: {type: step, command: "echo 'hi {{escape .inputs.who}}'", on_success: c}
  c:
    type: step
    command: |
      cat <<E
      {{escape .inputs.who}}
      E
      echo "done" {{escape .inputs.who}} --name={{escape .inputs.who}} "$(echo {{escape .inputs.who}})"
"#,
    );
    let expected = [("4", "double quotes"), ("5", "single quotes"), ("10", "a here-document")];
    assert_eq!(
        found,
        expected.map(|(line, place)| format!(
            "{line} input `who` is escaped in {place}, where that does not hold"
        ))
    );
}

#[test]
fn the_items_of_a_loop_over_an_input_can_run_commands() {
    let found = warnings(
        r"inputs: {files: {required: true}}
states:
  initial: each
  each: {type: for_each, items: '{{.inputs.files}}', body: [show, twice]}
  show: {type: step, command: 'cat {{.loop.Item}}'}
  twice: {type: for_each, items: [1, 2], body: [again]}
  again: {type: step, command: 'cat {{.loop.Parent.Item}} {{.loop.Item}} {{escape .loop.Parent.Item}}'}
",
    );
    let expected = ["5", "7"];
    assert_eq!(
        found,
        expected.map(|line| format!("{line} the item of loop `each` reaches the shell unquoted"))
    );
}

#[test]
fn a_script_is_read_too() {
    let world = World::new();
    world.file("run.sh", "set -e\necho {{.inputs.who}}\n");
    world.file(
        "flow.yaml",
        "inputs: {who: {required: true}}\nstates: {a: {type: step, script_file: run.sh}}\n",
    );
    let output = awf(&world, &world.root(), ["validate", "flow.yaml", "--format", "json"]);
    let finding = &json(&output)["diagnostics"][0];
    assert_eq!(finding["message"], "line 2 of `run.sh`: input `who` reaches the shell unquoted");
    assert_eq!(finding["line"], 2);
}
