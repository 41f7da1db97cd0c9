//! What a workflow is given, and what it tells.

use serde_json::json;

use crate::{language::states, world::World};

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
    let ran = world.run(text, &["-i", "count=many", "-i", "flag=maybe"]);
    for hint in ["hint: integer: a whole number", "hint: boolean: `true`, `yes`"] {
        assert!(ran.stderr.contains(hint), "{hint}: {}", ran.stderr);
    }
    let help = String::from_utf8(world.awf(["run", "w", "--help"]).stdout).unwrap();
    assert!(help.contains("\n  mode  string, fast | slow, optional\n"), "{help}");
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
fn one_step_alone_with_results_taken_as_given() {
    let world = World::new();
    let text = states(
        "first",
        "  first: {type: step, command: touch first, on_success: second}\n  second: {type: step, command: \"echo got {{.states.first.Output}}\", on_success: done}\n  done: {type: terminal}\n",
    );
    let ran = world.run(&text, &["--step", "second", "--mock", "states.first.Output=given"]);
    assert_eq!((ran.code, ran.printed("second").trim()), (0, "got given"), "{}", ran.stderr);
    assert!(!world.root().join("first").exists());
    for (mock, near) in [("states.frist.Output=x", "first"), ("states.first.Outptu=x", "Output")] {
        let ran = world.run(&text, &["--step", "second", "--mock", mock]);
        assert_eq!(ran.code, 1, "{mock}");
        assert!(ran.stderr.contains(&format!("did you mean `{near}`?")), "{}", ran.stderr);
    }
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
