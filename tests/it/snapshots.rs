//! What people and programs read, word for word: help, plans, events, pictures. `AWF_BLESS=1` writes the files anew; read
//! the difference before you keep it.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{workflow::Ran, world::World};

/// Compares with the file of that name beside this one.
pub(crate) fn matches(name: &str, actual: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/it/snapshots");
    let path = Path::new(folder).join(name);
    #[expect(clippy::disallowed_methods, reason = "the person who runs the test asks for it")]
    if std::env::var_os("AWF_BLESS").is_some() {
        fs::write(&path, actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{} differs; AWF_BLESS=1 writes it anew", path.display());
}

/// Every command that is shown in help, in its order.
const COMMANDS: [&[&str]; 47] = [
    &[],
    &["demo"],
    &["doctor"],
    &["init"],
    &["run"],
    &["resume"],
    &["call"],
    &["call", "tool-read"],
    &["call", "tool-write"],
    &["call", "tool-destructive"],
    &["tools"],
    &["tools", "list"],
    &["tools", "search"],
    &["activity"],
    &["activity", "list"],
    &["activity", "show"],
    &["activity", "watch"],
    &["activity", "summary"],
    &["activity", "export"],
    &["activity", "verify"],
    &["activity", "head"],
    &["status"],
    &["history"],
    &["validate"],
    &["mcp"],
    &["mcp", "list"],
    &["mcp", "add"],
    &["mcp", "remove"],
    &["mcp", "import"],
    &["mcp", "test"],
    &["mcp", "approve"],
    &["mcp", "serve"],
    &["serve"],
    &["open"],
    &["plugin"],
    &["plugin", "list"],
    &["plugin", "info"],
    &["plugin", "enable"],
    &["plugin", "disable"],
    &["plugin", "verify"],
    &["plugin", "lock"],
    &["plugin", "init"],
    &["list"],
    &["diagram"],
    &["schema"],
    &["error"],
    &["completion"],
];

#[test]
fn help() {
    let world = World::new();
    let mut all = String::new();
    for words in COMMANDS {
        let output = world.awf(words.iter().copied().chain(["--help"]));
        assert!(output.status.success(), "{words:?}");
        let help = String::from_utf8(output.stdout).unwrap();
        let typed = [words, &["--help"]].concat().join(" ");
        all = format!("{all}$ awf {typed}\n{help}\n");
    }
    matches("help.txt", &all);
    let listed = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap();
        assert!(name == "help" || COMMANDS.contains(&&[name][..]), "{name} has no snapshot");
    }
}

const TOUR: &str = r#"
name: tour
description: A little of everything
inputs:
  - {name: who, required: true, description: Whom to greet}
  - {name: token, secret: true}
states:
  initial: greet
  greet:
    type: step
    command: "echo hello {{escape .inputs.who}}; test -n \"$token\""
    env: {MODE: fast}
    timeout: 10s
    retry: {max_attempts: 2, initial_delay: 1ms}
    on_success: both
    on_failure: {message: "no greeting", status: 9}
  both: {type: parallel, parallel: [left, right], on_success: each}
  left: {type: step, command: "true"}
  right: {type: step, command: "true"}
  each: {type: for_each, items: [a, b], body: [show], on_complete: ask}
  show: {type: step, command: "echo {{.loop.Item}}"}
  ask:
    type: agent
    provider: scripted:turns.yaml
    prompt: "Greet {{.inputs.who}} after {{.states.greet.Output}}"
    mcp_proxy: {enable: true}
    tools: {allow: read}
    transitions:
      - {when: "states.ask.Output contains 'Ann'", goto: done}
    on_success: odd
  odd: {type: terminal, status: failure, message: odd}
  done: {type: terminal, message: "{{.states.ask.Output}}"}
"#;

fn tour() -> World {
    let world = World::new();
    world.workflow("tour", TOUR);
    world.file("notes.txt", "x\n");
    world.file("turns.yaml", "turns:\n  - {call: Read, arguments: {file_path: notes.txt}}\n  - {call: Bash, arguments: {command: id}, expect: {refused: true}}\n  - {say: Hello Ann}\n");
    world
}

const GIVEN: [&str; 4] = ["-i", "who=Ann", "-i", "token=s3cret-s3cret"];

#[test]
fn a_plan() {
    let world = tour();
    let output = world.awf([&["run", "tour", "--dry-run"][..], &GIVEN].concat());
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!stdout.contains("s3cret"), "{stdout}");
    matches("plan.txt", &stdout.replace(world.root().to_str().unwrap(), "PROJECT"));
}

#[test]
fn pictures() {
    let world = tour();
    for format in ["mermaid", "dot"] {
        let output = world.awf(["diagram", "tour", "--format", format]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        matches(&format!("diagram.{format}"), &String::from_utf8(output.stdout).unwrap());
    }
}

#[test]
fn events() {
    let world = tour();
    let ran = Ran::of(&world.awf([&["run", "tour", "--format", "json"][..], &GIVEN].concat()));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut lines: Vec<String> =
        ran.events.iter().map(|event| settled(event.clone()).to_string()).collect();
    // The two branches run at once.
    let at = lines.iter().position(|line| line.contains("both.")).unwrap();
    lines[at..at + 4].sort();
    matches("events.jsonl", &(lines.join("\n") + "\n"));
}

/// What differs from run to run is replaced.
fn settled(mut event: Value) -> Value {
    let object = event.as_object_mut().unwrap();
    for (key, value) in object.iter_mut() {
        match key.as_str() {
            "at" => *value = "TIME".into(),
            "run" => *value = "RUN".into(),
            "elapsed_ms" => *value = 0.into(),
            _ => {}
        }
    }
    event
}

#[test]
fn lines_for_a_person() {
    let world = tour();
    let output = world.awf([&["run", "tour", "--no-icons"][..], &GIVEN].concat());
    let stdout = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<String> = crate::demo::settled(&stdout).lines().map(str::to_owned).collect();
    let at = lines.iter().position(|line| line.contains("both.")).unwrap();
    lines[at..at + 4].sort();
    matches("run.txt", &(lines.join("\n") + "\n"));
}
