//! What is no regular file is named, at once.

use std::{
    fs,
    os::unix::net::UnixListener,
    time::{Duration, Instant},
};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use crate::stage::Stage;

async fn each_tool_names(stage: &Stage, path: &str, kind: &str) {
    let started = Instant::now();
    for (tool, arguments) in [
        ("Read", json!({"file_path": path})),
        ("Write", json!({"file_path": path, "content": ""})),
        ("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"})),
        ("Grep", json!({"pattern": "a", "path": path})),
        ("Glob", json!({"pattern": "*", "path": path})),
    ] {
        let answer = stage.bad(tool, arguments).await;
        assert!(answer.contains(&format!("`{path}` is {kind}")), "{tool}: {answer}");
    }
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

fn node(stage: &Stage, name: &str, kind: FileType, device: u64) -> bool {
    mknodat(CWD, stage.path(name), kind, Mode::from_raw_mode(0o666), device).is_ok()
}

#[tokio::test]
async fn a_fifo_and_a_socket_are_named() {
    let stage = Stage::new();
    assert!(node(&stage, "fifo", FileType::Fifo, 0));
    let _listener = UnixListener::bind(stage.path("socket")).unwrap();
    stage.link("link", "fifo");
    each_tool_names(&stage, "fifo", "a FIFO").await;
    each_tool_names(&stage, "socket", "a socket").await;
    each_tool_names(&stage, "link", "a FIFO").await;
}

#[tokio::test]
async fn a_device_is_named_where_one_can_be_made() {
    let stage = Stage::new();
    // `/dev/zero` is 1:5. Only root may make a device; a link to one leads outside, which is refused elsewhere.
    if node(&stage, "zero", FileType::CharacterDevice, rustix::fs::makedev(1, 5)) {
        each_tool_names(&stage, "zero", "a character device").await;
    }
}

#[tokio::test]
async fn a_directory_is_named() {
    let stage = Stage::new();
    fs::create_dir(stage.path("dir")).unwrap();
    for path in ["dir", "dir/", "."] {
        let answer = stage.bad("Read", json!({"file_path": path})).await;
        assert!(answer.contains("is a directory, not a regular file"), "{answer}");
    }
}

#[tokio::test]
async fn a_walk_passes_over_what_is_no_file() {
    let stage = Stage::new();
    assert!(node(&stage, "fifo", FileType::Fifo, 0));
    let _listener = UnixListener::bind(stage.path("socket")).unwrap();
    stage.file("file", "a\n");
    let started = Instant::now();
    assert_eq!(stage.good("Glob", json!({"pattern": "*"})).await, "file\n");
    assert_eq!(stage.good("Grep", json!({"pattern": "a"})).await, "file\n");
    assert!(started.elapsed() < Duration::from_secs(1));
}
