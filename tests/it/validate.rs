//! `awf validate` and what stands around it: `awf error`, `awf list`, `awf diagram`, `awf schema`.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

use crate::world::World;

mod broken;
mod formats;
mod lookup;
mod mutants;
mod options;
mod plugins;
mod quoting;

/// The examples of the repository.
fn examples() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../..")).join("examples")
}

/// The built binary, to be started in `dir`, knowing nothing of the machine's own workflows, skills and roles.
fn command<S: AsRef<OsStr>>(
    world: &World,
    dir: &Path,
    args: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = world.command(args);
    command
        .current_dir(dir)
        .env("XDG_CONFIG_HOME", world.beside("config"))
        .env("HOME", world.home());
    for variable in [
        "AWF_WORKFLOWS_PATH",
        "AWF_SKILLS_PATH",
        "AWF_ROLES_PATH",
        "AWF_PLUGINS_PATH",
        "AWF_CONFIG_HOME",
    ] {
        command.env_remove(variable);
    }
    command.env_remove("CLICOLOR_FORCE");
    command
}

fn awf<S: AsRef<OsStr>>(world: &World, dir: &Path, args: impl IntoIterator<Item = S>) -> Output {
    command(world, dir, args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn the_cases_of_f099_are_valid_as_written() {
    let world = World::new();
    for case in 1..=4 {
        let file = format!("examples/f099/case{case}.yaml");
        let output = awf(&world, examples().parent().unwrap(), ["validate", "--strict", &file]);
        assert_eq!(output.status.code(), Some(0), "{file}\n{}", stdout(&output));
    }
    let output = awf(&world, &examples().join("f099"), ["validate", "."]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(0)));
    assert_eq!(stderr(&output), "4 files checked: no problems\n");
}

#[test]
fn cases_3_and_4_need_the_declared_plugin() {
    let world = World::new();
    for case in [3, 4] {
        let from = examples().join(format!("f099/case{case}.yaml"));
        let text = fs::read_to_string(from).unwrap();
        world.file(&format!("case{case}.yaml"), text);
    }
    let output = awf(&world, &world.root(), ["validate", ".", "--format", "json"]);
    let document = json(&output);
    let codes: Vec<&str> = document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["USER.MCP_PROXY.UNKNOWN_PLUGIN"; 2]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_examples_of_the_language_have_no_problems() {
    let world = World::new();
    let output = awf(&world, &examples(), ["validate", "language", "--strict"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(0)));
    assert_eq!(stderr(&output), "8 files checked: no problems\n");
}

#[test]
fn both_spellings_of_an_agent_are_the_same_workflow() {
    let world = World::new();
    let language = examples().join("language");
    for args in [vec!["diagram", "--format", "dot"], vec!["run", "--dry-run"]] {
        let told = ["agents-flat.yaml", "agents-nested.yaml"].map(|file| {
            let output = awf(&world, &language, args.iter().copied().chain([file]));
            assert_eq!(output.status.code(), Some(0), "{args:?} {file}\n{}", stderr(&output));
            stdout(&output).replace(file, "FILE")
        });
        assert_eq!(told[0], told[1], "{args:?}");
        assert!(told[0].contains("review"), "{}", told[0]);
    }
}

#[test]
fn every_schema_says_what_it_is_of() {
    let world = World::new();
    for (args, title, key) in [
        (&["schema"][..], "awf workflow", "states"),
        (&["schema", "workflow"][..], "awf workflow", "states"),
        (&["schema", "script"][..], "awf script", "turns"),
        (&["schema", "config"][..], "awf configuration", "telemetry"),
    ] {
        let output = awf(&world, &world.root(), args);
        let schema = json(&output);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{args:?}");
        assert_eq!(schema["title"], title);
        let root = schema["$ref"].as_str().map(|path| path.trim_start_matches('#'));
        let root = root.map_or(&schema, |path| schema.pointer(path).unwrap());
        assert!(root["properties"].get(key).is_some(), "{args:?}: no `{key}`");
    }
}
