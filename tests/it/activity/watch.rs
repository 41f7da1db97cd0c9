//! `awf activity watch`: calls of other processes, each once, until Ctrl-C.

use std::{
    io::{BufRead as _, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::{
    activity::{stderr, stdout, told},
    world::World,
};

/// A started watch, and what it prints.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    /// Started, and watching: its heading is out.
    fn table(world: &World) -> Self {
        let mut watch = Self::start(world.command(["activity", "watch", "--no-icons"]));
        assert!(watch.line().starts_with("ID "));
        watch
    }

    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    /// Ctrl-C; gives what it still printed.
    fn interrupt(mut self) -> Vec<String> {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        let rest = self.lines.map(Result::unwrap).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        rest
    }
}

fn glob(world: &World, pattern: &str) {
    let args = json!({ "pattern": pattern }).to_string();
    let output = world.awf(["call", "tool-read", "Glob", "--args", &args]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn calls_of_other_processes_are_shown_when_they_are_over() {
    let world = told();
    let mut watch = Watch::table(&world);
    glob(&world, "*");
    let line = watch.line();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells[2..6], ["builtin", "Glob", "read", "success"], "{line}");
    assert_eq!(world.activity()[0]["id"], cells[0]);
    let denied = world.awf(["call", "tool-read", "Bash", "--args", r#"{"command":"true"}"#]);
    assert_eq!(denied.status.code(), Some(5));
    let line = watch.line();
    assert!(line.contains("Bash") && line.contains("denied") && line.ends_with("ms"), "{line}");
    assert_eq!(watch.interrupt(), Vec::<String>::new());
}

#[test]
fn a_watch_begun_before_there_is_a_log_sees_its_first_call() {
    let world = World::new();
    let mut watch = Watch::table(&world);
    glob(&world, "*");
    assert!(watch.line().contains("Glob"));
    watch.interrupt();
}

/// Four processes at once: none of their calls is told twice, none is left out.
#[test]
fn nothing_is_repeated_and_nothing_is_skipped() {
    const CALLS: usize = 60;
    let world = World::new();
    world.file("a.txt", "x\n");
    glob(&world, "first");
    let mut watch = Watch::start(world.command(["activity", "watch", "--tool", "Read"]));
    assert!(watch.line().starts_with("ID "));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut server = world.serve();
                for _ in 0..CALLS {
                    server.call("Read", &json!({"file_path": "a.txt"}));
                    server.call("Glob", &json!({"pattern": "*"}));
                }
                server.close();
            });
        }
    });
    let mut told: Vec<String> =
        (0..4 * CALLS).map(|_| watch.line().split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(watch.interrupt(), Vec::<String>::new());
    told.sort_unstable();
    let records = world.activity();
    let reads = records.iter().filter(|record| record["tool_name"] == "Read");
    let mut reads: Vec<&str> = reads.map(|record| record["id"].as_str().unwrap()).collect();
    reads.sort_unstable();
    assert_eq!(told, reads);
}

#[test]
fn a_program_is_given_a_line_of_json_or_a_document_of_yaml() {
    let world = told();
    for (format, expected) in
        [("json", r#""tool_name":"Glob","status":"success""#), ("yaml", "---")]
    {
        let mut watch = Watch::start(world.command(["activity", "watch", "-o", format]));
        // There is no heading: calls are made until one is told.
        let line = thread::scope(|scope| {
            let first = scope.spawn(|| watch.line());
            while !first.is_finished() {
                glob(&world, "*");
            }
            first.join().unwrap()
        });
        assert!(line.contains(expected), "{line}");
        watch.interrupt();
    }
}

#[test]
fn what_cannot_come_is_refused() {
    let world = World::new();
    let output = world.awf(["activity", "watch", "--status", "started"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
    assert!(stderr(&output).contains("awf activity list --status started"), "{}", stderr(&output));
    let output = world.awf(["activity", "watch", "--intent-type", "all"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("must be read, write or destructive"), "{}", stderr(&output));
}
