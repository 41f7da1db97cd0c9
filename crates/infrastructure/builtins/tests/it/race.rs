//! Somebody swaps a directory for a link to the outside while the tools work: they may fail, but never leave.

use std::{
    fs,
    os::unix::fs::symlink,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use crate::stage::{Stage, put};

/// Swaps `d`, a directory, and a link to the outside, until told to stop; how often it did.
fn swapper(stage: &Stage, stop: &Arc<AtomicBool>) -> thread::JoinHandle<u64> {
    let (root, outside, stop) = (stage.root(), stage.outside("b"), Arc::clone(stop));
    thread::spawn(move || {
        let at = |name: &str| -> PathBuf { root.join(name) };
        symlink(outside, at("link")).unwrap();
        let mut swaps = 0;
        while !stop.load(Ordering::Relaxed) {
            renameat_with(CWD, at("d"), CWD, at("link"), RenameFlags::EXCHANGE).unwrap();
            swaps += 1;
        }
        swaps
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_is_read_or_written_while_directories_are_swapped() {
    let stage = Stage::new();
    put(&stage.outside("b/f"), "the secret\n");
    put(&stage.outside("b/only_outside"), "the secret\n");
    stage.file("d/f", "harmless\n");
    let stop = Arc::new(AtomicBool::new(false));
    let swaps = swapper(&stage, &stop);
    for n in 0..crate::trials(100, 2_000) {
        let calls = [
            ("Read", json!({"file_path": "d/f"})),
            ("Write", json!({"file_path": "d/g", "content": format!("{n}")})),
            ("Write", json!({"file_path": "d/new/g", "content": "x"})),
            ("Edit", json!({"file_path": "d/f", "old_string": "secret", "new_string": "owned"})),
            ("Grep", json!({"pattern": "secret", "output_mode": "content"})),
            ("Grep", json!({"pattern": "secret", "path": "d/f", "output_mode": "content"})),
            ("Glob", json!({"pattern": "**/only_outside"})),
            ("Glob", json!({"pattern": "*", "path": "d"})),
        ];
        for (tool, arguments) in calls {
            let text = stage.call(tool, arguments.clone()).await.text;
            assert!(!text.contains("the secret"), "{tool} {arguments}: {text}");
            assert!(!text.contains("only_outside"), "{tool} {arguments}: {text}");
        }
    }
    stop.store(true, Ordering::Relaxed);
    assert!(swaps.join().unwrap() > 100);
    let mut left: Vec<_> = fs::read_dir(stage.outside("b"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["f", "only_outside"]);
    assert_eq!(fs::read_to_string(stage.outside("b/f")).unwrap(), "the secret\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_swapped_for_a_link_is_never_followed() {
    let stage = Stage::new();
    put(&stage.outside("b/f"), "the secret\n");
    stage.file("f", "harmless\n");
    let stop = Arc::new(AtomicBool::new(false));
    let swaps = {
        let (root, outside, stop) = (stage.root(), stage.outside("b/f"), Arc::clone(&stop));
        thread::spawn(move || {
            let mut swaps = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                symlink(&outside, root.join("link")).unwrap();
                fs::rename(root.join("link"), root.join("f")).unwrap();
                fs::write(root.join("file"), "harmless\n").unwrap();
                fs::rename(root.join("file"), root.join("f")).unwrap();
                swaps += 2;
            }
            swaps
        })
    };
    for _ in 0..crate::trials(400, 10_000) {
        let calls = [
            ("Read", json!({"file_path": "f"})),
            ("Write", json!({"file_path": "f", "content": "harmless\n"})),
            ("Edit", json!({"file_path": "f", "old_string": "secret", "new_string": "owned"})),
            ("Grep", json!({"pattern": "secret", "output_mode": "content"})),
        ];
        for (tool, arguments) in calls {
            let text = stage.call(tool, arguments).await.text;
            assert!(!text.contains("the secret"), "{tool}: {text}");
        }
    }
    stop.store(true, Ordering::Relaxed);
    assert!(swaps.join().unwrap() > 100);
    assert_eq!(fs::read_to_string(stage.outside("b/f")).unwrap(), "the secret\n");
}
