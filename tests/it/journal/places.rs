//! Places where no log can be kept: said clearly, and before anything is changed.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt as _, symlink},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::Output,
};

use rustix::process::geteuid;
use serde_json::json;

use crate::{
    intent::Web,
    server::{Server, failed},
    world::{World, program},
};

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
    let mut command = world.serve_command(&world.config(json!({"activity": {"max_records": 8}})));
    let log = world.root().join("log");
    command.stderr(fs::File::create(&log).unwrap());
    let mut server = Server::start_with_own_stderr(command);
    server.handshake();
    let told = || -> Vec<String> {
        let log = fs::read_to_string(&log).unwrap();
        let told = log.lines().filter(|line| line.contains("SYSTEM.ACTIVITY.OVER_LIMITS"));
        told.map(str::to_owned).collect()
    };
    // It is tried beside the calls, and not by the next one while it is still being tried.
    let mut calls = 0;
    while told().len() < 2 {
        assert!(!failed(&server.call("Read", &json!({"file_path": "f.txt"}))));
        calls += 1;
        assert!(calls < 5000, "{:?}", told());
    }
    let (status, _) = server.close();
    assert!(status.success());
    let told = told();
    for (line, times) in told.iter().zip(1..) {
        assert!(
            line.contains(&format!("times={times}")) && line.contains("retention.lock"),
            "{line}"
        );
    }
    assert_eq!(world.activity().len(), calls);
}

/// Nobody whom the system lets do everything.
const NOBODY: u32 = 65534;

fn read_call(world: &World) {
    let output = world.awf(["call", "tool-read", "Read", "--args", r#"{"file_path": "f.txt"}"#]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The only file of a directory that holds segments or journals.
fn only_file(place: &Path) -> PathBuf {
    let mut files = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path());
    let file = files.next().unwrap();
    assert_eq!(files.next(), None);
    file
}

/// Gives everybody leave to read what is below `place`, and nobody leave to write.
fn close(place: &Path) {
    for entry in fs::read_dir(place).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            close(&path);
        } else {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        }
    }
    fs::set_permissions(place, fs::Permissions::from_mode(0o555)).unwrap();
}

fn open_again(place: &Path) {
    fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(place).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            open_again(&path);
        }
    }
}

/// A log on a read-only disk, or somebody else's: whoever may read it is answered.
#[test]
fn a_home_that_takes_no_files_can_be_read() {
    let world = World::new();
    world.file("f.txt", "x\n");
    read_call(&world);
    read_call(&world);
    for index in ["none was made", "there is one"] {
        close(&world.home());
        let above = world.home().parent().unwrap().to_owned();
        fs::set_permissions(&above, fs::Permissions::from_mode(0o755)).unwrap();
        let looked = ["list -o json", "summary -o json", "export", "verify"].map(|words| {
            let mut command = world.command(["activity"].into_iter().chain(words.split(' ')));
            if geteuid().is_root() {
                command.uid(NOBODY).gid(NOBODY);
            }
            let output = command.output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(0), "{words}, {index}: {said}");
            String::from_utf8(output.stdout).unwrap()
        });
        assert_eq!(looked[0].matches("\"tool_name\": \"Read\"").count(), 2, "{}", looked[0]);
        assert!(looked[1].contains("\"total\": 2"), "{}", looked[1]);
        assert_eq!(looked[2].lines().count(), 2, "{}", looked[2]);
        open_again(&world.home());
        assert_eq!(world.activity().len(), 2);
    }
}

/// Runs awf, which must not wait for what never comes.
fn at_once(world: &World, words: &[&str]) -> Output {
    let command = world.command(words);
    let mut limited = program("timeout");
    limited.arg("20").arg(command.get_program()).args(command.get_args());
    limited.current_dir(world.root()).env("AWF_HOME", world.home()).output().unwrap()
}

fn put(what: &str, place: &Path) {
    if place.exists() {
        fs::remove_file(place).unwrap();
    }
    match what {
        "pipe" => assert!(program("mkfifo").arg(place).status().unwrap().success()),
        "link" => symlink("/etc/hostname", place).unwrap(),
        _ => symlink("/dev/zero", place).unwrap(),
    }
}

/// What is put in the place of a file is neither waited for nor followed.
#[test]
fn pipes_and_links_in_the_place_of_files_hold_nobody() {
    let world = World::new();
    world.file("f.txt", "x\n");
    world.run("name: w\nstates: {initial: a, a: {type: step, command: 'true', on_success: b}, b: {type: terminal}}\n", &[]);
    let journal = only_file(&world.home().join("runs"));
    let run = journal.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut web = Web::start(&world, &world.config(json!({})));
    for what in ["pipe", "link", "device"] {
        put(what, &journal);
        let output = at_once(&world, &["status", &run]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            matches!(output.status.code(), Some(1..=4)),
            "{what}: {output:?}",
            output = output.status
        );
        assert!(said.contains(&run), "{what}: {said}");
        for path in
            [format!("/api/v1/runs/{run}"), format!("/runs/{run}"), "/api/v1/runs".to_owned()]
        {
            let reply = web.get(&path);
            let expected = if path.ends_with("runs") { 200 } else { 503 };
            assert_eq!(reply.status, expected, "{what} {path}: {}", reply.body);
        }
    }
    drop(web);
    read_call(&world);
    assert_eq!(world.activity().len(), 1);
    let activity = world.home().join("activity");
    // The index is made anew from the journal; its lock, the heads and a segment are what they are, or an error.
    for (file, codes) in [
        ("index.sqlite".to_owned(), 0..=0),
        ("index.sqlite-wal".to_owned(), 0..=0),
        ("index.lock".to_owned(), 1..=4),
        ("heads.jsonl".to_owned(), 1..=4),
        (
            format!(
                "segments/{}",
                only_file(&activity.join("segments")).file_name().unwrap().to_str().unwrap()
            ),
            0..=4,
        ),
    ] {
        let place = activity.join(&file);
        let before = fs::read(&place).unwrap_or_default();
        for what in ["pipe", "link", "device"] {
            put(what, &place);
            for words in ["activity list -o json", "activity verify"] {
                let output = at_once(&world, &words.split(' ').collect::<Vec<_>>());
                let code = output.status.code().unwrap();
                assert!(code < 5, "{words} with a {what} for {file}: {output:?}");
                if words.ends_with("json") {
                    assert!(codes.contains(&code), "a {what} for {file}: {output:?}");
                }
            }
        }
        fs::remove_file(&place).ok();
        if !file.starts_with("index") {
            fs::write(&place, before).unwrap();
        }
        assert_eq!(world.activity().len(), 1, "after {file}");
    }
}

/// A list without the calls of a segment that somebody deleted says so.
#[test]
fn a_deleted_segment_is_told_by_a_list() {
    let world = World::new();
    world.file("f.txt", "x\n");
    read_call(&world);
    let segment = only_file(&world.home().join("activity/segments"));
    read_call(&world);
    assert_eq!(world.activity().len(), 2);
    fs::remove_file(&segment).unwrap();
    for _ in 0..2 {
        let output = world.awf(["activity", "list", "-o", "json"]);
        let said = String::from_utf8(output.stderr).unwrap();
        let told = format!("`{}` was deleted, and its calls are missing", segment.display());
        assert!(said.contains(&told) && said.contains("awf activity verify"), "{said}");
        assert_eq!(world.activity().len(), 1);
    }
}
