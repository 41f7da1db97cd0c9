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

#[test]
fn a_damaged_segment_is_shown_up_to_the_damage_and_named() {
    let (world, segment) = log_of(5);
    let bytes = fs::read(&segment).unwrap();
    let at: usize = bytes.split_inclusive(|byte| *byte == b'\n').take(4).map(<[u8]>::len).sum();
    let flipped = [&bytes[..at + 20], &[bytes[at + 20] ^ 1], &bytes[at + 21..]].concat();
    for damaged in [flipped, [&bytes[..at], b"garbage\n", &bytes[at..]].concat()] {
        fs::write(&segment, damaged).unwrap();
        let listed = world.activity();
        assert_eq!(listed.len(), 2, "{listed:?}");
        let id = listed[0]["id"].as_str().unwrap();
        for args in [&["activity", "list"][..], &["activity", "show", id]] {
            let (code, said) = complaint(&world, args);
            assert_eq!((code, said.lines().count()), (Some(0), 1), "{said}");
            let expected = format!("`{}` is damaged from byte {at} on", segment.display());
            assert!(said.contains(&expected), "{said}");
        }
        let (code, said) = complaint(&world, &["activity", "verify"]);
        assert_eq!(code, Some(4), "{said}");
    }
    world.awf(["call", "tool-read", "Glob", "--args", r#"{"pattern": "*"}"#]);
    assert_eq!(world.activity().len(), 3);
}
