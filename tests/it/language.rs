//! The workflow language, as the built binary runs it: each test is a workflow and what must come of it.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{processes::memory_kib, workflow::Ran, world::World};

/// Runs a workflow in a world of its own.
fn run(text: &str) -> Ran {
    World::new().run(text, &[])
}

/// A chain of shell steps that ends in a message.
fn states(initial: &str, states: &str) -> String {
    format!("name: w\nstates:\n  initial: {initial}\n{states}")
}

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
    assert_eq!(ran.printed("make"), "hello\nbad\n");
}

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
fn parallel_strategies() {
    let rows = [
        ("all_succeed", "exit 1", 3, "failed"),
        ("any_succeed", "exit 1", 0, "success"),
        ("best_effort", "exit 1", 0, "success"),
        ("all_succeed", "true", 0, "success"),
    ];
    for (strategy, second, code, status) in rows {
        let ran = run(&states(
            "both",
            &format!(
                "  both: {{type: parallel, parallel: [a, b], strategy: {strategy}, on_success: done}}\n  a: {{type: step, command: 'true'}}\n  b: {{type: step, command: '{second}'}}\n  done: {{type: terminal}}\n"
            ),
        ));
        assert_eq!(
            (ran.code, ran.end()["status"].as_str().unwrap()),
            (code, status),
            "{strategy} {second}"
        );
    }
}

#[test]
fn the_first_failure_of_all_succeed_cancels_the_rest() {
    let began = Instant::now();
    let ran = run(&states(
        "both",
        "  both: {type: parallel, parallel: [slow, bad], strategy: all_succeed}\n  slow: {type: step, command: sleep 60}\n  bad: {type: step, command: exit 1}\n",
    ));
    assert_eq!(ran.code, 3);
    assert!(began.elapsed().as_secs() < 30);
    assert!(
        ran.ended().iter().any(|(step, status)| step.ends_with("slow") && *status == "cancelled"),
        "{:?}",
        ran.ended()
    );
}

#[test]
fn fifty_branches_run_at_once_and_each_gives_its_own_result() {
    let world = World::new();
    let names: Vec<String> = (0..50).map(|at| format!("b{at}")).collect();
    // Each waits until all have begun: they can only end if all run at the same time.
    let branches: Vec<String> = names
        .iter()
        .map(|name| format!("  {name}: {{type: step, command: 'touch here.{name}; until [ $(ls here.* | wc -l) -eq 50 ]; do sleep 0.02; done; echo {name}', timeout: 60s}}\n"))
        .collect();
    let branches = branches.concat();
    let all: Vec<String> =
        names.iter().map(|name| format!("{{{{.states.{name}.Output | trimSpace}}}}")).collect();
    let text = states(
        "all",
        &format!(
            "  all: {{type: parallel, parallel: [{}], on_success: done}}\n{branches}  done: {{type: terminal, message: \"{}\"}}\n",
            names.join(", "),
            all.join(" ")
        ),
    );
    let ran = world.run(&text, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.message(), names.join(" "));
}

#[test]
fn max_concurrent_is_kept() {
    let world = World::new();
    let names: Vec<String> = (0..12).map(|at| format!("b{at}")).collect();
    let branch = "mkdir -p at; touch at/$$; ls at | wc -l >> seen; sleep 0.05; rm at/$$";
    let branches: Vec<String> = names
        .iter()
        .map(|name| format!("  {name}: {{type: step, command: '{branch}'}}\n"))
        .collect();
    let branches = branches.concat();
    let ran = world.run(
        &states(
            "all",
            &format!(
                "  all: {{type: parallel, parallel: [{}], max_concurrent: 3}}\n{branches}",
                names.join(", ")
            ),
        ),
        &[],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let seen = fs::read_to_string(world.root().join("seen")).unwrap();
    let most = seen.lines().map(|line| line.trim().parse::<u32>().unwrap()).max().unwrap();
    assert!(most <= 3, "{seen}");
}

#[test]
fn loops_three_deep_run_a_thousand_times_in_order() {
    let world = World::new();
    let items = "[0,1,2,3,4,5,6,7,8,9]";
    let text = states(
        "outer",
        &format!(
            r#"
  outer: {{type: for_each, items: {items}, body: [middle], on_complete: done}}
  middle: {{type: for_each, items: "{{{{.inputs.digits}}}}", body: [inner]}}
  inner: {{type: for_each, items: {items}, body: [note]}}
  note: {{type: step, command: "echo {{{{.loop.Parent.Parent.Item}}}}{{{{.loop.Parent.Item}}}}{{{{.loop.Item}}}} >> log"}}
  done: {{type: terminal, message: "{{{{.states.note.Status}}}}"}}
"#
        ),
    )
    .replace("states:", "inputs: [{name: digits, default: '0, 1, 2, 3, 4, 5, 6, 7, 8, 9'}]\nstates:");
    let ran = world.run(&text, &[]);
    assert_eq!((ran.code, ran.message()), (0, "completed"), "{}", ran.stderr);
    let log = fs::read_to_string(world.root().join("log")).unwrap();
    let expected: Vec<String> = (0..1000).map(|at| format!("{at:03}")).collect();
    assert_eq!(log.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_while_loop_ends_by_its_condition_or_by_its_break() {
    let ran = run(&states(
        "count",
        r#"
  count: {type: while, while: "states.tick.ExitCode == nil or states.tick.Output != 'xxx'", body: [tick], on_complete: done}
  tick: {type: step, command: "printf x >> n; cat n"}
  done: {type: terminal, message: "{{.states.tick.Output}}"}
"#,
    ));
    assert_eq!((ran.code, ran.message()), (0, "xxx"), "{}", ran.stderr);
    let ran = run(&states(
        "count",
        r#"
  count: {type: while, while: "true", break_when: "loop.Index1 == 4", body: [tick], on_complete: done}
  tick: {type: step, command: "echo {{.loop.Index}}"}
  done: {type: terminal, message: "{{.states.tick.Output | trimSpace}}"}
"#,
    ));
    assert_eq!((ran.code, ran.message()), (0, "3"), "{}", ran.stderr);
}

#[test]
fn more_items_than_the_limit_is_a_failure_not_a_cut() {
    let ran = run(&states(
        "each",
        "  each: {type: for_each, items: [1, 2, 3], max_iterations: 2, body: [tick]}\n  tick: {type: step, command: 'true'}\n",
    ));
    assert_eq!(ran.code, 3, "{:?}", ran.events);
}

#[test]
fn a_goto_in_a_body_jumps_within_it_or_leaves_the_loop() {
    let world = World::new();
    let ran = world.run(
        &states(
            "each",
            r#"
  each: {type: for_each, items: [1, 2, 3], body: [first, skipped, last], on_complete: done}
  first: {type: step, command: "echo first >> log", on_success: last}
  skipped: {type: step, command: "echo skipped >> log"}
  last: {type: step, command: "echo last{{.loop.Item}} >> log", transitions: [{when: "loop.Item == 2", goto: out}]}
  done: {type: terminal, message: completed}
  out: {type: terminal, message: left}
"#,
        ),
        &[],
    );
    assert_eq!((ran.code, ran.message()), (0, "left"), "{}", ran.stderr);
    let log = fs::read_to_string(world.root().join("log")).unwrap();
    assert_eq!(log, "first\nlast1\nfirst\nlast2\n");
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
fn inputs_are_checked_all_at_once() {
    let text = "inputs:\n  - {name: count, type: integer, required: true, validation: {min: 1, max: 5}}\n  - {name: mode, validation: {enum: [fast, slow]}}\n  - {name: flag, type: boolean, default: 'no'}\nstates:\n  one: {type: step, command: 'echo $count $mode $flag'}\n";
    let world = World::new();
    let ran = world.run(text, &["-i", "count=9", "-i", "mode=sideways", "-i", "moda=fast"]);
    assert_eq!(ran.code, 1);
    for part in ["count", "mode", "moda", "did you mean"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = world.run(text, &[]);
    assert!(ran.stderr.contains("USER.INPUT.MISSING_INPUT"), "{}", ran.stderr);
    let ran = world.run(text, &["-i", "count=2", "-i", "mode=fast"]);
    assert_eq!((ran.code, ran.printed("one").trim()), (0, "2 fast false"), "{}", ran.stderr);
}

#[test]
fn a_missing_variable_is_told_before_anything_runs() {
    let world = World::new();
    let ran = world.run(
        "env: [NO_SUCH_VARIABLE_HERE]\nstates:\n  one: {type: step, command: touch ran}\n",
        &[],
    );
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("USER.INPUT.MISSING_VARIABLE"), "{}", ran.stderr);
    assert!(!world.root().join("ran").exists());
}

#[test]
fn an_operation_nobody_has_is_a_clear_failure() {
    let world = World::new();
    world.file(".awf/plugins.yaml", "plugins: [{name: notes, path: ./notes, operations: [add]}]\n");
    let ran = world
        .run("states:\n  one: {type: operation, operation: notes.add, inputs: {text: x}}\n", &[]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.OPERATION.UNKNOWN");
}

#[test]
fn one_step_alone_with_results_taken_as_given() {
    let world = World::new();
    let text = states(
        "first",
        "  first: {type: step, command: touch first, on_success: second}\n  second: {type: step, command: \"echo got {{.states.first.Output}}\", on_success: done}\n  done: {type: terminal}\n",
    );
    let ran = world.run(&text, &["--step", "second", "--mock", "states.first.Output=given"]);
    assert_eq!((ran.code, ran.printed("second").trim()), (0, "got given"), "{}", ran.stderr);
    assert!(!world.root().join("first").exists());
}

#[test]
fn both_spellings_of_an_agent_are_one_workflow() {
    let world = World::new();
    let plan = |keys: &str| {
        world.workflow(
            "w",
            &format!("states:\n  ask:\n    type: {keys}\n    mcp_proxy: {{enable: true}}\n"),
        );
        let output = world.awf(["run", "w", "--dry-run"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let nested =
        plan("step\n    agent: {provider: claude, prompt: Refactor, system_prompt: Be short}");
    let flat =
        plan("agent\n    provider: claude\n    prompt: Refactor\n    system_prompt: Be short");
    assert_eq!(nested, flat);
    assert!(flat.contains("prompt: Refactor") && flat.contains("claude"), "{flat}");
}

#[test]
fn events_are_as_their_schema_says() {
    let world = World::new();
    let schema = world.awf_json(["schema", "events"]);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let ran = world.run(
        &states("a", "  a: {type: step, command: 'echo x; exit 3', retry: {max_attempts: 2, initial_delay: 1ms}, hooks: {pre: [{log: hi}]}, on_failure: {message: no, status: 9}}\n"),
        &[],
    );
    for event in &ran.events {
        let faults: Vec<String> =
            validator.iter_errors(event).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{event}: {faults:?}");
    }
    let kinds: Vec<&str> =
        ran.events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds.first().copied(), Some("run_began"));
    for kind in ["step_began", "output", "retrying", "step_ended", "log", "run_ended"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    assert!(validator.validate(&json!({"v": 1, "event": "no_such"})).is_err());
}

#[test]
fn memory_stays_flat_however_often_a_loop_turns() {
    let world = World::new();
    world.workflow(
        "w",
        &states(
            "each",
            r#"
  each: {type: while, while: "true", break_when: "loop.Index1 == 120", max_iterations: 1000, body: [big], on_complete: wait}
  big: {type: step, command: "head -c 100000 /dev/zero | tr '\\0' x"}
  wait: {type: step, command: "touch there; until [ -e go ]; do sleep 0.02; done"}
"#,
        ),
    );
    let mut child = world.command(["run", "w", "--format", "quiet"]).spawn().unwrap();
    let there = world.root().join("there");
    while !there.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended early");
        std::thread::sleep(Duration::from_millis(20));
    }
    let peak = memory_kib(child.id(), "VmHWM");
    world.file("go", "");
    assert!(child.wait().unwrap().success());
    // Twelve megabytes were printed, and as many written to the journal.
    assert!(peak < 24 * 1024, "{peak} KiB");
}
