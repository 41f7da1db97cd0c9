//! Validators of plugins, asked by `awf validate --with-plugins`.

use serde_json::{Value, json};

use crate::{plugin::hostile, world::World};

const WORKFLOW: &str = "name: w\nstates:\n  initial: forbidden\n  forbidden: {type: step, command: 'true', description: x}\n";

#[test]
fn what_a_plugin_finds_is_found_at_its_state() {
    let world = World::with_example();
    world.workflow("w", WORKFLOW);
    let quiet = world.awf(["validate", "w"]);
    assert_eq!(quiet.status.code(), Some(0), "{}", String::from_utf8_lossy(&quiet.stdout));
    let output = world.awf(["validate", "w", "--with-plugins", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = told["diagnostics"].as_array().unwrap();
    let finding = found.iter().find(|one| one["severity"] == "error").unwrap();
    assert_eq!(finding["code"], "WORKFLOW.VALIDATION.PLUGIN_FINDING");
    assert_eq!((&finding["line"], &finding["column"]), (&json!(4), &json!(3)));
    assert!(finding["message"].as_str().unwrap().contains("example"), "{finding}");
}

#[test]
fn a_plugin_that_cannot_be_asked_is_told_and_the_rest_is_checked() {
    let world = World::new();
    world.declare(&[hostile("bad", "wrong-core")]);
    world.workflow("w", &WORKFLOW.replace("command: 'true'", "comand: 'true'"));
    let output = world.awf(["validate", "w", "--with-plugins", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let codes: Vec<&str> = told["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"EXECUTION.PLUGIN.HANDSHAKE_FAILED"), "{codes:?}");
    assert!(codes.contains(&"WORKFLOW.PARSE.UNKNOWN_FIELD"), "{codes:?}");
}
