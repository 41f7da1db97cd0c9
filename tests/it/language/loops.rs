//! States again and again.

use std::fs;

use crate::{
    language::{run, states},
    processes::{memory_kib, wait_until},
    workflow::Running,
    world::World,
};

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
fn memory_stays_flat_however_often_a_loop_turns() {
    let (once, often) = (peak_after(1), peak_after(120));
    // Twelve megabytes were printed, and as many written to the journal.
    assert!(often < once + 4 * 1024, "{once} KiB, then {often} KiB");
}

/// The most memory a run took that printed 100 KB so many times.
fn peak_after(turns: u32) -> u64 {
    let world = World::new();
    let body = r#"
  each: {type: while, while: "true", break_when: "loop.Index1 == TURNS", max_iterations: 1000, body: [big], on_complete: wait}
  big: {type: step, command: "head -c 100000 /dev/zero | tr '\\0' x"}
  wait: {type: step, command: "touch there; until [ -e go ]; do sleep 0.02; done"}
"#;
    world.workflow("w", &states("each", &body.replace("TURNS", &turns.to_string())));
    let mut run = Running::start(world.command(["run", "w", "--format", "quiet"]));
    wait_until("the loop to end", || world.root().join("there").exists());
    let peak = memory_kib(run.0.id(), "VmHWM");
    world.file("go", "");
    assert!(run.0.wait().unwrap().success());
    peak
}

#[test]
fn a_transition_to_the_loop_begins_the_next_iteration_and_a_success_goes_on() {
    let world = World::new();
    let ran = world.run(
        &states(
            "each",
            r#"
  each: {type: for_each, items: [1, 2, 3], body: [first, inner, last], on_complete: done}
  first: {type: step, command: "echo first{{.loop.Item}} >> log; [ {{.loop.Item}} != 3 ]", transitions: [{when: "loop.Item == 2", goto: each}], on_success: each, on_failure: each}
  inner: {type: for_each, items: [a, b], body: [part]}
  part: {type: step, command: "echo {{.loop.Parent.Item}}{{.loop.Item}} >> log", transitions: [{when: "loop.Parent.Item == 3", goto: each}]}
  last: {type: step, command: "echo last{{.loop.Item}} >> log", on_success: each}
  done: {type: terminal, message: "{{.states.each.Response.iterations}}"}
"#,
        ),
        &[],
    );
    assert_eq!((ran.code, ran.message()), (0, "3"), "{}", ran.stderr);
    let log = fs::read_to_string(world.root().join("log")).unwrap();
    assert_eq!(log, "first1\n1a\n1b\nlast1\nfirst2\nfirst3\n3a\n");
}
