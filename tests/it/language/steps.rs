//! What a step does.

use std::fs;

use crate::{
    language::{run, states},
    world::World,
};

#[test]
fn a_step_hands_its_output_on() {
    let ran = run(&states(
        "make",
        r#"
  make: {type: step, command: "echo hello; echo bad >&2; exit 0", on_success: done}
  done: {type: terminal, message: "{{.states.make.Output | trimSpace}}/{{.states.make.Stderr | trimSpace}}/{{.states.make.ExitCode}}/{{.states.make.Status}}"}
"#,
    ));
    assert_eq!((ran.code, ran.message()), (0, "hello/bad/0/completed"));
    assert_eq!(ran.ended(), [("make", "completed")]);
    // Two pipes: either may be heard first.
    let printed = ran.printed("make");
    assert!(["hello\nbad\n", "bad\nhello\n"].contains(&&*printed), "{printed}");
}

#[test]
fn the_working_directory_is_told_without_a_slash_at_its_end() {
    let world = World::new();
    let message = r#"done: {type: terminal, message: "{{.context.WorkingDir}}"}"#;
    let ran = world.run(&states("done", &format!("\n  {message}\n")), &[]);
    assert_eq!(ran.message(), world.root().to_str().unwrap());
}

#[test]
fn dir_env_capture_and_encoding() {
    let world = World::new();
    fs::create_dir(world.root().join("sub")).unwrap();
    let ran = world.run(
        &states(
            "where",
            r#"
  where: {type: step, command: "basename $PWD; printf '%s' $COLOUR >&2", dir: sub, env: {COLOUR: "{{.inputs.colour}}"}, capture: {stdout: place, stderr: colour}, on_success: bytes}
  bytes: {type: step, command: "printf '\\377'", capture: {encoding: base64}, on_success: cut}
  cut: {type: step, command: "head -c 5000 /dev/zero | tr '\\0' x", capture: {max_size: 100}, on_success: done}
  done: {type: terminal, message: "{{.captured.place | trimSpace}} {{.captured.colour}} {{.states.bytes.Output}} {{len .states.cut.Output}}"}
"#,
        )
        .replace("states:\n", "inputs: {colour: {default: red}}\nstates:\n"),
        &[],
    );
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    let (start, kept) = ran.message().rsplit_once(' ').unwrap();
    assert_eq!(start, "sub red /w==");
    assert!(kept.parse::<usize>().unwrap() < 300, "{kept}");
}

#[test]
fn scripts_run_by_their_own_interpreter_or_by_the_shell() {
    let world = World::new();
    world.file("with.awk", "#!/usr/bin/awk -f\nBEGIN { print \"awk\" }\n");
    world.file("without.sh", "echo \"sh $who\"\n");
    let ran = world.run(
        &states(
            "one",
            r#"
  one: {type: step, script_file: with.awk, on_success: two}
  two: {type: step, script_file: without.sh, on_success: done}
  done: {type: terminal, message: "{{.states.one.Output | trimSpace}} {{.states.two.Output | trimSpace}}"}
"#,
        )
        .replace("states:\n", "inputs: {who: {default: Ann}}\nstates:\n"),
        &[],
    );
    assert_eq!((ran.code, ran.message()), (0, "awk sh Ann"), "{}", ran.stderr);
}

#[test]
fn a_file_is_read_by_the_path_a_command_printed() {
    let world = World::new();
    world.file("notes.txt", "hello");
    let ran = world.run(
        &states(
            "find",
            r#"
  find: {type: step, command: ls notes.txt, on_success: done}
  done: {type: terminal, message: "{{readFile .states.find.Output}}"}
"#,
        ),
        &[],
    );
    assert_eq!((ran.code, ran.message()), (0, "hello"), "{}", ran.stderr);
}

#[test]
fn a_state_whose_result_is_given_is_not_run() {
    let world = World::new();
    let text = states(
        "build",
        r#"
  build: {type: step, command: touch ran, hooks: {pre: [{command: touch hooked}]}, on_success: all, on_failure: bad}
  all: {type: parallel, parallel: [left, right], on_success: done}
  left: {type: step, command: touch ran}
  right: {type: step, command: echo right}
  bad: {type: terminal, message: "failed with {{.states.build.ExitCode}}"}
  done: {type: terminal, message: "{{.states.build.Output}} {{.states.build.Status}} {{.states.left.Output}} {{.states.right.Output | trimSpace}}"}
"#,
    );
    let given = ["--mock", "states.build.Output=x", "--mock", "states.left.Output=y"];
    let ran = world.run(&text, &given);
    assert_eq!((ran.code, ran.message()), (0, "x completed y right"), "{}", ran.stderr);
    assert_eq!(ran.ended(), [("all.right", "completed")]);
    let named: Vec<_> = ran.all("log").iter().map(|line| line["step"].clone()).collect();
    assert_eq!(named, ["build", "all.left"]);
    let ran = world.run(&text, &["--mock", "states.build.ExitCode=7"]);
    assert_eq!(ran.message(), "failed with 7", "{}", ran.stderr);
    assert!(!world.root().join("ran").exists() && !world.root().join("hooked").exists());
    // The one state that is wanted is run.
    let ran = world.run(&text, &["--mock", "states.build.Output=x", "--step", "build"]);
    assert_eq!((ran.code, ran.ended()), (0, vec![("build", "completed")]), "{}", ran.stderr);
}

#[test]
fn what_an_agent_or_a_call_gives_is_captured_like_the_output_of_a_command() {
    let world = World::new();
    world.file("turns.yaml", "turns: [{say: '1234567'}]\n");
    world.workflow("child", "states:\n  make: {type: step, command: printf made}\n");
    let ran = world.run(
        &states(
            "ask",
            r#"
  ask: {type: agent, provider: "scripted:turns.yaml", prompt: x, capture: {stdout: answer, max_size: 5}, on_success: call}
  call: {type: call_workflow, workflow: child, outputs: {make: it}, capture: {stdout: given}, on_success: done}
  done: {type: terminal, message: "{{.captured.answer}} {{.captured.given}}"}
"#,
        ),
        &[],
    );
    let wanted = "123\n[2 bytes left out]\n67 {\"it\":\"made\"}";
    assert_eq!((ran.code, ran.message()), (0, wanted), "{}", ran.stderr);
    assert_eq!(ran.stderr, "", "nothing is warned of");
}
