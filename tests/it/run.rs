//! `awf run` around the run itself: how it is shown, what is planned, what is said when it cannot begin or does not end well.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    process::{Output, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::{workflow::Running, world::World};

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
    text.split_inclusive('\n').filter(|line| !line.starts_with("20")).collect()
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

const PLANNED: &str = r#"
env: [NO_SUCH_VARIABLE_HERE]
inputs: {who: {default: Ann}}
states:
  initial: greet
  greet: {type: step, command: "echo hello {{escape .inputs.who}}", on_success: other, on_failure: {message: "no luck", status: 9}}
  other: {type: step, command: "true", on_success: both}
  both: {type: parallel, parallel: [left, right], on_success: ask}
  left: {type: step, command: "echo {{.states.greet.Output}} {{.states.other.Output}}"}
  right: {type: step, command: "true"}
  ask: {type: agent, provider: claude, prompt: "go on"}
"#;

#[test]
fn a_plan_is_a_document_too() {
    let world = with(PLANNED);
    let output = world.awf(["run", "w", "--dry-run", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let needs = "note: the workflow needs `NO_SUCH_VARIABLE_HERE` in the environment\n";
    assert_eq!(stderr(&output), needs);
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["workflow"], "w");
    assert_eq!(plan["inputs"], json!([{"name": "who", "value": "Ann"}]));
    let wanted = json!({
        "state": "greet", "kind": "command", "within": null, "description": null,
        "values": [{"name": "command", "value": "echo hello 'Ann'"}],
        "ways": [
            {"on": "success", "state": "other"},
            {"on": "failure", "end": "failure", "exit_code": 9, "message": "no luck"},
        ],
    });
    assert_eq!(plan["steps"][0], wanted);
    assert_eq!(plan["steps"][3]["within"], "both");
    let output = world.awf(["run", "w", "--dry-run", "--format", "quiet"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(0)));
}

#[test]
fn a_plan_shows_no_secret_that_a_command_holds() {
    let world = with(
        "states:\n  one:\n    type: step\n    env: {API_TOKEN: zzTop99887766}\n    description: as zzTop99887766\n    \
         command: 'curl -H \"Authorization: Bearer abcdef1234567890\" https://u:pw123456@h/x zzTop99887766'\n",
    );
    for format in ["text", "json"] {
        let output = world.awf(["run", "w", "--dry-run", "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let plan = stdout(&output);
        assert!(plan.contains("curl -H"), "{plan}");
        for secret in ["zzTop99887766", "abcdef1234567890", "pw123456"] {
            assert!(!plan.contains(secret), "{plan}");
        }
    }
}

#[test]
fn a_plan_knows_what_it_was_given() {
    let world = with(PLANNED);
    let plan = |args: &[&str]| stdout(&world.awf([&["run", "w", "--dry-run"], args].concat()));
    let wanted = "w: nothing is run\n\ninputs\n  who: Ann\n\nboth  parallel\n  parallel: left, right\n  \
                  strategy: all_succeed\n\nleft  command  in both\n  command: echo given {{.states.other.Output}}\n\n\
                  right  command  in both\n  command: true\n";
    assert_eq!(plan(&["--step", "both", "--mock", "states.greet.Output=given"]), wanted);
    let wanted = "w: nothing is run\n\ninputs\n  who: Ann\n\nright  command\n  command: true\n";
    assert_eq!(plan(&["--step", "right"]), wanted);
    let given = plan(&["--mock", "states.both.Output=x", "--mock", "states.both.ExitCode=0"]);
    let wanted = "\nboth  parallel\n  given.ExitCode: 0\n  given.Output: x\n  success -> ask\n\nask  agent\n";
    assert!(given.contains(wanted), "{given}");
    assert!(plan(&["--step", "ask"]).contains("provider: claude\n"));
    let script = format!("provider: scripted:{}\n", world.root().join("t.yaml").display());
    let played = plan(&["--step", "ask", "--provider", "scripted:t.yaml"]);
    assert!(played.contains(&script), "{played}");
    let output = world.awf(["run", "w", "--dry-run", "--step", "asl"]);
    assert!(stderr(&output).contains("did you mean `ask`?"), "{}", stderr(&output));
    let output = world.awf(["run", "w", "--dry-run", "--mock", "states.asl.Output=x"]);
    assert!(stderr(&output).contains("did you mean `ask`?"), "{}", stderr(&output));
}

#[test]
fn a_run_that_ends_badly_says_how_to_go_on() {
    let world = with(FAILS);
    let told = stdout(&world.awf(["run", "w"]));
    let id = told.split_whitespace().nth(2).unwrap().to_owned();
    assert_eq!(told.lines().last().unwrap(), format!("next: awf status {id}"));
    assert!(world.awf(["status", &id]).status.success());
    let well = with("states:\n  one: {type: step, command: 'true'}\n");
    assert!(stdout(&well.awf(["run", "w"])).lines().last().unwrap().starts_with("run "));

    let world = with("states:\n  one: {type: step, command: 'echo up; sleep 30'}\n");
    let mut command = world.command(["run", "w"]);
    let mut run = Running::start({
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    });
    let mut lines = BufReader::new(run.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    assert!(lines.any(|line| line.contains("| up")));
    kill_process(Pid::from_child(&run.0), Signal::TERM).unwrap();
    let last = lines.last().unwrap();
    let id = first.split_whitespace().last().unwrap();
    assert_eq!(last, format!("next: awf resume {id} --from current"));
    assert_eq!(run.0.wait().unwrap().code(), Some(130));
    let listed = stdout(&world.awf(["resume", "--list"]));
    assert!(listed.starts_with("ID  ") && listed.contains(id), "{listed}");
}

#[test]
fn what_goes_on_must_be_named() {
    let world = with(FAILS);
    world.awf(["run", "w"]);
    world.workflow("well", "states:\n  one: {type: step, command: 'true'}\n");
    world.awf(["run", "well"]);
    let output = world.awf(["resume"]);
    let wanted = "error[USER.INPUT.MISSING_INPUT]: name the run that should go on: `awf resume <id>`\n  hint: `awf \
                  resume --list` shows those that can, `awf history` shows all\n";
    assert_eq!((stderr(&output).as_str(), output.status.code()), (wanted, Some(1)));
    let output = world.awf(["resume", "-l"]);
    let listed = stdout(&output);
    assert_eq!((listed.lines().count(), output.status.code()), (2, Some(0)), "{listed}");
    assert!(listed.lines().nth(1).unwrap().contains("  w         failed"), "{listed}");
    let output = world.awf(["resume", "-l", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn what_could_not_be_shown_is_told_at_the_end() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let world = with("states:\n  one: {type: step, command: 'echo seen; touch ran'}\n");
    for format in ["text", "json"] {
        let mut command = world.command(["run", "w", "--format", format]);
        let output = command.stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{format}");
        assert!(stderr(&output).contains("cannot write to stdout"), "{}", stderr(&output));
        assert!(world.root().join("ran").exists(), "the run goes on");
    }
    let output = world.command(["run", "w", "--format", "quiet"]).stdout(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let failing = with(FAILS).command(["run", "w"]).stdout(full()).output().unwrap();
    assert_eq!(failing.status.code(), Some(3), "its own failure comes first");
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let unread = world.command(["run", "w"]).stdout(writer).output().unwrap();
    assert_eq!(unread.status.code(), Some(0), "{}", stderr(&unread));
}

#[test]
fn an_input_that_takes_the_place_of_a_variable_is_warned_of_as_the_run_begins() {
    let world = with(
        "inputs: {HOME: {default: /nowhere}}\nstates:\n  one: {type: step, command: echo \"$HOME\"}\n",
    );
    let output = world.awf(["run", "w"]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(told.matches("warning[").count(), 1, "{told}");
    assert!(told.contains("`HOME`"), "{told}");
}
