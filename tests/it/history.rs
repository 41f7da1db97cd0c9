//! `awf history` and `awf status`, over journals written here in the format that every later version must read.

use std::{fs, fs::File, path::PathBuf, process::Output};

use serde_json::{Value, json};

use crate::world::World;

/// 2026-11-16T09:30:00Z.
const BEGIN: i64 = 1_794_821_400_000;

const GOOD: &str = "01M7H98F40A6Y8BCXW2R5TQK3M";
const BAD: &str = "01M7H990HYH39786EHFDZ2RNG7";
const DEAD: &str = "01M7H990K2V4R2JZ6984368KXQ";
const STOPPED: &str = "01M7HA1111D3E2F1G0H9J8K7M6";

/// Milliseconds after the beginning, as a journal keeps time.
fn at(millis: i64) -> i64 {
    (BEGIN + millis) * 1_000_000
}

fn began(id: &str, workflow: &str, millis: i64) -> (&'static str, Value) {
    let event = json!({
        "id": id, "at": at(millis), "workflow": workflow,
        "sources": [{"name": workflow, "file": "w.yaml", "text": "name: w\n"}],
        "inputs": [["token", "secret"]], "dir": {"text": "/project"}, "presets": [], "version": "0.1.0",
    });
    ("began", event)
}

fn task_began(task: u64, step: &str, attempt: u32, millis: i64) -> (&'static str, Value) {
    let event =
        json!({"task": task, "step": step, "attempt": attempt, "effect": "step", "at": at(millis)});
    ("task_began", event)
}

fn task_ended(task: u64, status: &str, exit_code: i32, millis: i64) -> (&'static str, Value) {
    let mut step = json!({
        "status": status, "exit_code": exit_code, "elapsed_ns": 0, "output": "", "stderr": "", "response": {},
        "json": [], "usage": {"input_tokens": 0, "output_tokens": 0, "estimated": false},
        "calls": {"made": 3, "denied": 1}, "captured": [],
    });
    if exit_code != 0 {
        let message = format!("exited with {exit_code}");
        step["error"] = json!({"code": "EXECUTION.COMMAND.FAILED", "message": message});
    }
    ("task_ended", json!({"task": task, "at": at(millis), "outcome": {"step": step}}))
}

fn finished(status: &str, exit_code: u8, state: &str, millis: i64) -> (&'static str, Value) {
    let mut event =
        json!({"status": status, "exit_code": exit_code, "state": state, "at": at(millis)});
    if status == "failed" {
        event["error"] = json!({"code": "EXECUTION.COMMAND.FAILED", "message": "exited with 2"});
        event["message"] = json!("cannot release\u{1b}[2J");
    }
    ("finished", event)
}

fn journal(world: &World, id: &str) -> PathBuf {
    world.home().join(format!("runs/{id}.jsonl"))
}

fn write(world: &World, id: &str, events: &[(&'static str, Value)]) {
    let line = |(seq, (kind, event)): (usize, &(&str, Value))| {
        // The order of the keys is part of the format; `json!` would sort them.
        let event = ordered(kind, event);
        format!("{{\"v\":1,\"seq\":{},\"kind\":\"{kind}\",\"event\":{event}}}\n", seq + 1)
    };
    let text: String = events.iter().enumerate().map(line).collect();
    fs::create_dir_all(world.home().join("runs")).unwrap();
    fs::write(journal(world, id), text).unwrap();
}

/// The beginning of a run names its workflow before it holds the text of its files.
fn ordered(kind: &str, event: &Value) -> String {
    if kind != "began" {
        return event.to_string();
    }
    let first = ["id", "at", "workflow", "sources"];
    let mut rest = event.as_object().unwrap().clone();
    let first = first.map(|key| (key, rest.remove(key).unwrap()));
    let fields = first.iter().map(|(key, value)| (*key, value));
    let fields = fields.chain(rest.iter().map(|(key, value)| (key.as_str(), value)));
    let fields: Vec<_> = fields.map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// Four runs: one went well, one failed after a second attempt, one was killed, one was stopped.
fn four_runs() -> World {
    let world = World::new();
    write(
        &world,
        GOOD,
        &[
            began(GOOD, "lint", 0),
            task_began(1, "check", 1, 100),
            task_ended(1, "completed", 0, 1_400),
            finished("success", 0, "done", 1_500),
        ],
    );
    write(
        &world,
        BAD,
        &[
            began(BAD, "release", 60_000),
            task_began(1, "build", 1, 60_100),
            task_ended(1, "completed", 0, 62_000),
            task_began(2, "publish", 1, 62_000),
            task_ended(2, "failed", 2, 62_100),
            task_began(3, "publish", 2, 64_000),
            task_ended(3, "failed", 2, 64_500),
            finished("failed", 3, "broken", 64_600),
        ],
    );
    write(
        &world,
        DEAD,
        &[began(DEAD, "release", 120_000), task_began(1, "each[2].test", 1, 120_100)],
    );
    write(
        &world,
        STOPPED,
        &[
            began(STOPPED, "lint", 86_400_000),
            task_began(1, "check", 1, 86_400_000),
            ("cancelled", json!({"at": at(86_400_250)})),
            task_ended(1, "cancelled", 130, 86_400_300),
            finished("cancelled", 130, "check", 86_400_900),
        ],
    );
    world
}

fn stdout(output: &Output) -> &str {
    assert_eq!(str::from_utf8(&output.stderr).unwrap(), "");
    assert!(output.status.success());
    str::from_utf8(&output.stdout).unwrap()
}

/// The exit code and the lines of what was said.
fn refused(output: &Output) -> (Option<i32>, Vec<&str>) {
    assert_eq!(output.stdout, b"");
    (output.status.code(), str::from_utf8(&output.stderr).unwrap().lines().collect())
}

fn ids(world: &World, args: &[&str]) -> Vec<String> {
    let history = world.awf_json([&["history", "-o", "json"], args].concat());
    let runs = history["runs"].as_array().unwrap();
    runs.iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn history_lists_runs_newest_first() {
    let world = four_runs();
    assert_eq!(
        stdout(&world.awf(["history"])),
        "\
ID                          WORKFLOW  STATUS       BEGAN                     DURATION  EXIT
01M7HA1111D3E2F1G0H9J8K7M6  lint      cancelled    2026-11-17T09:30:00.000Z  900 ms    130
01M7H990K2V4R2JZ6984368KXQ  release   interrupted  2026-11-16T09:32:00.000Z  -         -
01M7H990HYH39786EHFDZ2RNG7  release   failed       2026-11-16T09:31:00.000Z  4.6 s     3
01M7H98F40A6Y8BCXW2R5TQK3M  lint      success      2026-11-16T09:30:00.000Z  1.5 s     0
"
    );
}

#[test]
fn history_shows_what_is_asked_for() {
    let world = four_runs();
    let rows: [(&[&str], &[&str]); 9] = [
        (&["--workflow", "release"], &[DEAD, BAD]),
        (&["-w", "nothing"], &[]),
        (&["--status", "success"], &[GOOD]),
        (&["-s", "cancelled"], &[STOPPED]),
        (&["-s", "running"], &[]),
        (&["--since", "2026-11-17"], &[STOPPED]),
        (&["--since", "2026-11-16T09:31:30Z", "-w", "release"], &[DEAD]),
        (&["-n", "2"], &[STOPPED, DEAD]),
        (&["--limit", "1", "-w", "lint", "-s", "success"], &[GOOD]),
    ];
    for (args, expected) in rows {
        assert_eq!(ids(&world, args), expected, "{args:?}");
    }
}

#[test]
fn history_as_json() {
    let run = json!({
        "id": BAD, "workflow": "release", "status": "failed", "began": "2026-11-16T09:31:00.000Z",
        "ended": "2026-11-16T09:31:04.600Z", "duration_ms": 4600, "exit_code": 3,
    });
    let dead = json!({
        "id": DEAD, "workflow": "release", "status": "interrupted", "began": "2026-11-16T09:32:00.000Z",
        "ended": null, "duration_ms": null, "exit_code": null,
    });
    let history = four_runs().awf_json(["history", "-o", "json", "-w", "release"]);
    assert_eq!(history, json!({"runs": [dead, run]}));
}

#[test]
fn history_counts_all_runs_whatever_the_limit() {
    let world = four_runs();
    assert_eq!(
        stdout(&world.awf(["history", "--stats", "-n", "1"])),
        "\
Runs:          4
  success:     1
  failed:      1
  cancelled:   1
  interrupted: 1
  running:     0
Shortest:      900 ms
Mean:          2.3 s
Longest:       4.6 s
"
    );
    assert_eq!(
        world.awf_json(["history", "--stats", "-s", "interrupted", "-o", "json"]),
        json!({
            "total": 1, "success": 0, "failed": 0, "cancelled": 0, "interrupted": 1, "running": 0,
            "duration_ms": null,
        })
    );
}

#[test]
fn history_refuses_what_it_does_not_know() {
    let world = World::new();
    for args in [["-s", "paused"], ["--since", "yesterday"], ["-n", "0"], ["-o", "yaml"]] {
        assert_eq!(refused(&world.awf([&["history"], &args[..]].concat())).0, Some(1), "{args:?}");
    }
}

#[test]
fn nothing_is_made_by_asking() {
    let world = World::new();
    assert_eq!(ids(&world, &[]), Vec::<String>::new());
    let output = world.awf(["status"]);
    let said = [
        "error[USER.RUN.NOT_FOUND]: there has been no run yet",
        "  hint: start one: `awf run <workflow>`",
    ];
    assert_eq!(refused(&output), (Some(1), said.to_vec()));
    assert!(!world.home().exists());
}

#[test]
fn status_of_a_failed_run() {
    let world = four_runs();
    assert_eq!(
        stdout(&world.awf(["status", BAD])),
        "\
Run:        01M7H990HYH39786EHFDZ2RNG7
Workflow:   release
Status:     failed
Began:      2026-11-16T09:31:00.000Z
Duration:   4.6 s
Exit code:  3
State:      broken
Message:    cannot release\\u{1b}[2J
Error:      EXECUTION.COMMAND.FAILED: exited with 2

STEP     STATUS     ATTEMPTS  ELAPSED  ERROR
build    completed  1         1.9 s
publish  failed     2         2.5 s    EXECUTION.COMMAND.FAILED: exited with 2

Next:       secrets are not kept, give them again: `--input token=…`
            awf resume 01M7H990HYH39786EHFDZ2RNG7 --from publish
"
    );
}

#[test]
fn status_of_an_interrupted_run() {
    let world = four_runs();
    assert_eq!(
        stdout(&world.awf(["status", "01m7h990k2"])),
        "\
Run:        01M7H990K2V4R2JZ6984368KXQ
Workflow:   release
Status:     interrupted
Began:      2026-11-16T09:32:00.000Z
Duration:   100 ms

STEP          STATUS       ATTEMPTS  ELAPSED  ERROR
each[2].test  interrupted  1         0 ms

Next:       see what `each[2].test` did: it is run again from its start
            secrets are not kept, give them again: `--input token=…`
            awf resume 01M7H990K2V4R2JZ6984368KXQ --from current
"
    );
}

#[test]
fn status_of_the_newest_run_as_json() {
    let status = four_runs().awf_json(["status", "-o", "json"]);
    let error = json!({"code": "EXECUTION.COMMAND.FAILED", "message": "exited with 130"});
    let step = json!({
        "name": "check", "status": "cancelled", "attempts": 1, "began": "2026-11-17T09:30:00.000Z",
        "elapsed_ms": 300, "exit_code": 130, "error": error, "tool_calls": {"made": 3, "denied": 1, "bypassed": 0},
    });
    assert_eq!(
        status,
        json!({
            "id": STOPPED, "workflow": "lint", "status": "cancelled", "began": "2026-11-17T09:30:00.000Z",
            "ended": "2026-11-17T09:30:00.900Z", "duration_ms": 900, "resumed": 0, "exit_code": 130,
            "state": "check", "message": null, "error": null, "directory": "/project", "provider": null,
            "awf_version": "0.1.0", "steps": [step], "next": format!("awf resume {STOPPED} --from current"),
        })
    );
}

#[test]
fn a_run_whose_process_lives_is_running() {
    let world = four_runs();
    let held = File::open(journal(&world, DEAD)).unwrap();
    held.lock().unwrap();
    assert_eq!(ids(&world, &["-s", "running"]), [DEAD]);
    let status = world.awf_json(["status", "-o", "json", DEAD]);
    assert_eq!([&status["status"], &status["steps"][0]["status"]], ["running", "running"]);
    assert_eq!(status["next"], Value::Null);
    drop(held);
    assert_eq!(ids(&world, &["-s", "running"]), Vec::<String>::new());
}

#[test]
fn a_run_is_named_by_enough_of_its_id() {
    let world = four_runs();
    let rows = [
        (
            "01M7H",
            "error[USER.RUN.NOT_FOUND]: `01M7H` is too short to name a run",
            "  hint: give at least 6 characters of its id; `awf history` shows them",
        ),
        (
            "01m7h990",
            "error[USER.RUN.NOT_FOUND]: the ids of 2 runs begin with `01m7h990`",
            "  hint: give more of it; the newest are `01M7H990K2V4R2JZ6984368KXQ`, `01M7H990HYH39786EHFDZ2RNG7`",
        ),
        (
            "01M7H990HYH39786EHFDZ2RNGX",
            "error[USER.RUN.NOT_FOUND]: no run `01M7H990HYH39786EHFDZ2RNGX`",
            "  hint: did you mean `01M7H990HYH39786EHFDZ2RNG7`?",
        ),
        (
            "release",
            "error[USER.RUN.NOT_FOUND]: no run `release`",
            "  hint: run `awf history` for the ids",
        ),
    ];
    for (typed, message, hint) in rows {
        let output = world.awf(["status", typed]);
        assert_eq!(refused(&output), (Some(1), vec![message, hint]));
    }
}

#[test]
fn a_torn_line_is_no_event_and_damage_is_told_by_its_line() {
    let world = four_runs();
    let whole = fs::read_to_string(journal(&world, GOOD)).unwrap();
    fs::write(journal(&world, GOOD), &whole[..whole.len() - 1]).unwrap();
    let status = world.awf_json(["status", "-o", "json", GOOD]);
    assert_eq!([&status["status"], &status["steps"][0]["status"]], ["interrupted", "completed"]);
    assert_eq!(status["next"], json!(format!("awf resume {GOOD}")));

    fs::write(journal(&world, GOOD), whole.replace("task_ended", "task_paused")).unwrap();
    assert_eq!(ids(&world, &["-s", "success"]), [GOOD]);
    let output = world.awf(["status", GOOD]);
    let message = format!(
        "error[SYSTEM.RUN.DAMAGED]: the journal of run `{GOOD}` is damaged at line 3: written by a newer awf: event `task_paused` is not known to this one"
    );
    let (code, said) = refused(&output);
    assert_eq!((code, said[0]), (Some(4), message.as_str()));
}
