//! The activity journal under load, under kill -9 and under tampering, through the built binary.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::{Value, json};

use crate::{random::Random, server::failed, world::World};

mod crew;
mod killed;
mod places;
mod tampering;

/// The line that calls Read on a file of that name. The name tells the record from all others.
fn call_line(id: usize, name: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "Read", "arguments": {"file_path": name}}}).to_string()
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"load","version":"1"}}}"#;

/// A server, the thread that sends it `calls` calls at once, and its answers as they come.
fn loaded_server(
    world: &World,
    config: &Path,
    prefix: &str,
    calls: usize,
) -> (Child, JoinHandle<()>, impl Iterator<Item = String> + use<>) {
    let mut child = world
        .serve_command(config)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines: Vec<String> =
        (0..calls).map(|id| call_line(id, &format!("{prefix}-{id}"))).collect();
    let writer = thread::spawn(move || {
        let load = [HELLO.to_owned()].into_iter().chain(lines);
        // A server that is killed in the middle of this breaks the pipe; what it answered is counted elsewhere.
        drop(load.map(|line| writeln!(stdin, "{line}")).find(Result::is_err));
    });
    let answers = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    (child, writer, answers)
}

/// Runs one server through `calls` pipelined calls and counts the answers.
fn pipeline(world: &World, config: &Path, prefix: &str, calls: usize) -> usize {
    let (mut child, writer, answers) = loaded_server(world, config, prefix, calls);
    let answered = answers.filter(|line| line.contains("\"result\"")).count();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    answered - 1
}

fn verify(world: &World) -> (Option<i32>, String) {
    let output = world.awf(["activity", "verify"]);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn sixteen_processes_of_a_thousand_calls_lose_nothing() {
    const PROCESSES: usize = 16;
    const CALLS: usize = 1000;
    let world = World::new();
    let config = world.config(json!({}));
    thread::scope(|scope| {
        let runs: Vec<_> = (0..PROCESSES)
            .map(|process| {
                let (world, config) = (&world, &config);
                scope.spawn(move || pipeline(world, config, &format!("p{process}"), CALLS))
            })
            .collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), CALLS);
        }
    });
    let (code, said) = verify(&world);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains(&format!("{} events in {PROCESSES} segments", 2 * PROCESSES * CALLS)),
        "{said}"
    );
    let names = recorded_names(&world);
    assert_eq!(names.len(), PROCESSES * CALLS);
    assert!(names.values().all(|(times, _)| *times == 1), "a call is on record twice");
}

/// How often each file name is on record, and with which status.
fn recorded_names(world: &World) -> HashMap<String, (usize, String)> {
    let mut names = HashMap::new();
    for record in world.activity() {
        let name = record["arguments"]["file_path"].as_str().unwrap().to_owned();
        let entry = names.entry(name).or_insert((0, String::new()));
        *entry = (entry.0 + 1, record["status"].as_str().unwrap().to_owned());
    }
    names
}

/// Starts a server under load, kills it after `delay`, and gives the names of the calls it had answered.
fn answered_before_kill(
    world: &World,
    config: &Path,
    prefix: &str,
    delay: Duration,
) -> Vec<String> {
    let (mut child, writer, mut answers) = loaded_server(world, config, prefix, 2000);
    assert!(answers.next().is_some(), "no handshake");
    let killer = thread::spawn(move || {
        thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();
    });
    let answers = answers.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    let answered = answers
        .filter(|answer| failed(&answer["result"]))
        .map(|answer| format!("{prefix}-{}", answer["id"]))
        .collect();
    killer.join().unwrap();
    writer.join().unwrap();
    answered
}

#[test]
fn whatever_was_answered_before_a_kill_is_on_record_once() {
    let world = World::new();
    let config = world.config(json!({}));
    let mut random = Random::from_time();
    let mut answered = Vec::new();
    for point in 0..crate::trials(100, 500) {
        let delay = Duration::from_micros(random.below(40_000));
        answered.extend(answered_before_kill(&world, &config, &format!("k{point}"), delay));
    }
    let (code, said) = verify(&world);
    assert_eq!(code, Some(0), "{said}");
    let names = recorded_names(&world);
    for name in &answered {
        assert_eq!(names.get(name), Some(&(1, "error".to_owned())), "{name} was answered");
    }
    assert!(answered.len() > 100, "the load was too light: {} answers", answered.len());
    assert!(names.values().all(|(times, _)| *times == 1), "a call is on record twice");
}

/// A log of ten calls by one closed server, and its one segment.
fn small_log() -> (World, PathBuf) {
    let world = World::new();
    let config = world.config(json!({}));
    assert_eq!(pipeline(&world, &config, "t", 10), 10);
    let mut segments = fs::read_dir(world.home().join("activity/segments")).unwrap();
    let segment = segments.next().unwrap().unwrap().path();
    (world, segment)
}

#[test]
fn a_lost_index_is_rebuilt() {
    let (world, _) = small_log();
    assert_eq!(world.activity().len(), 10);
    fs::write(world.home().join("activity/index.sqlite"), "not a database").unwrap();
    assert_eq!(world.activity().len(), 10);
}

#[test]
fn a_journal_that_cannot_be_written_stops_changes_and_lets_reads_go_on() {
    let world = World::new();
    world.file("f.txt", "x\n");
    fs::write(world.home(), "a file where the directory should be").unwrap();
    let mut server = world.serve();
    let read = server.call("Read", &json!({"file_path": "f.txt"}));
    assert!(!failed(&read), "{read}");
    assert_eq!(read["_meta"]["awf/warnings"][0]["code"], "JOURNAL_UNAVAILABLE", "{read}");
    let write = server.call("Write", &json!({"file_path": "g.txt", "content": "x"}));
    assert!(failed(&write), "{write}");
    assert_eq!(write["structuredContent"]["code"], "JOURNAL_UNAVAILABLE", "{write}");
    assert!(!world.root().join("g.txt").exists(), "a change went unrecorded");
}
