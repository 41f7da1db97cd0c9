//! Where plugins are found, and what is said of those that are wrong.

use std::fs;

use crate::{
    validate::{command, stdout},
    world::World,
};

fn manifest(name: &str, operation: &str) -> String {
    format!(
        "name: {name}\nversion: 1.0.0\nawf_version: '>=0.5.0'\noperations: [{operation}]\nstep_types: []\n"
    )
}

/// A file that must be there, in directories that need not.
fn put(world: &World, path: &str, text: impl AsRef<[u8]>) {
    let file = world.root().join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

#[test]
fn directories_that_are_named_are_the_only_ones_looked_into() {
    let world = World::new();
    put(&world, ".awf/plugins/git/plugin.yaml", manifest("git", "log"));
    put(&world, "one/git/plugin.yaml", manifest("git", "other"));
    put(&world, "two/near/plugin.yaml", manifest("near", "go"));
    let states =
        |operation: &str| format!("states:\n  s: {{type: operation, operation: {operation}}}\n");
    put(&world, "git.yaml", states("git.log"));
    put(&world, "near.yaml", states("near.go"));
    let judged = |file: &str, path: Option<&str>| {
        let mut command = command(&world, &world.root(), ["validate", file]);
        if let Some(path) = path {
            command.env("AWF_PLUGINS_PATH", path);
        }
        let output = command.output().unwrap();
        (output.status.code(), stdout(&output).lines().next().unwrap_or_default().to_owned())
    };
    let refused = |message: &str| {
        (Some(2), format!("error[WORKFLOW.VALIDATION.UNKNOWN_OPERATION]: {message}"))
    };
    let good = || (Some(0), String::new());
    assert_eq!(judged("git.yaml", None), good());
    assert_eq!(judged("git.yaml", Some("")), good());
    assert_eq!(judged("near.yaml", None), refused("plugin `near` is not declared"));
    let named = Some("one:two");
    assert_eq!(judged("near.yaml", named), good());
    assert_eq!(judged("git.yaml", named), refused("plugin `git` has no operation `log`"));
}

#[test]
fn a_damaged_lock_and_a_manifest_that_is_none_are_told() {
    let world = World::new();
    put(&world, ".awf/plugins/git/plugin.yaml", "name: git\n");
    put(&world, ".awf/plugins.lock", "{");
    put(&world, "main.yaml", "states:\n  s: {type: step, command: 'true'}\n");
    let output = command(&world, &world.root(), ["validate", "main.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = stdout(&output);
    for expected in [
        "error[USER.CONFIG.INVALID]: the file lacks `version`",
        "error[USER.CONFIG.INVALID]: the lock file is damaged: EOF while parsing an object",
        "run `awf plugin lock` to write it anew",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}
