//! Places where no log can be kept: said clearly, and before anything is changed.

use std::fs;

use serde_json::json;

use crate::{server::failed, world::World};

const WRITE: [&str; 5] =
    ["call", "tool-write", "Write", "--args", r#"{"file_path": "g.txt", "content": "x"}"#];

/// Even root cannot make a file here.
const CLOSED: &str = "/proc/self/task";

#[test]
fn a_home_that_takes_no_files_is_named_before_anything_is_changed() {
    let world = World::new();
    let output = world.command(WRITE).env("AWF_HOME", CLOSED).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // A refusal by the machine, not by a rule: 4 and not 5.
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("JOURNAL_UNAVAILABLE") && said.contains(CLOSED), "{said}");
    assert!(!world.root().join("g.txt").exists(), "a change went unrecorded");
}

#[test]
fn without_a_home_nothing_is_called() {
    let world = World::new();
    let mut command = world.command(WRITE);
    for name in ["AWF_HOME", "HOME", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_ne!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("AWF_HOME"), "{said}");
    assert!(!world.root().join("g.txt").exists(), "a change went unrecorded");
}

/// What is beyond the limits and cannot be removed is told, and counted; no call fails for it.
#[test]
fn limits_that_cannot_be_kept_are_told_and_fail_no_call() {
    let world = World::new();
    world.file("f.txt", "x\n");
    fs::create_dir_all(world.home().join("activity/retention.lock")).unwrap();
    let mut server = world.serve_with(json!({"activity": {"max_records": 8}}));
    for _ in 0..4 {
        assert!(!failed(&server.call("Read", &json!({"file_path": "f.txt"}))));
    }
    let (status, log) = server.close();
    assert!(status.success(), "{log}");
    let told: Vec<_> =
        log.lines().filter(|line| line.contains("SYSTEM.ACTIVITY.OVER_LIMITS")).collect();
    assert!(told.len() > 1, "{log}");
    for (line, times) in told.iter().zip(1..) {
        assert!(
            line.contains(&format!("times={times}")) && line.contains("retention.lock"),
            "{line}"
        );
    }
    assert_eq!(world.activity().len(), 4);
}
