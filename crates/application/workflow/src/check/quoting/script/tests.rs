//! Script files with words of others in them.

use awf_core::{CommandSource, StateKind};

use crate::built::{World, input, state, text, workflow};

/// What is said of a workflow whose only step is a script.
fn told(script: &'static str) -> Vec<String> {
    let run = state("run", StateKind::Command(CommandSource::Script(text("run.sh"))));
    let mut workflow = workflow([run]);
    let mut secret = input("token");
    secret.secret = true;
    workflow.inputs = vec![input("who"), secret];
    let mut world = World { files: vec!["flows/run.sh"], ..World::default() };
    world.texts.insert("flows/run.sh", script);
    world.told(&workflow)
}

#[test]
fn a_script_is_read_as_a_command_is() {
    assert_eq!(
        told("set -e\necho {{escape .inputs.who}}\necho {{.inputs.who}}\n"),
        ["UNQUOTED_INPUT 1-7 line 3 of `run.sh`: input `who` reaches the shell unquoted | write \
          `{{escape .inputs.who}}`, or use the variable `\"$who\"`"]
    );
    let escaped = told("#!/usr/bin/env bash\necho '{{escape .inputs.who}}'\n");
    assert!(escaped[0].contains("line 2 of `run.sh`: input `who` is escaped in single quotes"));
    for harmless in ["echo \"$who\"", "#!/usr/bin/python3\nprint({{.inputs.who}})", "{{"] {
        assert_eq!(told(harmless), [""; 0], "{harmless}");
    }
}

#[test]
fn a_secret_is_seen_where_the_script_is_an_argument() {
    assert!(told("login {{escape .inputs.token}}")[0].contains("which other programs can see"));
    assert_eq!(told("#!/bin/sh\nlogin {{escape .inputs.token}}"), [""; 0]);
    assert!(told("#!/bin/sh\nlogin {{.inputs.token}}")[0].contains("reaches the shell unquoted"));
}
