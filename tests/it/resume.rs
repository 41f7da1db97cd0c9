//! Runs that were killed go on: what had ended is never done again, what was under way only when somebody says so.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    processes::wait_until,
    random::Random,
    workflow::{Ran, Running},
    world::World,
};

const STEPS: usize = 20;

/// Twenty steps; each leaves a line when it begins and one when it ends.
fn twenty_steps(keys: &str) -> String {
    let step = |at: usize| {
        let next = if at + 1 == STEPS { "done".to_owned() } else { format!("s{}", at + 1) };
        format!(
            "  s{at}: {{type: step, command: 'echo begin {at} >> log; echo end {at} >> log', on_success: {next}{keys}}}\n"
        )
    };
    let steps: String = (0..STEPS).map(step).collect();
    format!(
        "name: w\nstates:\n  initial: s0\n{steps}  done: {{type: terminal, message: all done}}\n"
    )
}

/// How often each step began, by the log.
fn began(world: &World) -> Vec<usize> {
    let log = fs::read_to_string(world.root().join("log")).unwrap_or_default();
    (0..STEPS).map(|at| log.lines().filter(|line| *line == format!("begin {at}")).count()).collect()
}

/// Runs the workflow and kills it with SIGKILL after `after`; gives the id of its run, if it came that far.
fn killed_run(world: &World, after: Duration) -> Option<String> {
    let run = Running::start(world.command(["run", "w", "--format", "quiet"]));
    thread::sleep(after);
    run.kill();
    newest(world).map(|run| run["id"].as_str().unwrap().to_owned())
}

fn newest(world: &World) -> Option<Value> {
    let runs = world.awf_json(["history", "-o", "json"]);
    runs["runs"].as_array().unwrap().first().cloned()
}

fn resume(world: &World, id: &str, args: &[&str]) -> Ran {
    Ran::of(&world.awf([&["resume", id, "--format", "json"], args].concat()))
}

/// How long the whole workflow takes here, so that kills fall on all of it.
fn full_time(text: &str) -> Duration {
    let world = World::new();
    let began = Instant::now();
    assert_eq!(world.run(text, &[]).code, 0);
    began.elapsed()
}

#[test]
fn killed_at_random_points_every_finished_step_happened_once() {
    let text = twenty_steps("");
    let whole = full_time(&text);
    let mut random = Random::from_time();
    let (mut interrupted, mut plain) = (0, 0);
    for _ in 0..crate::trials(12, 100) {
        let world = World::new();
        world.workflow("w", &text);
        let micros = u64::try_from(whole.as_micros()).unwrap();
        let Some(id) = killed_run(&world, Duration::from_micros(random.below(micros))) else {
            continue;
        };
        if newest(&world).unwrap()["status"] == "success" {
            continue;
        }
        let before = began(&world);
        let ran = resume(&world, &id, &[]);
        let under_way = if ran.code == 1 {
            // A step was under way: nothing was done, and it is named.
            assert!(ran.stderr.contains("USER.RUN.INTERRUPTED_STEP"), "{}", ran.stderr);
            assert_eq!(began(&world), before, "nothing may run unasked");
            interrupted += 1;
            let step =
                (0..STEPS).rev().find(|at| ran.stderr.contains(&format!("`s{at}`"))).unwrap();
            let ran = resume(&world, &id, &["--from", "current"]);
            assert_eq!((ran.code, ran.message()), (0, "all done"), "{}", ran.stderr);
            Some(step)
        } else {
            plain += 1;
            assert_eq!((ran.code, ran.message()), (0, "all done"), "{}", ran.stderr);
            None
        };
        for (at, times) in began(&world).into_iter().enumerate() {
            let most = if under_way == Some(at) { 2 } else { 1 };
            assert!(
                (1..=most).contains(&times),
                "step {at} ran {times} times, under way: {under_way:?}"
            );
        }
        let again = resume(&world, &id, &[]);
        assert_eq!(again.code, 1);
        assert!(again.stderr.contains("USER.RUN.FINISHED"), "{}", again.stderr);
    }
    println!("{interrupted} with a step under way, {plain} without");
}

/// A run that is killed while `slow` is under way.
fn killed_in_slow(world: &World, keys: &str) -> String {
    world.workflow(
        "w",
        &format!("name: w\nstates:\n  initial: first\n  first: {{type: step, command: echo first >> log, on_success: slow}}\n  slow: {{type: step, command: 'echo slow >> log; test -e go || sleep 300', on_success: last{keys}}}\n  last: {{type: step, command: echo last >> log}}\n"),
    );
    let run = Running::start(world.command(["run", "w", "--format", "quiet"]));
    let log = world.root().join("log");
    wait_until("the slow step", || fs::read_to_string(&log).is_ok_and(|log| log.contains("slow")));
    run.kill();
    world.file("go", "");
    newest(world).unwrap()["id"].as_str().unwrap().to_owned()
}

fn log(world: &World) -> String {
    fs::read_to_string(world.root().join("log")).unwrap().replace('\n', " ")
}

#[test]
fn a_step_with_a_retry_goes_on_by_itself() {
    let world = World::new();
    let id = killed_in_slow(&world, ", retry: {max_attempts: 3}");
    assert_eq!(newest(&world).unwrap()["status"], "interrupted");
    let ran = resume(&world, &id, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(log(&world), "first slow slow last ");
}

#[test]
fn a_state_can_be_named_to_begin_at() {
    let world = World::new();
    let id = killed_in_slow(&world, "");
    let ran = resume(&world, &id, &["--from", "lasst"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("did you mean `last`?"), "{}", ran.stderr);
    let ran = resume(&world, &id, &["--from", "last"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(log(&world), "first slow last ");
}

#[test]
fn a_run_goes_on_as_its_workflow_was_when_it_began() {
    let world = World::new();
    let id = killed_in_slow(&world, "");
    fs::remove_file(world.root().join(".awf/workflows/w.yaml")).unwrap();
    assert_eq!(resume(&world, &id, &["--from", "current"]).code, 0);
    assert_eq!(log(&world), "first slow slow last ");
}

#[test]
fn a_run_under_way_is_not_taken_over() {
    let world = World::new();
    world.workflow("w", "states:\n  one: {type: step, command: 'touch began; sleep 300'}\n");
    let under_way = Running::start(world.command(["run", "w", "--format", "quiet"]));
    wait_until("the step", || world.root().join("began").exists());
    let run = newest(&world).unwrap();
    assert_eq!(run["status"], "running");
    for from in [&[][..], &["--from", "current"], &["--from", "one"]] {
        let ran = resume(&world, run["id"].as_str().unwrap(), from);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains("USER.RUN.ACTIVE"), "{}", ran.stderr);
    }
    under_way.kill();
}

#[test]
fn a_secret_is_never_stored_and_must_be_given_again() {
    let world = World::new();
    let secret = "hunter2-hunter2";
    world.workflow("w", "inputs: [{name: key, secret: true, required: true}, {name: who, default: Ann}]\nstates:\n  initial: one\n  one: {type: step, command: 'echo $key; echo said {{escape .inputs.key}} >&2', on_success: two}\n  two: {type: step, command: 'test -e go && echo $who $key > out'}\n");
    let ran = Ran::of(&world.awf([
        "run",
        "w",
        "--format",
        "json",
        "-i",
        &format!("key={secret}"),
        "-i",
        "who=Eve",
    ]));
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(!format!("{:?}{}", ran.events, ran.stderr).contains(secret));
    nothing_holds(&world.home(), secret);
    world.file("go", "");
    let id = ran.id().to_owned();
    let without = resume(&world, &id, &["--from", "two"]);
    assert_eq!(without.code, 1);
    assert!(without.stderr.contains("USER.INPUT.MISSING_INPUT"), "{}", without.stderr);
    let ran = resume(&world, &id, &["--from", "two", "-i", &format!("key={secret}")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(fs::read_to_string(world.root().join("out")).unwrap(), format!("Eve {secret}\n"));
}

#[test]
fn secrets_of_a_called_workflow_and_in_given_results_are_kept_nowhere() {
    let world = World::new();
    let secret = "swordfish-swordfish";
    world.file("turns.yaml", format!("turns:\n  - {{call: Read, arguments: {{file_path: key.txt}}, expect: {{contains: {secret}}}}}\n  - {{call: Bash, arguments: {{command: 'echo {secret}'}}}}\n  - {{say: read it}}\n"));
    world.file("key.txt", secret);
    world.workflow("inner", "inputs: {key: {secret: true, required: true}}\nstates:\n  ask: {type: agent, provider: 'scripted:turns.yaml', prompt: x, mcp_proxy: {enable: true}}\n");
    world.workflow("w", "states:\n  initial: given\n  given: {type: step, command: 'false', on_success: call}\n  call: {type: call_workflow, workflow: inner, inputs: {key: '{{.env.NEUTRAL}}'}}\n");
    // What the environment is known to hold as a secret is struck out of given results, too.
    let mock = "states.given.Output=tuna-tuna-tuna-tuna";
    let mut command = world.command(["run", "w", "--format", "json", "--mock", mock]);
    command.env("NEUTRAL", secret).env("API_TOKEN", "tuna-tuna-tuna-tuna");
    let ran = Ran::of(&command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!format!("{:?}{}", ran.events, ran.stderr).contains(secret));
    nothing_holds(&world.home(), secret);
    nothing_holds(&world.home(), "tuna-tuna");
}

#[test]
fn a_short_secret_of_a_called_workflow_is_not_kept_by_its_name() {
    let world = World::new();
    world.workflow("inner", "inputs: {pin: {secret: true}}\nstates:\n  one: {type: step, command: 'test \"$pin\" = q7x'}\n");
    world.workflow("w", "states:\n  call: {type: call_workflow, workflow: inner, inputs: {pin: '{{.env.NEUTRAL}}'}}\n");
    let output = world.command(["run", "w"]).env("NEUTRAL", "q7x").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    nothing_holds(&world.home().join("runs"), "\"q7x\"");
}

/// No file beneath `dir` holds the text.
fn nothing_holds(dir: &std::path::Path, secret: &str) {
    for entry in walk(dir) {
        let text = String::from_utf8_lossy(&fs::read(&entry).unwrap()).into_owned();
        assert!(!text.contains(secret), "{}", entry.display());
    }
}

/// All files beneath a directory.
fn walk(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
