//! Where a step leads, and what is done around it.

use std::{fs, time::Instant};

use crate::{
    language::{run, states},
    world::World,
};

#[test]
fn a_failure_ends_the_run_with_3() {
    let ran = run(&states(
        "make",
        "  make: {type: step, command: exit 7, on_success: done}\n  done: {type: terminal}\n",
    ));
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(ran.end()["status"], "failed");
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.COMMAND.FAILED");
    assert_eq!(ran.all("step_ended")[0]["exit_code"], 7);
}

#[test]
fn an_inline_failure_says_its_message_and_exits_with_its_status() {
    let ran = run(&states(
        "make",
        r#"
  make:
    type: step
    command: exit 7
    on_failure: {message: "code {{.states.make.ExitCode}}", status: 42}
"#,
    ));
    assert_eq!((ran.code, ran.message()), (42, "code 7"));
}

#[test]
fn a_failure_terminal_fails_the_run() {
    let ran = run(&states(
        "make",
        "  make: {type: step, command: exit 1, on_failure: bad}\n  bad: {type: terminal, status: failure, message: it broke}\n",
    ));
    assert_eq!((ran.code, ran.message()), (3, "it broke"));
}

#[test]
fn failure_routing_is_transitions_then_continue_then_on_failure() {
    let rows = [
        (
            "transitions: [{when: 'states.make.ExitCode == 7', goto: seven}], continue_on_error: true, on_success: on, on_failure: bad",
            "seven",
        ),
        (
            "transitions: [{when: 'states.make.ExitCode == 8', goto: seven}], continue_on_error: true, on_success: on, on_failure: bad",
            "on",
        ),
        ("on_success: on, on_failure: bad", "bad"),
    ];
    for (keys, end) in rows {
        let ran = run(&states(
            "make",
            &format!(
                "  make: {{type: step, command: exit 7, {keys}}}\n  seven: {{type: terminal, message: seven}}\n  on: {{type: terminal, message: on}}\n  bad: {{type: terminal, message: bad}}\n"
            ),
        ));
        assert_eq!(ran.message(), end, "{keys}\n{}", ran.stderr);
    }
}

#[test]
fn a_timeout_below_a_second_works_and_exits_with_124() {
    let began = Instant::now();
    let ran = run(&states("slow", "  slow: {type: step, command: sleep 30, timeout: 200ms}\n"));
    assert_eq!(ran.code, 124, "{}", ran.stderr);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.COMMAND.TIMEOUT");
    assert!(began.elapsed().as_secs() < 20);
}

#[test]
fn a_step_is_tried_again_as_its_retry_says() {
    let world = World::new();
    let ran = world.run(
        &states(
            "flaky",
            r#"
  flaky:
    type: step
    command: "echo x >> tries; test $(wc -l < tries) -ge 3 || exit 75"
    retry: {max_attempts: 5, initial_delay: 10ms, backoff: exponential, retryable_exit_codes: [75]}
"#,
        ),
        &[],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(fs::read_to_string(world.root().join("tries")).unwrap().lines().count(), 3);
    let waits: Vec<u64> =
        ran.all("retrying").iter().map(|line| line["delay_ms"].as_u64().unwrap()).collect();
    assert_eq!(waits, [10, 20]);
}

#[test]
fn an_exit_code_that_is_not_retryable_is_not_tried_again() {
    let ran = run(&states(
        "bad",
        "  bad: {type: step, command: exit 2, retry: {max_attempts: 5, retryable_exit_codes: [75]}}\n",
    ));
    assert_eq!((ran.code, ran.ended().len()), (3, 1));
}

#[test]
fn a_called_workflow_gives_its_outputs_back() {
    let world = World::new();
    world.workflow(
        "child",
        r#"
inputs: [{name: who, required: true}]
states:
  initial: greet
  greet: {type: step, command: "echo hello $who"}
"#,
    );
    let ran = world.run(
        &states(
            "call",
            r#"
  call: {type: call_workflow, workflow: child, inputs: {who: "{{.inputs.name}}"}, outputs: {greet: greeting}, on_success: done}
  done: {type: terminal, message: "{{.states.call.Response.greeting | trimSpace}}"}
"#,
        )
        .replace("states:\n", "inputs: {name: {default: Ann}}\nstates:\n"),
        &[],
    );
    assert_eq!((ran.code, ran.message()), (0, "hello Ann"), "{}", ran.stderr);
    assert!(ran.ended().contains(&("call/greet", "completed")), "{:?}", ran.ended());
}

#[test]
fn hooks_run_around_states_and_runs() {
    let world = World::new();
    let text = |command: &str| {
        states(
            "make",
            &format!(
                "  make: {{type: step, command: '{command}', hooks: {{pre: [{{command: echo pre >> log}}], post: [{{command: echo post >> log}}, {{log: done with make}}]}}}}\n"
            ),
        ) + "hooks:\n  workflow_start: [{command: echo start >> log}]\n  workflow_end: [{command: echo end >> log}]\n  workflow_error: [{command: \"echo error {{.error.State}} {{.error.ExitCode}} >> log\"}]\n"
    };
    let ran = world.run(&text("echo make >> log"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.all("log")[0]["text"], "done with make");
    assert_eq!(world.run(&text("exit 9"), &[]).code, 3);
    let log = fs::read_to_string(world.root().join("log")).unwrap();
    assert_eq!(log, "start\npre\nmake\npost\nend\nstart\npre\npost\nerror make 9\n");
}

#[test]
fn an_operation_that_cannot_be_had_is_a_clear_failure() {
    let world = World::new();
    world.file(".awf/plugins.yaml", "plugins: [{name: notes, path: ./notes, operations: [add]}]\n");
    let ran = world
        .run("states:\n  one: {type: operation, operation: notes.add, inputs: {text: x}}\n", &[]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.PLUGIN.START_FAILED");
}

#[test]
fn a_failure_of_what_has_states_beneath_it_is_told_and_known() {
    let world = World::new();
    world.workflow("child", "states:\n  bad: {type: step, command: exit 5}\n");
    let each = |keys| format!("{{type: for_each, items: [1, 2, 3], body: [part], {keys}");
    let part = "part: {type: step, command: \"[ {{.loop.Item}} != 2 ]\"}";
    let bad = "bad: {type: step, command: exit 4}";
    let count = "{{.states.x.Response.iterations}}";
    let kinds = [
        (each(""), part, count, "step `x[1].part`: exit code 1 | 1"),
        (
            each("max_iterations: 2, "),
            part,
            count,
            "the loop has 3 items and `max_iterations` is 2: raise it or give fewer | 0",
        ),
        (
            "{type: parallel, parallel: [bad], ".to_owned(),
            bad,
            "{{.states.x.Response.bad}}",
            "branch `x.bad`: exit code 4 | failed",
        ),
        (
            "{type: call_workflow, workflow: child, ".to_owned(),
            "",
            "",
            "step `x/bad`: exit code 5 | ",
        ),
    ];
    for (keys, part, known, wanted) in kinds {
        for way in ["on_failure: on", "continue_on_error: true, on_success: on"] {
            let message = format!("{{{{.states.x.Stderr}}}} | {known}");
            let text = format!(
                "  x: {keys}{way}}}\n  {part}\n  on: {{type: terminal, message: \"{message}\"}}\n"
            );
            let ran = world.run(&states("x", &text), &[]);
            assert_eq!((ran.code, ran.message()), (0, wanted), "{}", ran.stderr);
            let told = ran.all("step_ended").into_iter().find(|line| line["step"] == "x").unwrap();
            assert_eq!(told["status"], "failed");
            let why = told["error"]["message"].as_str().unwrap();
            assert_eq!(Some(why), wanted.split(" | ").next());
        }
    }
}

#[test]
fn a_message_that_cannot_be_filled_in_does_not_hide_the_failure() {
    let ran = run(&states(
        "make",
        r#"
  make: {type: step, command: exit 7, on_failure: {message: "{{.states.make.Response.why.not}}", status: 42}}
"#,
    ));
    assert_eq!(ran.code, 42, "{}", ran.stderr);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.COMMAND.FAILED", "{}", ran.end());
    assert_eq!(ran.end()["error"]["message"], "exit code 7");
    assert_eq!(ran.all("warning")[0]["code"], "EXECUTION.TEMPLATE.FAILED", "{:?}", ran.events);
}
