//! Agent steps played by a script: real calls through a real relay, records and spans that belong to the step, nothing left
//! behind however a run ends.

use std::{
    fs,
    process::Stdio,
    time::{Duration, Instant},
};

use opentelemetry_proto::tonic::{common::v1::any_value::Value as Any, trace::v1::Span};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::{
    plugin::binary,
    processes::{MARK, alive, left_after, marked, tree, wait_until},
    receiver::Receiver,
    workflow::{Ran, Running},
    world::World,
};

/// A step `ask` of a scripted agent, with further keys.
fn agent(keys: &str) -> String {
    format!(
        "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: Do it\n    mcp_proxy: {{enable: true}}\n{keys}    on_success: done\n  done: {{type: terminal, message: \"{{{{.states.ask.Output}}}}\"}}\n"
    )
}

fn world(turns: &str) -> World {
    let world = World::new();
    world.file("turns.yaml", turns);
    world.file("notes.txt", "one\ntwo\n");
    world
}

#[test]
fn calls_go_through_the_proxy_and_are_recorded_with_run_and_step() {
    let world = world(
        "turns:\n  - {call: Read, arguments: {file_path: notes.txt}, expect: {contains: two}}\n  - {call: Write, arguments: {file_path: new.txt, content: made}}\n  - {say: finished}\n",
    );
    let ran = world.run(&agent(""), &[]);
    assert_eq!((ran.code, ran.message()), (0, "finished"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(world.root().join("new.txt")).unwrap(), "made");
    let ticks: Vec<_> = ran
        .all("tool_call")
        .iter()
        .map(|call| {
            (
                call["tool"].as_str().unwrap(),
                call["operation"].as_str().unwrap(),
                call["decision"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(ticks, [("Read", "read", "allow"), ("Write", "write", "allow")]);
    assert_eq!(ran.all("step_ended")[0]["calls"], 2);
    let records = world.activity();
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!(
            (record["run_id"].as_str(), record["step"].as_str()),
            (Some(ran.id()), Some("ask"))
        );
        assert_eq!(record["metadata"]["intent"]["origin"], "derived");
    }
    assert_eq!(ran.stderr.matches("tool call").count(), 2, "{}", ran.stderr);
}

#[test]
fn a_call_above_the_ceiling_is_refused_and_told() {
    let world = world(
        "turns:\n  - {call: Bash, arguments: {command: touch ran}, expect: {refused: true}}\n  - {call: Write, arguments: {file_path: w, content: x}, expect: {refused: true}}\n  - {call: Read, arguments: {file_path: notes.txt}}\n  - {say: ok}\n",
    );
    let ran = world.run(&agent("    tools: {allow: read}\n"), &[]);
    assert_eq!((ran.code, ran.message()), (0, "ok"), "{}", ran.stderr);
    assert_eq!(ran.all("step_ended")[0]["calls_denied"], 2);
    assert_eq!(ran.all("tool_call")[0]["code"], "ABOVE_CEILING");
    assert!(!world.root().join("ran").exists() && !world.root().join("w").exists());
}

#[test]
fn an_answer_the_script_does_not_expect_fails_the_step() {
    let world = world(
        "turns: [{call: Read, arguments: {file_path: notes.txt}, expect: {contains: three}}]\n",
    );
    let ran = world.run(&agent(""), &[]);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.SCRIPT.MISMATCH", "{}", ran.stderr);
}

#[test]
fn a_script_plays_the_agents_of_any_workflow() {
    let world = world(
        "turns: [{say: 'played'}]\nsteps:\n  second:\n    - {call: Read, arguments: {file_path: notes.txt}}\n    - {say: second}\n",
    );
    let text = "name: w\nstates:\n  initial: first\n  first: {type: step, agent: {provider: claude, prompt: Refactor}, on_success: second}\n  second: {type: agent, provider: gemini, prompt: Go on, mcp_proxy: {enable: true}, on_success: done}\n  done: {type: terminal, message: \"{{.states.first.Output}} {{.states.second.Output}}\"}\n";
    let ran = world.run(text, &["--provider", "scripted:turns.yaml"]);
    assert_eq!((ran.code, ran.message()), (0, "played second"), "{}", ran.stderr);
}

#[test]
fn an_agent_that_cannot_be_had_is_found_before_anything_runs() {
    let world = world("turns: [{say: x}]\n");
    world.file("broken.yaml", "turns: [{sya: x}]\n");
    let text = |provider: &str| {
        format!(
            "states:\n  initial: first\n  first: {{type: step, command: touch ran, on_success: ask}}\n  ask: {{type: agent, provider: '{provider}', prompt: x, retry: {{max_attempts: 3}}}}\n"
        )
    };
    let claude = text("claude");
    let rows = [
        (text("claude"), &[][..], "AGENT.NOT_INSTALLED"),
        (text("scripted:broken.yaml"), &[], "AGENT.UNUSABLE"),
        (claude.clone(), &["--provider", "gemini"], "AGENT.NOT_INSTALLED"),
        (claude.clone(), &["--provider", "scripted:missing.yaml"], "AGENT.UNUSABLE"),
    ];
    for (text, args, code) in rows {
        // No agent is installed here, whatever this machine has.
        world.workflow("w", &text);
        let mut command = world.command([&["run", "w", "--format", "json"], args].concat());
        let ran = Ran::of(&command.env("PATH", world.beside("bin")).output().unwrap());
        assert_eq!((ran.code, ran.events.len()), (3, 0), "{code}: {}", ran.stderr);
        assert!(ran.stderr.contains(code) && ran.stderr.contains("`ask`"), "{}", ran.stderr);
        if code == "AGENT.NOT_INSTALLED" {
            assert!(ran.stderr.contains("--provider scripted:<file>"), "{}", ran.stderr);
        }
    }
    assert!(!world.root().join("ran").exists());
    // What is not asked for is not needed; a name that is computed is known when its step begins, and tried once.
    assert_eq!(world.run(&claude, &["--step", "first"]).code, 0);
    assert_eq!(world.run(&claude, &["--mock", "states.ask.Output=x"]).code, 0);
    let ran = world.run(&text("{{.workflow.Name}}"), &[]);
    assert_eq!(ran.ended(), [("first", "completed"), ("ask", "failed")]);
}

#[test]
fn the_cases_of_f099_run_as_written() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/f099");
    let case = |number: u32| fs::read_to_string(format!("{examples}/case{number}.yaml")).unwrap();
    let world = world("turns: [{say: unused}]\n");
    world.file("src/foo.go", "package foo\n");
    world.file("own.yaml", "turns: [{say: done with tools of my own}]\n");
    let ran = world.run(&case(1), &["--provider", "scripted:own.yaml"]);
    assert_eq!((ran.code, ran.all("tool_call").len()), (0, 0), "{}", ran.stderr);
    world.file("proxied.yaml", "steps:\n  refactor:\n    - {call: Edit, arguments: {file_path: src/foo.go, old_string: package foo, new_string: package bar}}\n    - {call: Bash, arguments: {command: cat src/foo.go}, expect: {contains: package bar}}\n    - {say: refactored}\n");
    let ran = world.run(&case(2), &["--provider", "scripted:proxied.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.all("tool_call").len(), 2);
    assert_eq!(world.activity().len(), 2);
    world.declare(&[json!({"name": "kubernetes", "path": binary("awf-plugin-kubernetes")})]);
    let applied = "{call: kubernetes_kubectl_apply, arguments: {file: a.yaml}, expect: {contains: a.yaml configured}}";
    let both = format!(
        "turns:\n  - {applied}\n  - {{call: kubernetes_kubectl_get}}\n  - {{call: Bash, arguments: {{command: 'true'}}}}\n  - {{say: ok}}\n"
    );
    world.file("both.yaml", both);
    let ran = world.run(&case(3), &["--provider", "scripted:both.yaml"]);
    assert_eq!((ran.code, ran.all("tool_call").len()), (0, 3), "{}", ran.stderr);
    let only = format!(
        "turns:\n  - {applied}\n  - {{call: Bash, arguments: {{command: 'true'}}, expect: {{refused: true}}}}\n  - {{say: ok}}\n"
    );
    world.file("only.yaml", only);
    let ran = world.run(&case(4), &["--provider", "scripted:only.yaml"]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert!(ran.stderr.contains("plugin:kubernetes"), "{}", ran.stderr);
}

#[test]
fn an_answer_in_json_is_known_by_its_parts() {
    let world = world("turns: [{say: \"```json\\n{\\\"count\\\": 3}\\n```\"}]\n");
    let text =
        agent("    output_format: json\n").replace("states.ask.Output", "states.ask.JSON.count");
    let ran = world.run(&text, &[]);
    assert_eq!((ran.code, ran.message()), (0, "3"), "{}", ran.stderr);
}

#[test]
fn variables_of_the_state_reach_its_bash_and_withheld_ones_do_not() {
    let world = world(
        "turns:\n  - {call: Bash, arguments: {command: 'echo \"$REGION-$HOME-$OPENAI_API_KEY-\"'}, expect: {contains: eu-elsewhere--}}\n  - {say: ok}\n",
    );
    let env = "    env: {REGION: \"{{.inputs.region}}\", HOME: elsewhere, OPENAI_API_KEY: sk-1}\n";
    let text = format!("inputs: {{region: {{default: eu}}}}\n{}", agent(env));
    let ran = world.run(&text, &[]);
    assert_eq!((ran.code, ran.message()), (0, "ok"), "{} {:?}", ran.stderr, ran.end());
}

#[test]
fn two_agents_at_once_have_roots_and_records_of_their_own() {
    let turns = |name: &str| {
        format!(
            "    - {{call: Read, arguments: {{file_path: own.txt}}, expect: {{contains: {name}}}}}\n    - {{call: Write, arguments: {{file_path: made.txt, content: {name}}}}}\n    - {{call: Read, arguments: {{file_path: ../notes.txt}}, expect: {{error: true}}}}\n    - {{say: {name}}}\n"
        )
    };
    let world = world(&format!("steps:\n  left:\n{}  right:\n{}", turns("left"), turns("right")));
    world.file("left/own.txt", "left\n");
    world.file("right/own.txt", "right\n");
    let branch = |name: &str| {
        format!(
            "  {name}: {{type: agent, provider: 'scripted:turns.yaml', prompt: x, dir: {name}, mcp_proxy: {{enable: true}}}}\n"
        )
    };
    let text = format!(
        "name: w\nstates:\n  initial: both\n  both: {{type: parallel, parallel: [left, right], on_success: done}}\n{}{}  done: {{type: terminal, message: \"{{{{.states.left.Output}}}} {{{{.states.right.Output}}}}\"}}\n",
        branch("left"),
        branch("right")
    );
    let ran = world.run(&text, &[]);
    assert_eq!((ran.code, ran.message()), (0, "left right"), "{} {:?}", ran.stderr, ran.end());
    for name in ["left", "right"] {
        assert_eq!(fs::read_to_string(world.root().join(name).join("made.txt")).unwrap(), name);
        let own = world
            .activity()
            .into_iter()
            .filter(|record| record["step"].as_str().unwrap().ends_with(name));
        assert_eq!(own.count(), 3);
    }
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let value =
        span.attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    match value {
        Any::StringValue(text) => Some(text),
        _ => None,
    }
}

fn number(span: &Span, key: &str) -> Option<i64> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Any::IntValue(number) => Some(*number),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_spans_are_children_of_the_step_span() {
    let receiver = Receiver::grpc().await;
    let world = world(
        "turns:\n  - {call: Read, arguments: {file_path: notes.txt}}\n  - {call: Bash, arguments: {command: 'echo $TRACEPARENT'}}\n  - {say: x}\n",
    );
    world.workflow("w", &agent(""));
    let output = world
        .command(["run", "w", "--format", "json"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint())
        .output()
        .unwrap();
    let ran = Ran::of(&output);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let spans = receiver.spans();
    let named = |name: &str| {
        spans.iter().find(|span| span.name == name).unwrap_or_else(|| {
            panic!("no {name} in {:?}", spans.iter().map(|span| &span.name).collect::<Vec<_>>())
        })
    };
    let (run, step) = (named("workflow.run"), named("step.ask"));
    assert_eq!(step.parent_span_id, run.span_id);
    // The turn of the agent stands beside its calls, and each call points to it.
    let turn = named("agent.scripted");
    assert_eq!((&turn.trace_id, &turn.parent_span_id), (&run.trace_id, &step.span_id));
    assert_eq!(attribute(turn, "gen_ai.operation.name").as_deref(), Some("invoke_agent"));
    for span in [turn, run] {
        let counts = ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"];
        assert!(counts.iter().all(|key| number(span, key) > Some(0)), "{:?}", span.attributes);
    }
    for name in ["tool.call.Read", "tool.call.Bash"] {
        let call = named(name);
        assert_eq!(
            (&call.trace_id, &call.parent_span_id),
            (&run.trace_id, &step.span_id),
            "{name}"
        );
        assert_eq!(attribute(call, "awf.run.id").as_deref(), Some(ran.id()));
        assert_eq!(attribute(call, "awf.step.name").as_deref(), Some("ask"));
        let links: Vec<_> = call.links.iter().map(|link| &link.span_id).collect();
        assert_eq!(links, [&turn.span_id], "{name}");
    }
}

/// Files and directories of sessions, by their names.
fn session_dirs(dir: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(dir).map(|entries| {
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    });
    entries.unwrap_or_default()
}

/// Ends a run in the middle of an agent's Bash call by `signal`, and looks at what is left.
fn nothing_is_left_after(signal: Signal) {
    for trial in 0..crate::trials(5, 50) {
        let world = world(
            "turns: [{call: Bash, arguments: {command: 'setsid sleep 300 & sleep 300 & (setsid sh -c \"trap : TERM; sleep 300; true\" &) ; touch began; sleep 300'}}]\n",
        );
        world.workflow("w", &agent(""));
        let mark = format!("agent-{}-{trial}-{}", signal.as_raw(), std::process::id());
        let runtime = world.beside("runtime");
        fs::create_dir(&runtime).unwrap();
        let mut command = world.command(["run", "w", "--format", "quiet"]);
        command.env(MARK, &mark).env("XDG_RUNTIME_DIR", &runtime).stderr(Stdio::null());
        let mut run = Running::start(command);
        wait_until("the command", || world.root().join("began").exists());
        // awf, its guard, the relay, the guard of Bash, the shell and what it started; guards carry no mark.
        let (all, marked) = (tree(run.0.id()), marked(&mark));
        assert!(all.len() >= 8 && marked.len() >= 5, "{all:?} {marked:?}");
        assert!(!session_dirs(&runtime).is_empty());
        let begun = Instant::now();
        kill_process(Pid::from_child(&run.0), signal).unwrap();
        let status = run.0.wait().unwrap();
        if signal != Signal::KILL {
            assert_eq!(status.code(), Some(130));
        }
        let left = left_after(&mark, Duration::from_secs(5).saturating_sub(begun.elapsed()));
        assert!(left.is_empty(), "{left:?}");
        wait_until("the guards to end", || !all.iter().any(|pid| alive(*pid)));
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        wait_until("the files to go", || session_dirs(&runtime).is_empty());
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        let left = session_dirs(&world.home().join("scratch"));
        assert_eq!(left, Vec::<String>::new());
    }
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    nothing_is_left_after(Signal::INT);
}

#[test]
fn a_terminated_run_leaves_nothing() {
    nothing_is_left_after(Signal::TERM);
}

#[test]
fn a_killed_run_leaves_nothing() {
    nothing_is_left_after(Signal::KILL);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let world = World::new();
    world.workflow("w", "states:\n  one: {type: step, command: 'trap \"\" INT TERM; touch began; while :; do sleep 1; done'}\n");
    let mut command = world.command(["run", "w", "--format", "quiet"]);
    command.stderr(Stdio::null());
    let mut run = Running::start(command);
    wait_until("the step", || world.root().join("began").exists());
    let begun = Instant::now();
    for _ in 0..2 {
        // Signals of one kind that arrive together are one; so they come apart.
        kill_process(Pid::from_child(&run.0), Signal::INT).unwrap();
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(run.0.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[test]
fn a_filled_in_script_goes_with_its_run_also_when_that_is_killed() {
    let world = World::new();
    world.file("with.sh", "#!/bin/sh\n: {{.inputs.key}}\ntouch began\nsleep 300\n");
    world.workflow("w", "inputs: [{name: key, default: canary}]\nstates:\n  one: {type: step, script_file: with.sh}\n");
    world.workflow("after", "states:\n  one: {type: step, command: 'true'}\n");
    let scratch = world.home().join("scratch");
    let run = Running::start(world.command(["run", "w", "--format", "quiet"]));
    wait_until("the script", || world.root().join("began").exists());
    assert_eq!(session_dirs(&scratch).len(), 1);
    // A run beside it leaves it alone.
    assert!(world.awf(["run", "after"]).status.success());
    assert_eq!(session_dirs(&scratch).len(), 1);
    run.kill();
    wait_until("the guard to clear up", || session_dirs(&scratch).is_empty());
}
