//! Every format, compared with what lies in `expected`: other programs read them.

use std::process::Output;

use crate::{
    validate::{awf, command, json, stderr, stdout},
    world::World,
};

/// A file without problems, one with errors, and one with a warning whose name and text need escaping everywhere.
fn project() -> World {
    let world = World::new();
    world.file(".awf/workflows/good.yaml", "states: {go: {type: command, command: 'true'}}\n");
    let bad = "states:\n  initial: go\n  go:\n    type: command\n    comand: make\n    command: make\n    on_success: dnoe\n  done:\n    type: terminal\n";
    world.file(".awf/workflows/bad.yaml", bad);
    let odd = "inputs: [{name: x}]\nstates: {go: {type: command, command: 'echo \"<&>%\t漢字\" {{.inputs.x}}'}}\n";
    world.file(".awf/workflows/odd, 100%: x.yml", odd);
    world
}

fn validate(world: &World, args: &[&str]) -> Output {
    awf(world, &world.root(), ["validate"].iter().chain(args))
}

#[track_caller]
fn check(format: &str, expected: &str) {
    let output = validate(&project(), &["--format", format]);
    assert_eq!(stdout(&output), expected, "{format}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn text() {
    check("text", include_str!("expected/text.txt"));
    assert_eq!(stderr(&validate(&project(), &[])), "3 files checked: 2 errors, 1 warning\n");
}

#[test]
fn one_json_document() {
    check("json", include_str!("expected/findings.json"));
}

#[test]
fn annotations_of_github() {
    check("github", include_str!("expected/github.txt"));
}

#[test]
fn sarif() {
    let version = env!("CARGO_PKG_VERSION");
    check("sarif", &include_str!("expected/findings.sarif").replace("VERSION", version));
}

#[test]
fn junit() {
    check("junit", include_str!("expected/junit.xml"));
}

#[test]
fn a_rule_of_sarif_is_the_one_its_results_point_at() {
    let document = json(&validate(&project(), &["--format", "sarif"]));
    let run = &document["runs"][0];
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
}

#[test]
fn no_format_talks_when_nothing_is_wrong() {
    let world = project();
    for (format, wanted) in [
        ("text", ""),
        ("github", ""),
        ("json", "{\n  \"valid\": true,\n  \"diagnostics\": []\n}\n"),
    ] {
        let output = validate(&world, &["good", "--format", format]);
        assert_eq!((stdout(&output).as_str(), output.status.code()), (wanted, Some(0)), "{format}");
    }
    let output = validate(&world, &["good", "--format", "junit"]);
    assert!(stdout(&output).contains("tests=\"1\" failures=\"0\""));
}

#[test]
fn warnings_are_tolerated_unless_strict() {
    let world = project();
    let odd = ".awf/workflows/odd, 100%: x.yml";
    for (args, exit, valid) in [(vec![odd], 0, true), (vec![odd, "--strict"], 2, false)] {
        let output = validate(&world, &[args.as_slice(), &["--format", "json"]].concat());
        assert_eq!(
            (json(&output)["valid"].as_bool(), output.status.code()),
            (Some(valid), Some(exit))
        );
    }
    let output = validate(&world, &[odd, "--strict", "--format", "junit"]);
    assert!(stdout(&output).contains("failures=\"1\""));
}

#[test]
fn colour_only_where_it_is_wanted() {
    let world = project();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = command(&world, &world.root(), ["validate", "bad"]);
        command.env_remove("NO_COLOR").envs(variables.iter().copied());
        stdout(&command.output().unwrap()).contains('\u{1b}')
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}
