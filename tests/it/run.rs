//! `awf run` around the run itself: how it is shown, what is planned, what is said when it cannot begin or does not end well.

use std::process::Output;

use crate::world::World;

const FAILS: &str = "states:\n  one: {type: step, command: 'echo seen; exit 7'}\n";

/// A world with the workflow `w`.
fn with(text: &str) -> World {
    let world = World::new();
    world.workflow("w", text);
    world
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Without the log.
fn stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let told = text.lines().filter(|line| !line.starts_with("20"));
    told.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_quiet_run_tells_its_failure_only() {
    let world = with(FAILS);
    let output = world.awf(["run", "w", "--format", "quiet"]);
    let wanted = "error[EXECUTION.COMMAND.FAILED]: exit code 7\n";
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("", wanted));
    assert_eq!(output.status.code(), Some(3));
    let ends =
        "states:\n  initial: one\n  one: {type: terminal, status: failure, message: no luck}\n";
    let output = with(ends).awf(["run", "w", "--format", "quiet"]);
    let wanted = "error[EXECUTION.WORKFLOW.FAILED]: no luck\n";
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("", wanted));
    let well = with("states:\n  one: {type: step, command: echo seen}\n");
    let output = well.awf(["run", "w", "--format", "quiet"]);
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("", ""));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_state_that_is_not_there_is_told_before_a_run_begins() {
    let world = with(
        "states:\n  initial: build\n  build: {type: step, command: touch ran, on_success: done}\n  done: {type: terminal}\n",
    );
    for (step, hint) in
        [("biuld", "did you mean `build`?"), ("release", "it must be `build` or `done`")]
    {
        let output = world.awf(["run", "w", "--step", step]);
        let wanted = format!(
            "error[USER.INPUT.INVALID_FORMAT]: `--step`: there is no state `{step}`\n  hint: {hint}\n"
        );
        assert_eq!((stderr(&output), output.status.code()), (wanted, Some(1)));
        assert_eq!(stdout(&output), "");
    }
    assert!(!world.root().join("ran").exists());
    let runs = world.awf_json(["history", "-o", "json"]);
    assert_eq!(runs["runs"].as_array().unwrap().len(), 0);
}
