//! The activity log as a user sees it: its order, its formats, its damages, its limits.

use std::{fs, path::PathBuf};

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;

use crate::{
    server::{Server, failed},
    world::World,
};

/// A log of one closed server with that many calls of Read, and its segment.
pub(crate) fn log_of(calls: usize) -> (World, PathBuf) {
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
        let all = [
            &["activity", "list"][..],
            &["activity", "show", id],
            &["activity", "export"],
            &["activity", "summary"],
        ];
        for args in all {
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

fn count(world: &World) -> usize {
    fs::read_dir(world.home().join("activity/segments")).unwrap().count()
}

#[test]
fn the_log_stays_within_its_limits_and_says_what_was_removed() {
    let world = World::new();
    let config = world.config(json!({"activity": {"max_records": 16}}));
    for call in 0..30 {
        let arguments = json!({"file_path": format!("{call}.txt")}).to_string();
        let config = config.to_str().unwrap();
        world.awf(["call", "tool-read", "Read", "--config", config, "--args", &arguments]);
    }
    let listed = world.activity();
    // A process removes what it finds sealed when it begins; its own call comes on top.
    assert!((14..=17).contains(&listed.len()), "{}", listed.len());
    let newest: Vec<_> = (0..30).rev().map(|call| format!("{call}.txt")).collect();
    let names: Vec<_> = listed.iter().map(|record| &record["arguments"]["file_path"]).collect();
    assert_eq!(names, newest.iter().take(listed.len()).collect::<Vec<_>>());
    let verified = world.awf(["activity", "verify"]);
    let said = String::from_utf8(verified.stdout).unwrap();
    assert!(verified.status.success(), "{said}");
    let removed = 30 - count(&world);
    let note = format!("note: {removed} segments removed by retention up to ");
    assert!(said.contains(&note), "{said}");
    let gone = fs::read_dir(world.home().join("activity/segments")).unwrap().next().unwrap();
    fs::remove_file(gone.unwrap().path()).unwrap();
    let (code, said) = complaint(&world, &["activity", "verify"]);
    assert_eq!(code, Some(4), "{said}");
}

#[test]
fn many_servers_at_once_stay_within_the_limits() {
    let world = World::new();
    let limits = json!({"activity": {"max_bytes": 200_000}});
    let config = world.config(limits);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut server = Server::start(world.serve_command(&config));
                server.handshake();
                for call in 0..300 {
                    let name = format!("{call}-{}", "x".repeat(300));
                    assert!(failed(&server.call("Read", &json!({"file_path": name}))));
                }
                server.close();
            });
        }
    });
    world.awf(["call", "tool-read", "Read", "--config", config.to_str().unwrap(), "--args", "{}"]);
    let segments = fs::read_dir(world.home().join("activity/segments")).unwrap();
    let bytes: u64 = segments.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!((100_000..=210_000).contains(&bytes), "{bytes}");
    let verified = world.awf(["activity", "verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    assert!(world.activity().iter().all(|record| record["status"] == "error"));
}

fn limit_files(server: &Server, current: Option<u64>) {
    let pid = Pid::from_raw(i32::try_from(server.pid()).unwrap());
    prlimit(pid, Resource::Fsize, Rlimit { current, maximum: None }).unwrap();
}

#[test]
fn a_full_disk_stops_changes_lets_reads_go_on_and_is_forgotten_when_there_is_room() {
    let world = World::new();
    world.file("f.txt", "x\n");
    let mut server = world.serve();
    let read = |server: &mut Server| server.call("Read", &json!({"file_path": "f.txt"}));
    let write = |server: &mut Server, name: &str| {
        server.call("Write", &json!({"file_path": name, "content": "x"}))
    };
    assert_eq!(read(&mut server)["_meta"]["awf/warnings"], json!(null));

    let mut segments = fs::read_dir(world.home().join("activity/segments")).unwrap();
    let segment = segments.next().unwrap().unwrap().path();
    let full = fs::metadata(&segment).unwrap().len();
    limit_files(&server, Some(full));
    for count in 1..=2 {
        let answer = read(&mut server);
        assert!(!failed(&answer), "{answer}");
        let warning = &answer["_meta"]["awf/warnings"][0];
        assert_eq!(warning["code"], "JOURNAL_UNAVAILABLE", "{answer}");
        let said = warning["message"].as_str().unwrap();
        assert!(said.contains(&format!("{count} read calls so far are not on record")), "{said}");
    }
    let bash = server.call("Bash", &json!({"command": "touch h.txt"}));
    for refused in [write(&mut server, "g.txt"), bash] {
        assert!(failed(&refused), "{refused}");
        assert_eq!(refused["structuredContent"]["code"], "JOURNAL_UNAVAILABLE", "{refused}");
    }
    assert!(!world.root().join("g.txt").exists() && !world.root().join("h.txt").exists());

    limit_files(&server, None);
    assert!(!failed(&write(&mut server, "g.txt")));
    assert_eq!(read(&mut server)["_meta"]["awf/warnings"], json!(null));
    let (status, log) = server.close();
    assert!(status.success() && log.contains("JOURNAL_UNAVAILABLE"), "{log}");
    let tools: Vec<_> =
        world.activity().into_iter().map(|record| record["tool_name"].clone()).collect();
    assert_eq!(tools, ["Read", "Write", "Read"]);
    let verified = world.awf(["activity", "verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

/// Who removes or moves the files of a server that runs does not make its calls invisible.
#[test]
fn a_journal_that_was_taken_away_is_begun_anew() {
    let world = World::new();
    let mut server = world.serve();
    let activity = world.home().join("activity");
    let write = |server: &mut Server, name: &str| {
        let answer = server.call("Write", &json!({"file_path": name, "content": "x"}));
        assert!(!failed(&answer), "{answer}");
    };
    write(&mut server, "first.txt");
    fs::remove_dir_all(&activity).unwrap();
    write(&mut server, "second.txt");
    assert_eq!(world.activity().len(), 1);
    fs::rename(&activity, world.beside("moved")).unwrap();
    write(&mut server, "third.txt");
    let records = world.activity();
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(records[0]["arguments"]["file_path"], "third.txt");
    let (_, said) = server.close();
    assert_eq!(said.matches("the activity journal was taken away").count(), 2, "{said}");
    let verified = world.awf(["activity", "verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}

#[test]
fn a_log_that_is_not_there_is_told_when_it_is_verified() {
    let world = World::new();
    let (code, said) = complaint(&world, &["activity", "verify"]);
    let place = world.home().join("activity");
    assert_eq!(
        (code, said),
        (Some(0), format!("there is no activity log in {}\n", place.display()))
    );
}
