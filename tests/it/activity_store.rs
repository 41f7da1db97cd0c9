//! The activity log as a user sees it: its order, its formats, its damages, its limits.

use std::{fs, path::PathBuf};

use serde_json::json;

use crate::{server::failed, world::World};

/// A log of one closed server with that many calls of Read, and its segment.
fn log_of(calls: usize) -> (World, PathBuf) {
    let world = World::new();
    let mut server = world.serve();
    for call in 0..calls {
        assert!(failed(&server.call("Read", &json!({"file_path": format!("{call}.txt")}))));
    }
    server.close();
    let mut segments = fs::read_dir(world.home().join("activity/segments")).unwrap();
    let segment = segments.next().unwrap().unwrap().path();
    (world, segment)
}

/// What a command said on stderr, and its exit code.
fn complaint(world: &World, args: &[&str]) -> (Option<i32>, String) {
    let output = world.awf(args);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn records_are_listed_in_the_order_of_the_calls_across_pages() {
    let world = World::new();
    let mut server = world.serve();
    // No such file: the quickest call there is, so that many fall into one millisecond.
    let names: Vec<String> = (0..250).map(|call| format!("{call}.txt")).collect();
    for name in &names {
        assert!(failed(&server.call("Read", &json!({"file_path": name}))));
    }
    let listed: Vec<_> = world.activity().into_iter().rev().collect();
    let listed: Vec<_> = listed.iter().map(|record| &record["arguments"]["file_path"]).collect();
    assert_eq!(listed, names.iter().collect::<Vec<_>>());
}

#[test]
fn a_log_of_a_newer_awf_is_refused_and_left_as_it_is() {
    let (world, segment) = log_of(3);
    world.file("f.txt", "x");
    for path in [segment, world.home().join("activity/heads.jsonl")] {
        let before = fs::read_to_string(&path).unwrap();
        let newer = before.replace("\"v\":1", "\"v\":2");
        fs::write(&path, &newer).unwrap();
        for command in ["list", "verify"] {
            let (code, said) = complaint(&world, &["activity", command]);
            assert_eq!(code, Some(4), "{said}");
            assert!(said.contains("SYSTEM.ACTIVITY.NEWER"), "{said}");
            assert!(said.contains("format 2, this one knows up to 1"), "{said}");
            assert!(said.contains(path.to_str().unwrap()), "{said}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), newer);
        if path.ends_with("heads.jsonl") {
            let write = ["call", "tool-write", "Write", "--args"];
            let arguments = r#"{"file_path": "g.txt", "content": "x"}"#;
            let (code, said) = complaint(&world, &[&write[..], &[arguments]].concat());
            assert_eq!(code, Some(4), "{said}");
            assert!(said.contains("JOURNAL_UNAVAILABLE") && said.contains("newer awf"), "{said}");
            assert!(!world.root().join("g.txt").exists());
        }
        fs::write(&path, before).unwrap();
    }
    assert_eq!(world.activity().len(), 3);
}
