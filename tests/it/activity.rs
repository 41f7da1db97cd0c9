//! `awf activity` at the terminal: what is found by which filter, and in which shape it comes out.

use std::process::Output;

use serde_json::{Value, json};

use crate::world::World;

mod export;
mod list;
mod rest;
mod summary;
mod unseen;
mod watch;

/// A log with one call of each kind: read, written, destroyed, failed and refused, two of them over MCP.
fn told() -> World {
    let world = World::new();
    world.file("a.txt", "hello\n");
    let call = |variant: &str, tool: &str, args: Value, exit: i32| {
        let args = args.to_string();
        let output = world.awf(["call", variant, tool, "--args", &args, "--reason", "a test"]);
        assert_eq!(output.status.code(), Some(exit), "{}", stderr(&output));
    };
    call("tool-read", "Read", json!({"file_path": "a.txt"}), 0);
    call("tool-write", "Write", json!({"file_path": "b.txt", "content": "x"}), 0);
    call("tool-destructive", "Bash", json!({"command": "true"}), 0);
    call("tool-read", "Bash", json!({"command": "true"}), 5);
    let mut server = world.serve();
    server.call("Read", &json!({"file_path": "a.txt"}));
    server.call("Read", &json!({"file_path": "missing.txt"}));
    server.close();
    world
}

/// Tool and status of each record, sorted.
fn kinds<'a>(records: impl IntoIterator<Item = &'a Value>) -> Vec<String> {
    let word = |record: &Value, key| record[key].as_str().unwrap().to_owned();
    let kind = |record| format!("{} {}", word(record, "tool_name"), word(record, "status"));
    let mut kinds: Vec<String> = records.into_iter().map(kind).collect();
    kinds.sort_unstable();
    kinds
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
